/** A tool's arguments, as they are typed. */
import { describe, expect, test } from 'vitest';
import { promptValues } from '../../../src/cli/mcp/prompts.ts';
import { toolArguments } from '../../../src/cli/mcp/values.ts';

const tool = {
  name: 'order',
  inputSchema: {
    type: 'object',
    properties: {
      count: { type: 'integer' },
      price: { type: 'number' },
      rush: { type: 'boolean' },
      note: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      anything: {},
    },
    required: ['count'],
    additionalProperties: false,
  },
};
const read = (...words: string[]) => toolArguments(tool, words).args;

describe("a tool's arguments", () => {
  test('are what the schema asks for', () => {
    expect(read('count=3', 'price=4.50', 'rush=true', 'note=7', 'tags=["a","b"]')).toEqual({
      count: 3,
      price: 4.5,
      rush: true,
      note: '7',
      tags: ['a', 'b'],
    });
    expect(read('count=3', 'anything={"a": [1]}')).toEqual({ count: 3, anything: { a: [1] } });
    expect(read('count=3', 'anything=some words = others')).toEqual({
      count: 3,
      anything: 'some words = others',
    });
    expect(read('{"count": "3", "rush": "True", "note": "7"}')).toEqual({ count: 3, rush: true, note: '7' });
  });

  test.each([
    [['count=three'], 'count must be an integer'],
    [['count=3.5'], 'count must be an integer'],
    [[], 'count is required'],
    [['count=3', 'cout=3'], 'cout is not an argument'],
    [['count=3', 'tags=["a"'], '"tags": '],
    [['count=3', 'count=4'], '"count" is given twice'],
    [['count'], '"count" is no argument. Write NAME=VALUE.'],
    [['{"count": 3'], 'The arguments are no JSON: '],
    [['{"count": 3}', 'note=a'], 'is no argument'],
  ])('%j: %s', (words, message) => {
    expect(() => read(...words)).toThrow(message);
  });
});

describe("a prompt's arguments", () => {
  const prompt = { name: 'greet', arguments: [{ name: 'who', required: true }] };

  test('are texts', () => expect(promptValues(prompt, ['who=3=4'])).toEqual({ who: '3=4' }));

  test.each([
    [['whom=x'], 'The prompt "greet" has no argument "whom"; it takes who.'],
    [['Ann'], '"Ann" is no argument. Write NAME=VALUE.'],
  ])('%j: %s', (words, message) => {
    expect(() => promptValues(prompt, words)).toThrow(message);
  });
});
