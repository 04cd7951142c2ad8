/** A dialogue as a log that only grows, in memory and line by line in a file; what counts of it after all rewinding. */
import type { Message } from '../../templates/template.ts';
import type { Speaker } from './desk.ts';
import { type Growing, growing } from './growing.ts';
import type { LogEvent, PlayEvent, RunEvent } from './protocol.ts';
import { type PackedPrompt, promptPacker, type RawPrompt } from './raw-turns.ts';

/** What is told to whoever keeps the dialogue, in this order. */
export type LogEntry =
  | { readonly type: 'dialogue'; readonly version: 1; readonly id: string; readonly createdAt: number }
  /** What the next event, a `turn-start`, does not say of its prompt. */
  | ({ readonly type: 'turn-prompt' } & RawPrompt)
  /** The dialogue as the model sees it from here on, without a system text, and whose completions are in it. */
  | { readonly type: 'messages'; readonly speaker: Speaker; readonly messages: readonly Message[] }
  | PlayEvent;

/** What the model was shown by the end of a run. */
export interface Snapshot {
  /** Of the run's last event. */
  readonly seq: number;
  readonly speaker: Speaker;
  readonly messages: readonly Message[];
}

export interface DialogueLog {
  readonly id: string;
  readonly createdAt: number;
  readonly events: Growing<PlayEvent>;
  readonly prompts: readonly PackedPrompt[];
  /** Events that count: none that a later one took back. */
  readonly standing: readonly PlayEvent[];
  /** Of the last run that counts. */
  readonly last: Snapshot | undefined;
  add(event: RunEvent | LogEvent): PlayEvent;
  addTurn(event: Omit<RunEvent & { readonly type: 'turn-start' }, 'turn'>, raw: RawPrompt): void;
  addMessages(speaker: Speaker, messages: readonly Message[]): void;
}

export interface LogContent {
  readonly id: string;
  readonly createdAt: number;
  readonly events: readonly PlayEvent[];
  readonly prompts: readonly RawPrompt[];
  readonly snapshots: readonly Snapshot[];
}

/** @param keep gets each entry before anybody else */
export function openLog(
  content: LogContent,
  keep: (entry: LogEntry) => void,
  now: () => number,
): DialogueLog {
  const { id, createdAt } = content;
  const events = growing<PlayEvent>([...content.events]);
  const pack = promptPacker();
  const prompts: PackedPrompt[] = content.prompts.map(pack);
  let snapshots: readonly Snapshot[] = content.snapshots;
  let standing: PlayEvent[] = [];
  for (const event of events.items) stand(event);

  function stand(event: PlayEvent): void {
    if (event.type !== 'rewound') return void standing.push(event);
    standing = standing.filter(({ seq }) => seq < event.to);
    snapshots = snapshots.filter(({ seq }) => seq < event.to);
  }

  function add(event: RunEvent | LogEvent): PlayEvent {
    const numbered: PlayEvent = { seq: events.items.length, at: now(), ...event };
    keep(numbered);
    stand(numbered);
    events.push(numbered);
    return numbered;
  }

  return {
    id,
    createdAt,
    events,
    prompts,
    get standing() {
      return standing;
    },
    get last() {
      return snapshots.at(-1);
    },
    add,
    addTurn(event, raw) {
      keep({ type: 'turn-prompt', ...raw });
      prompts.push(pack(raw));
      add({ ...event, turn: prompts.length });
    },
    addMessages(speaker, messages) {
      keep({ type: 'messages', speaker, messages });
      snapshots = [...snapshots, { seq: events.items.length - 1, speaker, messages }];
    },
  };
}
