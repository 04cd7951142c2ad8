/** Which resources a question speaks of, and templates with their values. */
import { describe, expect, test } from 'vitest';
import { mentionsIn } from '../../../src/cli/mcp/mentions.ts';
import {
  bareTemplate,
  expandTemplate,
  readTemplateReference,
  variablesOf,
} from '../../../src/cli/mcp/template-reference.ts';

const servers = ['vault', 'vault 2', 'web'];
const found = (text: string) =>
  mentionsIn(text, servers).map(({ server, reference }) => `${server} ${reference}`);

describe('a mention', () => {
  test.each([
    ['What is in @vault:note:///a.md?', ['vault note:///a.md']],
    ['@web:https://x.example/a?b=c#d, and then', ['web https://x.example/a?b=c#d']],
    ['(see @vault:note:///a.md).', ['vault note:///a.md']],
    ['@web:https://x.example/a_(b)', ['web https://x.example/a_(b)']],
    ['"@vault:note:///a.md"', ['vault note:///a.md']],
    ['@vault:note:///{+path=my notes/a.md}.', ['vault note:///{+path=my notes/a.md}']],
    ['@vault 2:note:///a.md', ['vault 2 note:///a.md']],
    ['@vault:a and @web:b and @vault:a', ['vault a', 'web b']],
  ])('%s', (text, mentions) => {
    expect(found(text)).toEqual(mentions);
  });

  test.each([
    'ann@vault:note',
    'Write to ann@web.example',
    '@nobody:note:///a',
    '@vault',
    '@vault: what?',
    '@@vault:a',
  ])('is not in: %s', text => expect(found(text)).toEqual([]));
});

describe('a template', () => {
  test('is read with the values where they stand', () => {
    expect(readTemplateReference('x://{a=1}/{+b=c/d}{?q=one, two,limit=3}')).toEqual({
      uriTemplate: 'x://{a}/{+b}{?q,limit}',
      values: { a: '1', b: 'c/d', q: 'one, two', limit: '3' },
    });
    expect(readTemplateReference('x://{a}')).toEqual({ uriTemplate: 'x://{a}', values: {} });
  });

  test('needs what stands in its path and not what stands in its query', () => {
    expect(variablesOf('x://{a}/{+b:3}{?q,limit*}')).toEqual([
      { name: 'a', required: true },
      { name: 'b', required: true },
      { name: 'q', required: false },
      { name: 'limit', required: false },
    ]);
  });

  test('becomes a URI, with what a URI cannot have in percent', () => {
    expect(expandTemplate('x://{a}/{+b}{?q,limit}', { a: 'ä b', b: 'c/d', q: '&' })).toBe(
      'x://%C3%A4%20b/c/d?q=%26',
    );
  });

  test('is the same with its operators and without', () => {
    expect(bareTemplate('x://{+a}{?q,limit*}')).toBe(bareTemplate('x://{a}{q:3,limit}'));
    expect(bareTemplate('x://{a}')).not.toBe(bareTemplate('x://{b}'));
  });
});
