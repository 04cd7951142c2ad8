/** What a server's form becomes, and what is read of it when it is filled in. */
import { expect, test } from 'vitest';
import { formFields, readField } from '../../../src/playground/page/chat/form-fields.ts';

const schema = {
  type: 'object',
  required: ['name', 'count'],
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 2, maxLength: 40 },
    mail: { type: 'string', format: 'email', description: 'For the receipt' },
    at: { type: 'string', format: 'date-time' },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    weight: { type: 'number' },
    agreed: { type: 'boolean', default: true },
    old: { type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] },
    titled: { type: 'string', oneOf: [{ const: 'x', title: 'The x' }] },
    some: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'p', title: 'Piano' },
          { const: 'v', title: 'Violin' },
        ],
      },
    },
  },
};
const fields = Object.fromEntries(formFields(schema).map(field => [field.name, field]));

test('each kind of field, with what the browser is to check', () => {
  expect(Object.values(fields).map(({ name, kind }) => [name, kind])).toEqual([
    ['name', 'text'],
    ['mail', 'text'],
    ['at', 'text'],
    ['count', 'number'],
    ['weight', 'number'],
    ['agreed', 'boolean'],
    ['old', 'one'],
    ['titled', 'one'],
    ['some', 'many'],
  ]);
  expect(fields.name).toMatchObject({
    title: 'Your name',
    required: true,
    limits: { type: 'text', minLength: 2, maxLength: 40 },
  });
  expect(fields.mail).toMatchObject({ title: 'mail', required: false, limits: { type: 'email' } });
  expect(fields.count).toMatchObject({ preset: 3, limits: { type: 'number', step: 1, min: 1, max: 9 } });
  expect(fields.weight!.limits).toEqual({ type: 'number', step: 'any' });
  expect(fields.old!.choices).toEqual([
    { value: 'a', title: 'First' },
    { value: 'b', title: 'Second' },
  ]);
  expect(fields.some!.choices.map(({ title }) => title)).toEqual(['Piano', 'Violin']);
});

test('values have the types that were asked for, and what is empty is left out', () => {
  const form = new FormData();
  for (const [name, value] of [
    ['name', 'Ada'],
    ['mail', ''],
    ['count', '7'],
    ['weight', '1.5'],
    ['old', 'b'],
    ['some', 'p'],
    ['some', 'v'],
  ] as const)
    form.append(name, value);
  const read = Object.fromEntries(Object.values(fields).map(field => [field.name, readField(field, form)]));
  expect(read).toEqual({
    name: 'Ada',
    mail: undefined,
    at: undefined,
    count: 7,
    weight: 1.5,
    agreed: false,
    old: 'b',
    titled: undefined,
    some: ['p', 'v'],
  });
});

test('a schema that is none has no fields', () => {
  expect(formFields({ properties: 'no', required: 3 })).toEqual([]);
  expect(formFields({ properties: { x: null } })).toMatchObject([{ name: 'x', kind: 'text' }]);
});
