/** Reads a dialogue's file. */
import type { Message, Prompt } from '../../templates/template.ts';
import type { PromptToken } from '../engine/engine.ts';
import { joiner } from '../transcript/continued.ts';
import type { LogContent, LogLine, Snapshot } from './dialogue-log.ts';
import type { PlayEvent } from './protocol.ts';
import type { RawPrompt } from './raw-turns.ts';

export interface ReadLog {
  readonly content: LogContent;
  /** The text without what was lost. */
  readonly end: string;
  /** A line that was not written to its end. */
  readonly lost: boolean;
}

/** @throws Error: it is no dialogue's file, or one of a later version */
export function readLog(text: string): ReadLog {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as LogLine);
  const [head, ...rest] = lines;
  if (head?.type !== 'dialogue') throw new Error('it does not begin as a dialogue does.');
  if (head.version !== 1) throw new Error(`its version is ${head.version}, which a newer rawcall wrote.`);

  const events: PlayEvent[] = [];
  const prompts: RawPrompt[] = [];
  const snapshots: Snapshot[] = [];
  const pieces = joiner<Prompt[number]>();
  const tokens = joiner<PromptToken>();
  const messages = joiner<Message>();
  for (const line of rest) {
    if (line.type === 'dialogue') throw new Error('it begins twice.');
    if (line.type === 'turn-prompt') {
      const ids = line.tokens && tokens(line.tokens);
      const { model, format } = line;
      prompts.push({ model, format, prompt: pieces(line.prompt) ?? [], ...(ids ? { tokens: ids } : {}) });
    } else if (line.type === 'messages') {
      const { keep, add, speaker } = line;
      snapshots.push({ seq: events.length - 1, speaker, messages: messages({ keep, add }) ?? [] });
    } else {
      if (line.seq !== events.length) throw new Error(`event ${events.length} is missing in it.`);
      events.push(line);
    }
  }
  return {
    content: { id: head.id, createdAt: head.createdAt, events: ended(events), prompts, snapshots },
    end: whole,
    lost: whole !== text,
  };
}

/** A run that nothing ended was going on when the program was. */
function ended(events: readonly PlayEvent[]): readonly PlayEvent[] {
  return events;
}
