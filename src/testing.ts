/** For people's own tests: recorded completions as tests of Vitest, one for each case. The package's `rawcall/testing`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';
import type { Parser, ToolDefinition } from '../parsers/parser.ts';
import { type CompletionCase, caseReader } from './check/case.ts';
import { parserOf } from './check/check-case.ts';
import { caseChecker, type NamedParser, passed } from './check/check-file.ts';
import { describeFailure } from './check/describe.ts';
import { type Format, formatNamed } from './format.ts';

export interface CompletionsOptions {
  /** JSON lines, as `rawcall check` reads them. A relative path is taken from the working folder. */
  readonly file: string | URL;
  /** A format's name for the lines that name none, or a format of your own, which all lines are read with. */
  readonly format?: string | Format;
  /** A parser of your own, which all lines are read with. It strips the stop tokens that its syntax names. */
  readonly parser?: Parser;
  /** The tools that were offered, for the lines that name none. Default: any name is taken, and no schema is checked. */
  readonly tools?: readonly ToolDefinition[];
  /** Of the random splits. Default: another one each time; a failure names it. */
  readonly seed?: number;
}

/**
 * Registers a suite with one test for each case of the file: the completion is read whole, by the character, in two at every place
 * and at random; all must read alike, and as the case expects. A line that is no case is a test that fails and says why.
 *
 * @throws the file system's error where the file cannot be read; RawcallError `unknown_format`
 */
export function describeCompletions(name: string, options: CompletionsOptions): void {
  const { format, tools, seed = Math.floor(Math.random() * 2 ** 31) } = options;
  const file = path.resolve(options.file instanceof URL ? fileURLToPath(options.file) : options.file);
  const lines = readFileSync(file, 'utf8').split('\n');
  const readCase = caseReader(file, {
    ...(typeof format === 'string' ? { format: formatNamed(format).name } : {}),
    ...(tools ? { tools } : {}),
  });
  const check = caseChecker(file, seed, ownParser(options));

  describe(name, () => {
    for (const [index, line] of lines.entries()) {
      let one: CompletionCase | undefined;
      try {
        one = readCase(line, index + 1);
      } catch (error) {
        test(`line ${index + 1}`, () => {
          throw error;
        });
      }
      if (one) register(one, index + 1);
    }
  });

  function register(one: CompletionCase, line: number): void {
    test(one.id, async () => {
      const checked = await check(one, line);
      if (!passed(checked)) throw new Error(describeFailure(checked));
    });
  }
}

function ownParser({ format, parser }: CompletionsOptions): NamedParser | undefined {
  if (parser) return { name: parser.name, parser };
  return typeof format === 'object' ? { name: format.name, ...parserOf(format) } : undefined;
}
