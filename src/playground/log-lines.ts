/** The lines of a dialogue's file: its entries without what must not get in, and each list as what it adds to the one before it. */
import type { Message } from '../../templates/template.ts';
import { continuer, joiner } from '../transcript/continued.ts';
import { heldBack } from '../transcript/held-back.ts';
import { isUntouched, type Redactor } from '../transcript/redact.ts';
import type { Continued } from '../transcript/transcript.ts';
import type { LogContent, LogEntry, Snapshot } from './dialogue-log.ts';
import type { PlayEvent } from './protocol.ts';
import { type PackedPrompt, promptPacker, promptUnpacker, type RawPrompt } from './raw-turns.ts';

export type LogLine =
  | Exclude<LogEntry, { readonly type: 'turn-prompt' | 'messages' }>
  | ({ readonly type: 'turn-prompt' } & PackedPrompt)
  | (Omit<LogEntry & { readonly type: 'messages' }, 'messages'> & Continued<Message>);

/** @param earlier what the file has already */
export function lineWriter(
  redactor: Redactor,
  earlier: LogContent | undefined,
): (entry: LogEntry) => readonly LogLine[] {
  const hold = heldBack<LogEntry>(redactor, entry => shown(entry, redactor));
  const pack = promptPacker();
  const shorten = continuer<Message>(sameMessage);
  for (const prompt of earlier?.prompts ?? []) pack(prompt);
  for (const { messages } of earlier?.snapshots ?? []) shorten(messages);
  return entry =>
    hold(entry).map(one => {
      if (one.type === 'turn-prompt') {
        const { type, ...prompt } = one;
        return { type, ...pack(prompt) };
      }
      if (one.type !== 'messages') return one;
      const { messages, ...about } = one;
      return { ...about, ...shorten(messages) };
    });
}

function shown(entry: LogEntry, redactor: Redactor): LogEntry {
  const changed = redactor.value(entry);
  if (entry.type !== 'turn-prompt' || changed.type !== 'turn-prompt') return changed;
  if (isUntouched(changed.prompt, entry.prompt)) return changed;
  const { tokens: _, ...rest } = changed;
  return rest;
}

function sameMessage(left: Message, right: Message): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

export interface ReadLines {
  readonly content: LogContent;
  /** All whole lines. */
  readonly text: string;
  /** False: the last line was not written to its end. */
  readonly isWhole: boolean;
}

/** @throws Error: it is no dialogue's file, or one of a later version */
export function readLines(given: string): ReadLines {
  const text = given.slice(0, given.lastIndexOf('\n') + 1);
  const [head, ...rest] = text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as LogLine);
  if (head?.type !== 'dialogue') throw new Error('it does not begin as a dialogue does.');
  if (head.version !== 1) throw new Error(`its version is ${head.version}, which a newer rawcall wrote.`);

  const events: PlayEvent[] = [];
  const prompts: RawPrompt[] = [];
  const snapshots: Snapshot[] = [];
  const unpack = promptUnpacker();
  const join = joiner<Message>();
  for (const line of rest) {
    if (line.type === 'turn-prompt') prompts.push(unpack(line) ?? broken());
    else if (line.type === 'messages')
      snapshots.push({ seq: events.length - 1, speaker: line.speaker, messages: join(line) ?? broken() });
    else if (line.type === 'dialogue' || line.seq !== events.length) broken();
    else events.push(line);
  }
  const { id, createdAt } = head;
  return { content: { id, createdAt, events, prompts, snapshots }, text, isWhole: text === given };
}

function broken(): never {
  throw new Error('lines are missing in it.');
}
