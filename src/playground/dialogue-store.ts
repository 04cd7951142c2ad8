/** Where dialogues are kept: one file of JSON lines each, a line written whole as soon as it may be. */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { jsonLine } from '../json.ts';
import type { Redactor } from '../transcript/redact.ts';
import type { LogContent, LogEntry } from './dialogue-log.ts';
import { lineWriter, readLines } from './log-lines.ts';

export interface DialogueStore {
  readonly kept: readonly LogContent[];
  /** What keeps the entries of a dialogue that is among the kept ones, or begins. */
  keeper(id: string): (entry: LogEntry) => void;
  remove(id: string): void;
}

/** Dialogues that end with the program. */
export const memoryStore: DialogueStore = { kept: [], keeper: () => () => {}, remove: () => {} };

export interface FileStoreOptions {
  readonly folder: string;
  /** What must not get in. */
  readonly redactor: Redactor;
  /** For people: a file that cannot be read or written any further. */
  readonly onFailure: (message: string) => void;
}

export function fileStore({ folder, redactor, onFailure }: FileStoreOptions): DialogueStore {
  const fileOf = (id: string) => path.join(folder, `${id}.jsonl`);

  function read(file: string): LogContent[] {
    try {
      const { content, text, isWhole } = readLines(readFileSync(file, 'utf8'));
      // What a crash left half written would spoil the next line.
      if (!isWhole) writeFileSync(file, text, { mode: 0o600 });
      return [content];
    } catch (error) {
      onFailure(`${file}: this dialogue is left out: ${error instanceof Error ? error.message : error}`);
      return [];
    }
  }

  const kept = names(folder).flatMap(name => read(path.join(folder, name)));

  return {
    kept,
    keeper(id) {
      const file = fileOf(id);
      const content = kept.find(one => one.id === id);
      const lines = lineWriter(redactor, content);
      let size = content ? statSync(file).size : 0;
      let failed = false;

      function append(text: string): void {
        const found = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
        if (found !== size) throw new Error('another program has written to it, or taken it away.');
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        appendFileSync(file, text, { mode: 0o600 });
        size += Buffer.byteLength(text);
      }

      return entry => {
        if (failed) return;
        try {
          for (const line of lines(entry)) append(`${jsonLine(line)}\n`);
        } catch (error) {
          failed = true;
          onFailure(`${file}: this dialogue is not kept any further: ${(error as Error).message}`);
        }
      };
    },
    remove: id => rmSync(fileOf(id), { force: true }),
  };
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.jsonl'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
