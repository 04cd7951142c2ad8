import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCompletion } from '../../parsers/read.ts';
import { formats } from '../../src/format.ts';
import { type OwnName, openNames, safeName } from '../../src/mcp/names.ts';

const own = (...pairs: [string, string][]): OwnName[] => pairs.map(([server, tool]) => ({ server, tool }));
const namesOf = (...pairs: [string, string][]) => openNames().give(own(...pairs));

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
  test('the server stands before a name that an earlier server has, and nowhere else', () => {
    expect(namesOf(['a', 'add'], ['b', 'add'], ['b', 'sub'])).toEqual(['add', 'b__add', 'sub']);
  });

  test('names of one server that become one when made safe stay apart, however the server sorts them', () => {
    const both: [string, string][] = [
      ['crm', 'crm.search_accounts'],
      ['crm', 'crm_search_accounts'],
    ];
    const [dotted, plain] = namesOf(...both);
    expect(plain).toBe('crm_search_accounts');
    expect(dotted).toMatch(/^crm_search_accounts_[0-9a-f]{8}$/);
    expect(namesOf(...both.toReversed())).toEqual([plain, dotted]);
  });

  test('the names of servers are made safe too', () => {
    expect(namesOf(['one', 'hello'], ['my.server v2', 'hello'], ['my_server_v2', 'hello'])).toEqual([
      'hello',
      'my_server_v2__hello',
      expect.stringMatching(/^my_server_v2__hello_[0-9a-f]{8}$/),
    ]);
  });

  test('a server and a tool with long names are cut together, and keep a hash', () => {
    const long = 'x'.repeat(60);
    const [, second, third] = namesOf(['a', long], ['b'.repeat(10), long], ['b'.repeat(11), long]);
    expect(second).toMatch(/^b{10}__x{43}_[0-9a-f]{8}$/);
    expect(third).not.toBe(second);
  });

  test('a tool that is called as another would be renamed to keeps its name', () => {
    const names = namesOf(['a', 'add'], ['b', 'add'], ['c', 'b__add']);
    expect(names).toEqual(['add', expect.stringMatching(/^b__add_[0-9a-f]{8}$/), 'b__add']);
  });

  test('a server that is added behind the others renames nothing', () => {
    const before = own(['files', 'search'], ['web', 'fetch']);
    const after = [...before, ...own(['git', 'search'], ['git', 'fetch'])];
    expect(openNames().give(after).slice(0, 2)).toEqual(openNames().give(before));
  });

  const word = fc.oneof(
    fc.constantFrom('add', 'Add', 'a-b', 'a_b', 'a.b', 'a__b', 'é', '計算', '', '1', 'x'.repeat(70)),
    fc.string({ unit: 'binary', maxLength: 90 }),
  );
  const tool = fc.record({ server: word, tool: word });
  const tools = fc.uniqueArray(tool, {
    selector: one => JSON.stringify([one.server, one.tool]),
    maxLength: 40,
  });

  test('are safe, all different, the same each time, and lead back', () => {
    fc.assert(
      fc.property(tools, given => {
        const names = openNames();
        const all = names.give(given);
        for (const name of all) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/);
        expect(new Set(all).size).toBe(given.length);
        expect(all.map(name => names.owner(name))).toEqual(given);
        expect(openNames().give(given)).toEqual(all);
      }),
    );
  });

  test('a name once given stays with its tool, whatever comes and goes', () => {
    fc.assert(
      fc.property(fc.array(tools, { minLength: 2, maxLength: 5 }), listings => {
        const names = openNames();
        const known = new Map<string, string>();
        for (const listing of listings) {
          const given = names.give(listing);
          expect(new Set(given).size).toBe(listing.length);
          listing.forEach((one, at) => {
            const key = JSON.stringify([one.server, one.tool]);
            expect(given[at]).toBe(known.get(key) ?? given[at]);
            known.set(key, given[at]!);
          });
        }
        expect(new Set(known.values()).size).toBe(known.size);
        for (const [key, name] of known) {
          const owner = names.owner(name)!;
          expect(JSON.stringify([owner.server, owner.tool])).toBe(key);
        }
      }),
    );
  });

  test('every format writes them and reads them back', () => {
    fc.assert(
      fc.property(tools, given => {
        const names = openNames().give(given);
        const offered = names.map(name => ({ name, inputSchema: { type: 'object' } }));
        for (const { name: format, parser } of formats) {
          names.forEach((name, at) => {
            const call = { id: `call_${at}`, name, arguments: {}, argumentsText: '{}' };
            const read = readCompletion(parser, parser.write([call]), { tools: offered });
            expect([format, read.calls.map(one => one.name)]).toEqual([format, [name]]);
          });
        }
      }),
      { numRuns: 10 },
    );
  });
});
