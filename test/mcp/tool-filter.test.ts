/** Which of a server's tools are offered, with real servers. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toolFilter } from '../../src/mcp/tool-filter.ts';
import { matchesPattern } from '../../src/name-pattern.ts';
import { fixture, readySet } from './helpers.ts';

describe('a pattern', () => {
  test.each([
    ['add', 'add', true],
    ['add', 'adds', false],
    ['a*', 'a', true],
    ['*', '', true],
    ['*_file', 'read_file', true],
    ['*_file', 'read_files', false],
    ['a*b*c', 'a1b2b3c', true],
    ['a*b*c', 'a1c2b', false],
    ['aa*aa', 'aaa', false],
    ['a.b', 'axb', false],
    ['a+', 'aa', false],
    ['a*b', 'a\nb', true],
  ])('%j over %j: %j', (pattern, name, matches) => expect(matchesPattern(pattern, name)).toBe(matches));

  test('is what a regular expression with its stars would be', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'ab*.\n'), maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, (pattern, name) => {
        const parts = pattern.split('*').map(part => part.replaceAll('.', '\\.'));
        expect(matchesPattern(pattern, name)).toBe(new RegExp(`^${parts.join('.*')}$`, 's').test(name));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the tools of an entry', () => {
  const named = (tools: { allow?: string[]; deny?: string[] }) => ({
    ...fixture('named', 'one', 'read_file', 'write_file', 'delete_file'),
    tools,
  });
  const offered = async (tools: { allow?: string[]; deny?: string[] }) => {
    await using host = await readySet([named(tools)]);
    return { names: host.tools.map(({ name }) => name), problems: host.servers[0]!.problems };
  };

  test('those that are allowed and not denied are offered', async () => {
    expect(await offered({ allow: ['*_file'], deny: ['delete*'] })).toEqual({
      names: ['read_file', 'write_file'],
      problems: [],
    });
    expect(await offered({ deny: ['*'] })).toEqual({ names: [], problems: [] });
    expect(await offered({ allow: [] })).toEqual({ names: [], problems: [] });
  });

  test('a pattern that matches nothing is told with what there is', async () => {
    const { names, problems } = await offered({ allow: ['read_file', 'raed_*'], deny: ['drop'] });
    expect(names).toEqual(['read_file']);
    expect(problems).toEqual([
      {
        tool: 'raed_*',
        message:
          '"tools.allow" names it, and the server has no tool of that name. It has: read_file, write_file, delete_file.',
      },
      { tool: 'drop', message: expect.stringContaining('"tools.deny"') },
    ]);
  });

  test('a denied tool takes no name from another and cannot be called by any', async () => {
    await using host = await readySet([
      { ...fixture('named', 'first', 'add', 'sub'), name: 'first', tools: { deny: ['add'] } },
      { ...fixture('named', 'second', 'add'), name: 'second' },
    ]);
    expect(host.tools.map(({ name }) => name)).toEqual(['sub', 'add']);
    expect((await host.call('add', {})).content).toBe('second:add');
    expect(await host.call('first__add', {})).toMatchObject({ isError: true });
  });

  test('a tool that comes later is held to the patterns too', async () => {
    await using host = await readySet([{ ...fixture('list-changed'), tools: { deny: ['extra_2'] } }]);
    await host.call('grow', {});
    await host.call('grow', {});
    await expect.poll(() => host.tools.map(({ name }) => name)).toEqual(['grow', 'shrink', 'extra_3']);
  });

  test('what is wrong with a tool that is not offered is no news', () => {
    const problems = [
      { tool: 'broken', message: 'It has no schema.' },
      { tool: 'odd', message: 'Its hints are odd.' },
    ];
    const { problems: told, incomplete } = toolFilter({ deny: ['later'] }).apply({
      tools: [],
      problems,
      incomplete: 'The second page failed.',
    });
    // Of a list that is not whole nobody knows what is not there.
    expect({ told, incomplete }).toEqual({ told: problems, incomplete: 'The second page failed.' });
    expect(toolFilter({ deny: ['broken'] }).apply({ tools: [], problems }).problems).toEqual([problems[1]]);
  });
});
