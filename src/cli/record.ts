/** `rawcall record extract`: recordings become tests. */
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RawcallError } from '../../parsers/error.ts';
import { jsonLine } from '../json.ts';
import { extractedCases } from '../transcript/extract-cases.ts';
import { exitCodes } from './exit.ts';
import { writeOut } from './output.ts';
import { notice } from './show.ts';

export async function extractCases(files: readonly string[], out: string | undefined): Promise<number> {
  let count = 0;
  async function* lines(): AsyncGenerator<string, void> {
    for (const file of files) {
      for await (const one of extractedCases(file, path.basename(file, '.jsonl'))) {
        if (!('defaults' in one)) count++;
        yield `${jsonLine(one)}\n`;
      }
    }
  }
  if (out === undefined) for await (const line of lines()) await writeOut(line);
  else {
    await pipeline(Readable.from(lines()), createWriteStream(out)).catch((error: unknown) => {
      if (RawcallError.isInstance(error)) throw error;
      throw new RawcallError('bad_file', `${out}: it cannot be written: ${(error as Error).message}`, {
        file: out,
      });
    });
    notice(`${count} cases written to ${out}. Check them: rawcall check ${out}`);
  }
  return exitCodes.answered;
}
