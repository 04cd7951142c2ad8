/** A dialogue as a log that only grows, in memory and line by line in a file; what counts of it after all rewinding. */
import type { Message } from '../../templates/template.ts';
import { continuer } from '../transcript/continued.ts';
import type { Continued } from '../transcript/transcript.ts';
import type { Speaker } from './desk.ts';
import { type Growing, growing } from './lines.ts';
import type { LogEvent, PlayEvent, RunEvent } from './protocol.ts';
import { type PackedPrompt, promptPacker, type RawPrompt } from './raw-turns.ts';

/** The lines of the file. */
export type LogLine =
  | { readonly type: 'dialogue'; readonly version: 1; readonly id: string; readonly createdAt: number }
  /** What the next event, a `turn-start`, does not say of its prompt. */
  | ({ readonly type: 'turn-prompt' } & PackedPrompt)
  /** The dialogue as the model sees it from here on, without a system text, and whose completions are in it. */
  | ({ readonly type: 'messages'; readonly speaker: Speaker } & Continued<Message>)
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

/** @param write gets each line as it is added */
export function openLog(content: LogContent, write: (line: LogLine) => void, now: () => number): DialogueLog {
  const { id, createdAt } = content;
  const events = growing<PlayEvent>([...content.events]);
  const pack = promptPacker();
  const prompts: PackedPrompt[] = content.prompts.map(pack);
  let snapshots: readonly Snapshot[] = content.snapshots;
  let standing: PlayEvent[] = [];
  for (const event of events.items) stand(event);
  const shorten = continuer<Message>(
    (left, right) => left === right || JSON.stringify(left) === JSON.stringify(right),
  );
  for (const { messages } of snapshots) shorten(messages);

  function stand(event: PlayEvent): void {
    if (event.type !== 'rewound') return void standing.push(event);
    standing = standing.filter(({ seq }) => seq < event.to);
    snapshots = snapshots.filter(({ seq }) => seq < event.to);
  }

  function add(event: RunEvent | LogEvent): PlayEvent {
    const numbered: PlayEvent = { seq: events.items.length, at: now(), ...event };
    write(numbered);
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
      const packed = pack(raw);
      write({ type: 'turn-prompt', ...packed });
      prompts.push(packed);
      add({ ...event, turn: prompts.length });
    },
    addMessages(speaker, messages) {
      write({ type: 'messages', speaker, ...shorten(messages) });
      snapshots = [...snapshots, { seq: events.items.length - 1, speaker, messages }];
    },
  };
}
