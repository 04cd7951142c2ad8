import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLines } from '../../../src/playground/page/chat/json-lines.ts';

test('any JSON comes out as JSON.stringify would indent it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect(jsonLines(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('cut anywhere, no letter of it is lost', () => {
  const bare = (text: string) => text.replace(/\s/g, '');
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(200), (value, cut) => {
      const text = JSON.stringify(value).slice(0, cut);
      expect(bare(jsonLines(text))).toBe(bare(text));
    }),
  );
});

test('numbers keep every digit, and strings what looks like structure', () => {
  expect(jsonLines('{"id":12345678901234567890,"text":"a, {b}: \\"c\\""}')).toBe(
    '{\n  "id": 12345678901234567890,\n  "text": "a, {b}: \\"c\\""\n}',
  );
});
