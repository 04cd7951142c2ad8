/** A completion, read as formats read it, side by side and step by step. */
import { useSignal } from '@preact/signals';
import type { LabParsed } from '../../lab/lab-protocol.ts';
import { CompletionInput } from './completion-input.tsx';
import { parseRequest } from './completion-state.ts';
import { ReadingCard } from './reading-card.tsx';
import { SteppedPieces } from './stepped-pieces.tsx';
import { useAnswer } from './use-answer.ts';

export function ReadTab() {
  const { answer, failure } = useAnswer<LabParsed>('lab/parse', parseRequest()).value;
  return (
    <div class="columns">
      <CompletionInput />
      <div class="results">
        {failure !== undefined && (
          <p class="bad" role="alert">
            {failure}
          </p>
        )}
        {answer ? (
          <Readings parsed={answer} />
        ) : (
          failure === undefined && (
            <p class="quiet">
              Paste what a model wrote: here you see what each format reads in it, and by the pieces, when.
            </p>
          )
        )}
      </div>
    </div>
  );
}

function Readings({ parsed }: { readonly parsed: LabParsed }) {
  const { pieces, readings } = parsed;
  /** How many steps are taken; nothing: all. The one behind the last piece is the completion's end. */
  const taken = useSignal<number | undefined>(undefined);
  const tinted = useSignal(0);
  const last = pieces.length + 1;
  const at = Math.min(taken.value ?? last, last);
  const shown = Math.min(tinted.value, readings.length - 1);
  return (
    <>
      <SteppedPieces
        parsed={parsed}
        reading={readings[shown]!}
        at={at}
        onStep={step => {
          taken.value = step === last ? undefined : step;
        }}
      />
      <h2>{readings.length === 1 ? 'What is read' : `${readings.length} ways to read it`}</h2>
      <div class="cards">
        {readings.map((reading, number) => (
          <ReadingCard
            key={reading.formats.join()}
            reading={reading}
            at={at}
            tinted={number === shown}
            onTint={() => {
              tinted.value = number;
            }}
          />
        ))}
      </div>
    </>
  );
}
