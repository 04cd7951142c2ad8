/** Chat templates that were written to hold up or to fill whoever renders them. */
import { expect, test } from 'vitest';
import { detectFormat } from '../../src/detect-format.ts';
import { compileChatTemplate } from '../../src/jinja/compile.ts';
import { jinjaFormat } from '../../src/jinja/format.ts';

const messages = [{ role: 'user', content: 'Hi' }];

const traps = {
  'loops in loops':
    '{% for a in range(100000) %}{% for b in range(100000) %}{% set c = a %}{% endfor %}{% endfor %}',
  'a list of a billion numbers': '{% for a in range(1000000000) %}{% endfor %}',
  'a list backwards': '{% for a in range(0, -1000000000, -1) %}{% endfor %}',
  'a list that doubles':
    '{% set n = namespace(x=[1, 2]) %}{% for a in range(60) %}{% set n.x = n.x + n.x %}{% endfor %}',
  'a text that doubles':
    "{% set n = namespace(x='ab') %}{% for a in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
  'a macro that calls itself': '{% macro m(x) %}{{ m(x) }}{% endmacro %}{{ m(1) }}',
} as const;

test.each(Object.entries(traps))('%s: rendering ends with a word of why', async (_, source) => {
  const template = await compileChatTemplate(source);
  expect(() => template.render({ messages })).toThrow(
    expect.objectContaining({
      code: 'chat_template_failed',
      details: expect.objectContaining({ refused: false }),
    }),
  );
  // What came before it takes nothing from the next one.
  const plain = await compileChatTemplate('{% for a in range(9000) %}.{% endfor %}');
  expect(plain.render({ messages })).toBe('.'.repeat(9000));
});

test('a model with such a template is of no known format, and as a format of its own is refused', async () => {
  const chatTemplate = traps['loops in loops'];
  expect((await detectFormat({ chatTemplate })).format).toBeUndefined();
  await expect(jinjaFormat({ chatTemplate })).rejects.toMatchObject({ code: 'bad_chat_template' });
});

test.each([
  ['a template of megabytes', '{{ x }}'.repeat(200_000)],
  ['brackets in brackets', `{{ ${'('.repeat(100_000)} }}`],
])('%s is not read', async (_, source) => {
  await expect(compileChatTemplate(source)).rejects.toMatchObject({ code: 'bad_chat_template' });
});

test('a long conversation is no trap', async () => {
  const template = await compileChatTemplate(
    "{% for m in messages %}{{ m.role ~ ': ' ~ m.content | trim }}{% for a in range(50) %}.{% endfor %}{% endfor %}",
  );
  const long = Array.from({ length: 3000 }, (_, at) => ({ role: 'user', content: `Line ${at}` }));
  expect(template.render({ messages: long })).toContain('Line 2999');
});
