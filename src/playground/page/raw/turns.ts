/** The turns of a dialogue that can be looked at, and what was asked in each. */

import type { TurnPurpose } from '../../../model/model.ts';
import type { Exchange } from '../chat/log.ts';

export interface TurnEntry {
  readonly turn: number;
  readonly purpose: TurnPurpose;
  readonly tokens: number | undefined;
  /** What the user had asked. */
  readonly question: string;
  /** How far it is: another text means that there is more to see. */
  readonly state: string;
}

export function turnsOf(exchanges: readonly Exchange[]): readonly TurnEntry[] {
  return exchanges.flatMap(({ question, items, state }) =>
    items.value.flatMap(item => {
      if (item.kind !== 'turn') return [];
      const { turn, purpose, tokens, usage } = item;
      return [{ turn, purpose, tokens, question, state: `${state.value.phase} ${usage.value.length}` }];
    }),
  );
}
