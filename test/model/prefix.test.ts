/** What every dialogue's prompt begins with, in each format and for each place of the schemas. */
import { describe, expect, test } from 'vitest';
import { formats } from '../../src/format.ts';
import { fixedPrefix } from '../../src/model/prefix.ts';
import { promptText } from '../../templates/prompt.ts';
import type { Message, SchemaPlacement } from '../../templates/template.ts';

const tools = [
  { name: 'weigh', description: 'Weighs it.', inputSchema: { type: 'object', properties: {} } } as const,
];
const system: Message = { role: 'system', content: 'Be brief.' };
const placements: readonly SchemaPlacement[] = ['native', 'system', 'user', 'tail', 'none'];
const questions = ['0?', 'x!', '(an aside)', '\u00e9t\u00e9', '{"a": 1}'];

describe.each(formats.map(({ name, template }) => [name, template] as const))('%s', (_name, template) => {
  test.each(placements)('schema: %s', schema => {
    const prompts = questions.map(content => {
      const conversation = { messages: [system, { role: 'user', content } as const], tools };
      return { conversation, prompt: promptText(template.render(conversation, { schema })) };
    });
    const prefixes = prompts.map(({ conversation }) =>
      promptText(fixedPrefix(template, conversation, { schema })),
    );
    expect(new Set(prefixes).size).toBe(1);
    const [prefix = ''] = prefixes;
    for (const { prompt } of prompts) expect(prompt.startsWith(prefix)).toBe(true);
    expect(prefix).toContain('Be brief.');
    // Behind the question they are no part of what every prompt begins with.
    expect(prefix.includes('weigh')).toBe(schema !== 'tail' && schema !== 'none');
  });
});

test('later turns of a dialogue have the same one', () => {
  const { template } = formats[0]!;
  const first = [system, { role: 'user', content: 'Hi' }] as const;
  const later = [
    ...first,
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'Bye' },
  ] as const;
  expect(fixedPrefix(template, { messages: later, tools })).toEqual(
    fixedPrefix(template, { messages: first, tools }),
  );
});
