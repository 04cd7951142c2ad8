/** The leaderboard's files (PyPI's `bfcl-eval` brings them): a question a line, and in a folder beside them its possible answers. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { RawcallError } from '../../../parsers/error.ts';
import type { ToolDefinition } from '../../../parsers/parser.ts';
import type { BfclExpected } from './checker.ts';
import { isDict, isList, type PyValue, parsePython } from './python.ts';
import { toolOf } from './schema.ts';

/** Those of one turn whose values are Python's. */
export const bfclCategories = [
  'simple',
  'multiple',
  'parallel',
  'parallel_multiple',
  'irrelevance',
  'live_simple',
  'live_multiple',
  'live_parallel',
  'live_parallel_multiple',
  'live_irrelevance',
  'live_relevance',
] as const;
export type BfclCategory = (typeof bfclCategories)[number];

export interface BfclQuestion {
  readonly id: string;
  readonly category: BfclCategory;
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  readonly tools: readonly ToolDefinition[];
  /** Empty where no tool fits, and where any call will do (`live_relevance`). */
  readonly expected: readonly BfclExpected[];
}

const question = z.object({
  id: z.string(),
  question: z
    .array(z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1))
    .length(1, 'must have one turn'),
  function: z.array(
    z.object({
      name: z.string(),
      description: z.string().optional(),
      parameters: z.record(z.string(), z.unknown()),
    }),
  ),
});
const answer = z.object({
  id: z.string(),
  ground_truth: z.array(z.record(z.string(), z.record(z.string(), z.array(z.unknown())))),
});

/** Where `folder` is the package, what is around it, or its data. */
const places = ['', 'data', 'bfcl_eval/data'];

/** @throws RawcallError `no_bfcl_files`, `bad_bfcl_file` */
export function readBfcl(
  folder: string,
  categories: readonly BfclCategory[] = bfclCategories,
): BfclQuestion[] {
  const found = places
    .map(place => path.join(folder, place))
    .map(place => ({ place, files: existsSync(place) ? readdirSync(place) : [] }))
    .find(({ files }) => files.some(file => nameOf(file) !== undefined));
  if (!found)
    throw new RawcallError(
      'no_bfcl_files',
      `${folder} has no questions of the leaderboard (BFCL_v4_multiple.json and the like). They are in PyPI's bfcl-eval: pip download --no-deps bfcl-eval, unpack the wheel, and name its folder.`,
      { folder },
    );
  const { place, files } = found;
  return categories.flatMap(category => {
    const file = files.find(one => isOf(category, nameOf(one)));
    if (file === undefined)
      throw new RawcallError('no_bfcl_files', `${place} has no questions of the category "${category}".`, {
        folder: place,
        category,
      });
    return readCategory(place, file, category);
  });
}

const nameOf = (file: string): string | undefined => /^BFCL_v\d+_(\w+)\.json$/.exec(file)?.[1];

/** The fourth version calls its simple questions after their language. */
const isOf = (category: BfclCategory, name: string | undefined): boolean =>
  name === category || (category === 'simple' && name === 'simple_python');

function readCategory(folder: string, name: string, category: BfclCategory): BfclQuestion[] {
  const file = path.join(folder, name);
  const answers = category.endsWith('relevance')
    ? undefined
    : readAnswers(path.join(folder, 'possible_answer', name));
  return readLines(file, (text, fail) => {
    const { id, question: turns, function: documents } = shaped(question, JSON.parse(text), fail);
    const expected = answers?.get(id) ?? [];
    if (answers && expected.length === 0) fail(`"${id}" has no possible answers`);
    return {
      id,
      category,
      messages: turns[0] ?? [],
      tools: documents.map(document => {
        try {
          return toolOf(document);
        } catch (error) {
          if (error instanceof TypeError) return fail(`function ${document.name}: ${error.message}`);
          throw error;
        }
      }),
      expected,
    };
  });
}

function readAnswers(file: string): ReadonlyMap<string, readonly BfclExpected[]> {
  return new Map(
    readLines(
      file,
      (text, fail) => [shaped(answer, JSON.parse(text), fail).id, expectedCalls(text)] as const,
    ),
  );
}

/** Read once more, since JSON's own numbers don't tell `5` from `5.0`. The text has the shape of an answer. */
function expectedCalls(text: string): BfclExpected[] {
  const line = parsePython(text);
  const calls = isDict(line) ? line.get('ground_truth') : undefined;
  return listed(calls).flatMap(call =>
    entries(call).map(([name, values]) => ({
      name,
      arguments: new Map(entries(values).map(([key, possible]) => [key, listed(possible)])),
    })),
  );
}

const listed = (value: PyValue | undefined): readonly PyValue[] => (isList(value) ? value : []);
const entries = (value: PyValue): (readonly [string, PyValue])[] => (isDict(value) ? [...value] : []);

type Fail = (problem: string) => never;

function readLines<T>(file: string, read: (text: string, fail: Fail) => T): T[] {
  if (!existsSync(file))
    throw new RawcallError('no_bfcl_files', `${file} is missing; it has the possible answers.`, { file });
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      if (text.trim() === '') return [];
      const fail: Fail = problem => {
        throw new RawcallError('bad_bfcl_file', `${file}:${index + 1}: ${problem}.`, {
          file,
          line: index + 1,
        });
      };
      try {
        return [read(text, fail)];
      } catch (error) {
        if (error instanceof SyntaxError) return fail(`is no JSON: ${error.message}`);
        throw error;
      }
    });
}

function shaped<T>(shape: z.ZodType<T>, value: unknown, fail: Fail): T {
  const { data, error } = shape.safeParse(value);
  if (error) {
    const [issue] = error.issues;
    return fail(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is of another shape'}`);
  }
  return data;
}
