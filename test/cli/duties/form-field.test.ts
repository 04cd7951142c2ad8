/** What a typed line means in a field, by what the server says of it. */
import { expect, test } from 'vitest';
import { formFields } from '../../../src/cli/duties/form-field.ts';

function field(property: object) {
  return formFields({ type: 'object', properties: { it: property } })[0]!;
}

const titled = [
  { const: 'hero-1', title: 'Superman' },
  { const: 'hero-2', title: 'Green Lantern' },
];

test.each<[string, object, string, unknown]>([
  ['a text', { type: 'string' }, ' Ada L. ', 'Ada L.'],
  ['an e-mail address', { type: 'string', format: 'email' }, 'ada@example.com', 'ada@example.com'],
  ['a date', { type: 'string', format: 'date' }, '2026-03-14', '2026-03-14'],
  ['a number', { type: 'number', minimum: 0 }, '4.5', 4.5],
  ['a number with an exponent', { type: 'number' }, '-1e3', -1000],
  ['a whole number', { type: 'integer' }, '7', 7],
  ['yes', { type: 'boolean' }, 'Y', true],
  ['no', { type: 'boolean' }, 'false', false],
  ['a choice by its number', { type: 'string', enum: ['red', 'green'] }, '2', 'green'],
  ['a choice by its name', { type: 'string', enum: ['red', 'green'] }, 'RED', 'red'],
  ['a choice that is a number itself', { type: 'string', enum: ['3', '2', '1'] }, '1', '1'],
  ['a titled choice', { type: 'string', oneOf: titled }, 'green lantern', 'hero-2'],
  ['a titled choice by its value', { type: 'string', oneOf: titled }, 'hero-1', 'hero-1'],
  ['the older titles', { type: 'string', enum: ['a', 'b'], enumNames: ['Cat', 'Dog'] }, 'dog', 'b'],
  ['several', { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } }, '3, a, 3', ['c', 'a']],
  ['several with titles', { type: 'array', items: { anyOf: titled } }, '2,Superman', ['hero-2', 'hero-1']],
])('%s', (_name, property, line, value) => {
  expect(field(property).read(line)).toEqual({ value });
});

test.each<[object, string, string]>([
  [{ type: 'string', format: 'email' }, 'x', 'it must be an e-mail address (it must match format "email")'],
  [
    { type: 'string', format: 'uri' },
    'x y',
    'it must be an address such as https://example.com (it must match format "uri")',
  ],
  [
    { type: 'string', minLength: 3, maxLength: 5 },
    'ab',
    'it must be a text of 3 to 5 characters (it must NOT have fewer than 3 characters)',
  ],
  [
    { type: 'integer', minimum: 1, maximum: 9 },
    '2.5',
    'it must be a whole number from 1 to 9 (it must be an integer)',
  ],
  [{ type: 'number', maximum: 9 }, '10', 'it must be a number, 9 or less (it must be <= 9)'],
  [{ type: 'number' }, '1,5', 'it must be a number'],
  [{ type: 'boolean' }, 'perhaps', 'it must be y or n'],
  [{ type: 'string', enum: ['a'] }, '2', 'it must be one of them, by its number or name'],
  [
    { type: 'array', maxItems: 1, items: { type: 'string', enum: ['a', 'b'] } },
    'a, b',
    'it must be some of them (at most 1), by numbers or names with commas between (it must NOT have more than 1 items)',
  ],
  [
    { type: 'array', items: { enum: ['a'] } },
    'a, z',
    'it must be some of them, by numbers or names with commas between',
  ],
])('%j does not take %j', (property, line, problem) => {
  expect(field(property).read(line)).toEqual({ problem });
});

test('what is told of each field', () => {
  const fields = formFields({
    properties: {
      name: { type: 'string', title: 'Name', description: 'Your own' },
      kind: { type: 'string', oneOf: titled, default: 'hero-1' },
    },
    required: ['name'],
  });
  expect(fields.map(({ read: _read, ...told }) => told)).toEqual([
    { name: 'name', title: 'Name', description: 'Your own', required: true, hint: 'a text', choices: [] },
    {
      name: 'kind',
      title: 'kind',
      required: false,
      hint: 'one of them, by its number or name',
      choices: [
        { value: 'hero-1', title: 'Superman' },
        { value: 'hero-2', title: 'Green Lantern' },
      ],
      preset: 'hero-1',
    },
  ]);
});
