/** JSON rewritten as text means what it meant, digit for digit. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonMembers, pythonLiteral, spacedJson } from '../../parsers/json-text.ts';

const anyJson = fc.json({ stringUnit: 'binary' });
const blanks = fc.constantFrom('', ' ', '\n', '\t ');
/** The same JSON with blanks between its tokens. */
const loose = fc
  .tuple(fc.jsonValue({ stringUnit: 'grapheme' }), blanks)
  .map(([value, indent]) => JSON.stringify(value, null, indent));

describe('spacedJson', () => {
  test('keeps the value', () => {
    fc.assert(
      fc.property(anyJson, json => {
        expect(JSON.parse(spacedJson(json))).toEqual(JSON.parse(json));
      }),
    );
  });

  test('is one line whatever the input’s spacing, and stays as it is', () => {
    fc.assert(
      fc.property(loose, json => {
        const spaced = spacedJson(json);
        expect(spaced).not.toContain('\n');
        expect(spaced).toBe(spacedJson(JSON.stringify(JSON.parse(json))));
        expect(spacedJson(spaced)).toBe(spaced);
      }),
    );
  });

  test.each([
    ['{"a":1,"b":[2,3],"c":{},"d":[]}', '{"a": 1, "b": [2, 3], "c": {}, "d": []}'],
    ['[12345678901234567890123,-0.50,1e400,-0]', '[12345678901234567890123, -0.50, 1e400, -0]'],
    ['{"\\u00e9":"\\u6771\\/\\n,:{}"}', '{"é": "東/\\n,:{}"}'],
    ['"\\ud800"', '"\\ud800"'],
    [' true ', 'true'],
  ])('%s', (json, spaced) => {
    expect(spacedJson(json)).toBe(spaced);
  });

  test('a string of some million characters', () => {
    const json = JSON.stringify({ a: 'x"\\'.repeat(1_500_000) });
    expect(spacedJson(json).length).toBe(json.length + 1);
  });
});

describe('pythonLiteral', () => {
  test('differs from JSON in its three words alone, outside strings', () => {
    expect(pythonLiteral('{"a":true,"null":null,"b":[false,"true",1.0]}')).toBe(
      '{"a": True, "null": None, "b": [False, "true", 1.0]}',
    );
    fc.assert(
      fc.property(
        anyJson.filter(json => !/true|false|null/.test(json)),
        json => {
          expect(pythonLiteral(json)).toBe(spacedJson(json));
        },
      ),
    );
  });
});

describe('jsonMembers', () => {
  test('gives keys decoded and values as their exact text', () => {
    expect(jsonMembers(' {"a" : 1.0, "\\u0062":[1,{"c":"}"}] ,"":{} } ')).toEqual([
      ['a', '1.0'],
      ['b', '[1,{"c":"}"}]'],
      ['', '{}'],
    ]);
    expect(jsonMembers('{}')).toEqual([]);
  });

  test('puts together to the same object', () => {
    const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { noNullPrototype: true });
    fc.assert(
      fc.property(objects, blanks, (object, indent) => {
        const json = JSON.stringify(object, null, indent);
        const members = jsonMembers(json).map(([key, value]) => `${JSON.stringify(key)}:${value}`);
        expect(JSON.parse(`{${members.join(',')}}`)).toEqual(JSON.parse(json));
      }),
    );
  });
});
