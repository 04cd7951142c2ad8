import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resultText } from '../../src/mcp/content.ts';

const text = (text: string, annotations?: object) => ({ type: 'text', text, annotations });
const png = { type: 'image', mimeType: 'image/png', data: Buffer.alloc(1234).toString('base64') };

test.each<[string, unknown[], string]>([
  ['nothing', [], ''],
  ['texts', [text('a'), text('b\n'), text('')], 'a\nb\n\n'],
  ['an image', [png], '[image: image/png, 1234 bytes]'],
  ['sound', [{ ...png, type: 'audio', mimeType: 'audio/wav' }], '[audio: audio/wav, 1234 bytes]'],
  ['a resource with text', [{ type: 'resource', resource: { uri: 'x:1', text: 'inside' } }], 'inside'],
  [
    'a resource with bytes',
    [{ type: 'resource', resource: { uri: 'x:1', mimeType: 'a/b', blob: 'AAAA' } }],
    '[resource: x:1, a/b, 3 bytes]',
  ],
  ['a link', [{ type: 'resource_link', name: 'notes', uri: 'note:///a.md' }], 'notes: note:///a.md'],
  ['parts for the user alone', [text('a', { audience: ['user'] }), text('b')], 'b'],
  ['parts for both', [text('a', { audience: ['user', 'assistant'] })], 'a'],
  ['a part of a kind to come', [{ type: 'hologram' }], '[hologram: not shown]'],
])('%s', (_name, content, expected) => {
  expect(resultText({ content })).toEqual({ content: expected, isError: false });
});

test('structured content stands in where there is no text', () => {
  const structuredContent = { temperature: 21, unit: 'C' };
  expect(resultText({ content: [], structuredContent }).content).toBe('{"temperature":21,"unit":"C"}');
  expect(resultText({ content: [text('21 °C')], structuredContent }).content).toBe('21 °C');
  expect(resultText({ content: [png], structuredContent }).content).toBe(
    '[image: image/png, 1234 bytes]\n{"temperature":21,"unit":"C"}',
  );
});

test('an error stays an error', () => {
  expect(resultText({ content: [text('No.')], isError: true })).toEqual({ content: 'No.', isError: true });
});

test('no result, however malformed, throws', () => {
  fc.assert(
    fc.property(fc.anything(), fc.array(fc.anything()), (any, parts) => {
      for (const content of [any, parts, parts.map(part => ({ type: 'resource', resource: part }))])
        expect(typeof resultText({ content }).content).toBe('string');
    }),
  );
});
