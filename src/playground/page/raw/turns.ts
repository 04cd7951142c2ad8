/** The turns of a dialogue that can be looked at, and what was asked in each. */

import type { TurnPurpose } from '../../../model/model.ts';
import type { Exchange } from '../chat/log.ts';

export interface TurnEntry {
  readonly turn: number;
  readonly purpose: TurnPurpose;
  readonly tokens: number | undefined;
  /** What the user had asked. */
  readonly question: string;
  /** It is still evaluated or written. */
  readonly runs: boolean;
}

export function turnsOf(exchanges: readonly Exchange[]): readonly TurnEntry[] {
  return exchanges.flatMap(({ question, items, state }) =>
    items.value.flatMap(item => {
      if (item.kind !== 'turn') return [];
      const { turn, purpose, tokens, usage } = item;
      return [
        {
          turn,
          purpose,
          tokens,
          question,
          runs: state.value.phase === 'running' && usage.value.length === 0,
        },
      ];
    }),
  );
}
