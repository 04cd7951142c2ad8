import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modelNames, type OwnName, safeName } from '../../src/mcp/names.ts';

const own = (...pairs: [string, string][]): OwnName[] => pairs.map(([server, tool]) => ({ server, tool }));

describe('a name made safe', () => {
  test.each([
    ['add', 'add'],
    ['get-sum', 'get_sum'],
    ['files.read', 'files_read'],
    ['a/b c', 'a_b_c'],
    ['2fast', '_2fast'],
    ['café', 'cafe'],
    ['_private', '_private'],
    ['a'.repeat(64), 'a'.repeat(64)],
  ])('%s → %s', (name, safe) => expect(safeName(name)).toBe(safe));

  test('a long name is cut and keeps a hash of the whole', () => {
    const [one, other] = [safeName(`${'a'.repeat(80)}1`), safeName(`${'a'.repeat(80)}2`)];
    expect(one).toMatch(/^a{55}_[0-9a-f]{8}$/);
    expect(one).not.toBe(other);
  });

  test('a name in another script is told apart by its hash', () => {
    expect(safeName('計算')).toMatch(/^tool_[0-9a-f]{8}$/);
    expect(safeName('計算')).not.toBe(safeName('検索'));
  });
});

describe('the names of many tools', () => {
  test('the server stands before a name that two servers have, and nowhere else', () => {
    expect(modelNames(own(['a', 'add'], ['b', 'add'], ['b', 'sub']))).toEqual(['a__add', 'b__add', 'sub']);
  });

  test('names that become one when made safe', () => {
    const names = modelNames(own(['a', 'get-sum'], ['a', 'get_sum']));
    expect(names[1]).toBe('get_sum');
    expect(names[0]).toMatch(/^get_sum_[0-9a-f]{8}$/);
  });

  test('a tool that is called as another is renamed to keeps its name', () => {
    const names = modelNames(own(['a', 'add'], ['b', 'add'], ['c', 'a__add']));
    expect(names[2]).toBe('a__add');
    expect(names[0]).toMatch(/^a__add_[0-9a-f]{8}$/);
  });

  const word = fc.oneof(
    fc.constantFrom('add', 'Add', 'a-b', 'a_b', 'a.b', 'a__b', 'é', '計算', '', '1', 'x'.repeat(70)),
    fc.string({ unit: 'binary', maxLength: 90 }),
  );
  const tools = fc.uniqueArray(fc.record({ server: word, tool: word }), {
    selector: ({ server, tool }) => JSON.stringify([server, tool]),
    maxLength: 40,
  });

  test('are safe, all different, and the same each time', () => {
    fc.assert(
      fc.property(tools, given => {
        const names = modelNames(given);
        for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/);
        // All different, so the way back is the place in the list.
        expect(new Set(names).size).toBe(given.length);
        expect(modelNames(given)).toEqual(names);
      }),
    );
  });

  test('a name that nobody else wants stays, whatever other tools come', () => {
    fc.assert(
      fc.property(tools, given => {
        const others = given.filter(({ tool }) => safeName(tool) !== 'lookup' && tool !== 'lookup');
        expect(modelNames([...others, { server: 's', tool: 'lookup' }]).at(-1)).toBe('lookup');
      }),
    );
  });
});
