import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resultText } from '../../src/mcp/content.ts';

const text = (text: string, annotations?: object) => ({ type: 'text', text, annotations });
const png = { type: 'image', mimeType: 'image/png', data: Buffer.alloc(1234).toString('base64') };

const attached = (data: string, mimeType: string, name?: string) => ({
  attachments: [{ mimeType, data, ...(name ? { name } : {}) }],
});

test.each<[string, unknown[], string, object?]>([
  ['nothing', [], ''],
  ['texts', [text('a'), text('b\n'), text('')], 'a\nb\n\n'],
  ['an image', [png], '[image: image/png, 1234 bytes]', attached(png.data, 'image/png')],
  [
    'sound',
    [{ ...png, type: 'audio', mimeType: 'audio/wav' }],
    '[audio: audio/wav, 1234 bytes]',
    attached(png.data, 'audio/wav'),
  ],
  ['an image without data', [{ type: 'image', mimeType: 3 }], '[image: unknown, 0 bytes]'],
  ['a resource with text', [{ type: 'resource', resource: { uri: 'x:1', text: 'inside' } }], 'inside'],
  [
    'a resource with bytes',
    [{ type: 'resource', resource: { uri: 'x:1', mimeType: 'a/b', blob: 'AAAA' } }],
    '[resource: x:1, a/b, 3 bytes]',
    attached('AAAA', 'a/b', 'x:1'),
  ],
  ['a link', [{ type: 'resource_link', name: 'notes', uri: 'note:///a.md' }], 'notes: note:///a.md'],
  ['parts for the user alone', [text('a', { audience: ['user'] }), text('b')], 'b', { forUser: 'a' }],
  [
    'nothing but parts for the user',
    [text('done', { audience: ['user'] }), { ...png, annotations: { audience: ['user'] } }],
    '[The result was shown to the user.]',
    { forUser: 'done\n[image: image/png, 1234 bytes]', ...attached(png.data, 'image/png') },
  ],
  ['parts for the model alone', [text('a', { audience: ['assistant'] })], 'a'],
  ['parts for both', [text('a', { audience: ['user', 'assistant'] })], 'a'],
  [
    'a part of a kind to come',
    [{ type: 'hologram', x: 1 }],
    '[hologram: not shown]',
    attached(Buffer.from('{"type":"hologram","x":1}').toString('base64'), 'application/json', 'hologram'),
  ],
  [
    'a part of a kind to come that has words',
    [{ type: 'poem', text: 'roses' }],
    'roses',
    attached(Buffer.from('{"type":"poem","text":"roses"}').toString('base64'), 'application/json', 'poem'),
  ],
])('%s', (_name, content, expected, more = {}) => {
  expect(resultText({ content })).toEqual({ content: expected, isError: false, ...more });
});

const told = (words: string, structuredContent: unknown) =>
  resultText({ content: words === '' ? [] : [text(words)], structuredContent }).content;

test.each<[string, string, unknown]>([
  ['as JSON', '{"total": 52}', { total: 52 }],
  [
    'as JSON with other spaces and order',
    '{\n "b": [1, null],\n "a": "x\\ny"\n}',
    { a: 'x\ny', b: [1, null] },
  ],
  ['in words', '21 °C', { temperature: 21, unit: 'C' }],
  ['a text in an object', 'line one\nline "two"\n', { content: 'line one\nline "two"' }],
  ['a number at the end of a sentence', 'It is -3.5.', { value: -3.5 }],
])('the same data is given once: %s', (_name, words, structuredContent) => {
  expect(told(words, structuredContent)).toBe(words);
});

test.each<[string, string, unknown]>([
  ['no text', '', { temperature: 21 }],
  ['a summary', '2 files', { files: ['a.txt', 'b.txt'] }],
  ['a number that is a part of another', '152 apples', { total: 52 }],
  ['a number before a point', '5.2 apples', { total: 5 }],
  ['a fraction', '0.5', { total: 5 }],
])('data that the text does not say is added: %s', (_name, words, structuredContent) => {
  const json = JSON.stringify(structuredContent);
  expect(told(words, structuredContent)).toBe(words === '' ? json : `${words}\n${json}`);
});

test('structured content beside a picture', () => {
  const { content } = resultText({ content: [png], structuredContent: { width: 7 } });
  expect(content).toBe('[image: image/png, 1234 bytes]\n{"width":7}');
});

test('data of any depth and size is searched in time', () => {
  let deep: unknown = 'x';
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(told('x', deep)).toBe('x');
  expect(told('y', deep)).toBe('y\n[structured content: nested too deeply to be shown]');
  const wide = Array.from({ length: 20_000 }, (_, index) => index);
  expect(told(wide.join(' '), wide)).toBe(wide.join(' '));
});

test.each<[string, unknown[], string]>([
  ['with words', [text('No.')], 'No.'],
  ['with nothing in it', [], 'The tool failed and did not say why.'],
  ['with blanks', [text(' \n')], 'The tool failed and did not say why.'],
])('an error stays an error: %s', (_name, content, expected) => {
  expect(resultText({ content, isError: true })).toEqual({ content: expected, isError: true });
});

test('no result, however malformed, throws', () => {
  fc.assert(
    fc.property(fc.anything(), fc.array(fc.anything()), (any, parts) => {
      for (const content of [any, parts, parts.map(part => ({ type: 'resource', resource: part }))])
        expect(typeof resultText({ content }).content).toBe('string');
    }),
  );
});
