/** Where dialogues are kept: one file of JSON lines each, a line written whole as soon as it is known. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { jsonLine } from '../json.ts';
import type { LogContent, LogLine } from './dialogue-log.ts';
import { readLog } from './read-log.ts';

export interface DialogueStore {
  readonly kept: readonly LogContent[];
  writer(id: string): (line: LogLine) => void;
  remove(id: string): void;
}

/** Dialogues that end with the program. */
export const memoryStore: DialogueStore = { kept: [], writer: () => () => {}, remove: () => {} };

export interface FileStoreOptions {
  readonly folder: string;
  /** For people: a file that cannot be read or written; the dialogue goes on without it. */
  readonly onFailure: (message: string) => void;
  /** What of each line may be written. */
  readonly shown: (line: LogLine) => LogLine;
}

export function fileStore({ folder, onFailure, shown }: FileStoreOptions): DialogueStore {
  const fileOf = (id: string) => path.join(folder, `${id}.jsonl`);

  function read(name: string): LogContent[] {
    const file = path.join(folder, name);
    try {
      const { content, end, lost } = readLog(readFileSync(file, 'utf8'));
      // What a crash left half written would spoil the next line.
      if (lost) writeFileSync(file, end, { mode: 0o600 });
      return [content];
    } catch (error) {
      onFailure(`${file}: this dialogue is left out: ${error instanceof Error ? error.message : error}`);
      return [];
    }
  }

  function names(): string[] {
    try {
      return readdirSync(folder).filter(name => name.endsWith('.jsonl'));
    } catch {
      // None was kept yet.
      return [];
    }
  }

  return {
    kept: names().flatMap(read),
    writer(id) {
      const file = fileOf(id);
      let failed = false;
      return line => {
        if (failed) return;
        try {
          mkdirSync(folder, { recursive: true, mode: 0o700 });
          appendFileSync(file, `${jsonLine(shown(line))}\n`, { mode: 0o600 });
        } catch (error) {
          failed = true;
          onFailure(`${file}: this dialogue is not kept any further: ${(error as Error).message}`);
        }
      };
    },
    remove: id => rmSync(fileOf(id), { force: true }),
  };
}
