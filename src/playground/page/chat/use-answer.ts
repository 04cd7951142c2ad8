/** The answer to something that is asked: given once, and open again where it did not get through. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { Answer } from '../../protocol.ts';
import { attempt } from '../shell/trouble.tsx';
import { answerAsk } from './actions.ts';

export interface Answering {
  readonly answered: ReadonlySignal<boolean>;
  answer(body: Answer): void;
}

export function useAnswer(dialogue: string, ask: string): Answering {
  const answered = useSignal(false);
  return {
    answered,
    answer(body) {
      answered.value = true;
      void attempt(async () => {
        try {
          await answerAsk(dialogue, ask, body);
        } catch (error) {
          answered.value = false;
          throw error;
        }
      });
    },
  };
}
