/**
 * A dialogue as it is shown, made of the events of its log. What grows while a model writes is a signal of its own, so that a token
 * draws the text that it belongs to and nothing else.
 */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Knobs, PlayEvent } from '../../protocol.ts';
import type { ExchangeState, Item, TurnItem } from './items.ts';
import { type RunReader, readRun } from './read-run.ts';

export interface Exchange {
  /** The number of its `asked` event: what an edit or a rerun cuts from. */
  readonly seq: number;
  readonly question: string;
  readonly knobs: Knobs;
  readonly items: Signal<readonly Item[]>;
  readonly state: Signal<ExchangeState>;
}

export interface DialogueLog {
  readonly exchanges: ReadonlySignal<readonly Exchange[]>;
  readonly running: ReadonlySignal<boolean>;
  /** Model turns so far, by their numbers: what the raw view can show. */
  readonly turns: ReadonlySignal<readonly TurnItem[]>;
  /** The number of the next event. */
  readonly next: number;
  apply(event: PlayEvent): void;
}

export function createDialogueLog(): DialogueLog {
  const exchanges = signal<readonly Exchange[]>([]);
  let next = 0;
  let reader: RunReader | undefined;
  let policy: string | undefined;

  /** Why the turns go as they do is told once, and where it is another reason. */
  function isNewPolicy(reason: string): boolean {
    const before = policy;
    policy = reason;
    return reason !== before;
  }

  function apply(event: PlayEvent): void {
    // After a break the server may tell again what is known.
    if (event.seq < next) return;
    next = event.seq + 1;
    switch (event.type) {
      case 'asked': {
        const { seq, question, knobs } = event;
        const items = signal<readonly Item[]>([]);
        const state = signal<ExchangeState>({ phase: 'running' });
        exchanges.value = [...exchanges.value, { seq, question, knobs, items, state }];
        reader = readRun(items, state, isNewPolicy);
        return;
      }
      case 'rewound':
        exchanges.value = exchanges.value.filter(({ seq }) => seq < event.to);
        reader = undefined;
        return;
      case 'renamed':
        return;
      default:
        reader?.(event);
    }
  }

  return {
    exchanges,
    running: computed(() => exchanges.value.at(-1)?.state.value.phase === 'running'),
    turns: computed(() =>
      exchanges.value.flatMap(({ items }) => items.value.filter(item => item.kind === 'turn')),
    ),
    get next() {
      return next;
    },
    apply,
  };
}
