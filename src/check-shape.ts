/** Whether what a file holds has the shape that a schema says, and what is wrong with it in words. */
import type { z } from 'zod';
import { nearest } from './nearest.ts';
import type { Path } from './yaml-file.ts';

export interface Fault {
  readonly path: Path;
  readonly message: string;
}

export type Checked<Value> = { readonly value: Value } | { readonly faults: readonly [Fault, ...Fault[]] };

/** `keys`: what a key that is not known may have meant. */
export function checkShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  keys: readonly string[],
): Checked<z.output<Schema>> {
  const { success, data, error } = schema.safeParse(value, { error: words });
  if (success) return { value: data };
  const [first, ...others] = error.issues.flatMap(issue => faultsOf(issue, keys));
  return { faults: [first ?? { path: [], message: 'is wrong' }, ...others] };
}

function faultsOf(issue: z.core.$ZodIssue, keys: readonly string[]): Fault[] {
  const path = issue.path.map(part => (typeof part === 'number' ? part : String(part)));
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  return issue.keys.map(key => {
    const meant = nearest(key, keys);
    return { path: [...path, key], message: `there is no such key${meant ? `; is it ${meant}?` : ''}` };
  });
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object of keys',
  record: 'an object of keys',
};

/** In our words; what is not said here, the library's own words say. */
function words(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? 'must not be empty'
        : `must be ${issue.minimum} or more`;
    case 'too_big':
      return `must be ${issue.maximum} or less`;
    case 'invalid_value':
      return `must be ${issue.values.join(' or ')}`;
    default:
      return undefined;
  }
}
