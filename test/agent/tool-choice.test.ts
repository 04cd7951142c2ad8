/** Which of a hundred tools are on offer, by a count of one token for three characters. */
import { describe, expect, test } from 'vitest';
import type { ToolDefinition } from '../../parsers/parser.ts';
import { toolChoice } from '../../src/agent/tool-choice.ts';
import { toolRanking } from '../../src/agent/tool-ranking.ts';
import type { ToolSource } from '../../src/tools.ts';
import { hundredTools, serverNames, toolsOf } from './many-tools.ts';

const count = (tools: readonly ToolDefinition[]) => Math.ceil(JSON.stringify(tools).length / 3);
const budget = 1500;

function offering(given: readonly ToolDefinition[] = hundredTools, limit = budget) {
  const ran: string[] = [];
  const source = {
    tools: given,
    call: async (name: string) => {
      ran.push(name);
      return { content: 'done', isError: false };
    },
  } satisfies ToolSource;
  const serverOf = (name: string) =>
    serverNames.find(server => toolsOf(server).some(tool => tool.name === name));
  const chosen = toolChoice({ source, budget: limit, count, serverOf });
  const names = () => chosen.tools.map(({ name }) => name);
  return {
    source: source as { tools: readonly ToolDefinition[] },
    chosen,
    names,
    ran,
    ask(question: string) {
      chosen.choice!.prepare(question);
      return names();
    },
    find: async (query: unknown) => (await chosen.call('find_tools', { query } as never)).content,
  };
}

describe('the ranking', () => {
  const rank = toolRanking(hundredTools, name => (name.endsWith('_files') ? 'drive' : undefined));
  const first = (text: string) => rank(text)[0]?.name;

  test.each([
    ['Delete the reminder of Monday.', 'delete_reminders'],
    ['create a deal with Acme', 'createDeal'],
    ['SEARCH for REAGENTS!', 'search_reagents'],
    ['search_orders', 'search_orders'],
    ['What is on the drive?', 'search_files'],
  ])('%s', (text, name) => {
    expect(first(text)).toBe(name);
  });

  test('words that stand everywhere find nothing', () => {
    expect(rank('What are the, and that, of it?')).toEqual([]);
    expect(rank('')).toEqual([]);
    expect(rank('天気はどうですか')).toEqual([]);
  });

  test('titles and the names of arguments count, and a schema that is none does no harm', () => {
    const tools: ToolDefinition[] = [
      { name: 'a', inputSchema: { type: 'object', properties: { latitude: {} } } },
      { name: 'b', inputSchema: true, annotations: { title: 'Tide tables' } },
    ];
    expect(toolRanking(tools)('tides')[0]?.name).toBe('b');
    expect(toolRanking(tools)('at this latitude')[0]?.name).toBe('a');
  });
});

describe('the offer', () => {
  test('is the source itself where all fits', () => {
    const { chosen, ask, source } = offering(hundredTools, count(hundredTools));
    ask('Delete the reminder.');
    expect(chosen.tools).toBe(source.tools);
  });

  test('fits the budget, and has what the question speaks of', () => {
    const { chosen, ask } = offering();
    const names = ask('Please create a reminder for the meeting.');
    expect(names[0]).toBe('find_tools');
    expect(names).toEqual(expect.arrayContaining(['createReminder', 'search_meetings']));
    expect(names).not.toContain('search_reagents');
    expect(count(chosen.tools)).toBeLessThanOrEqual(budget);
  });

  test.each([500, 800, 1500, 3000])('keeps to %i tokens through many questions', async limit => {
    const { chosen, ask, find } = offering(hundredTools, limit);
    for (const { name } of hundredTools) {
      ask(name);
      if (name.startsWith('delete')) await find(name.replace('delete', 'create'));
      expect(count(chosen.tools)).toBeLessThanOrEqual(limit);
      expect(new Set(chosen.tools).size).toBe(chosen.tools.length);
    }
  });

  test('names every tool while the names fit a quarter of the budget, and then says how many are left', () => {
    const all = offering(hundredTools, 3000).chosen.tools[0]?.description ?? '';
    for (const { name } of hundredTools) expect(all).toContain(name);
    const short = offering(hundredTools, 900).chosen.tools[0]?.description ?? '';
    expect(short).toMatch(/search_accounts, .*, \d+ more\.$/);
    expect(short.length).toBeLessThan(900);
  });

  test('is what fits in the order of the source where no word is shared', () => {
    const { ask } = offering();
    expect(ask('Wie spät ist es?').slice(0, 3)).toEqual([
      'find_tools',
      hundredTools[0]!.name,
      hundredTools[1]!.name,
    ]);
  });

  test('stays as it is while it serves, and only grows at its end while there is room', () => {
    const { ask } = offering(hundredTools, 2000);
    const before = ask('Search the orders.');
    expect(ask('Search the orders once more.')).toEqual(before);
    expect(ask('And now?')).toEqual(before);
    const after = ask('Delete a protocol.');
    expect(after).toContain('delete_protocols');
    const kept = after.filter(name => before.includes(name));
    expect(after.slice(0, kept.length)).toEqual(kept);
    expect(before.filter(name => kept.includes(name))).toEqual(kept);
  });

  test('loses for want of room what served longest ago, and never what is in use', async () => {
    const { ask, names, chosen } = offering(hundredTools, 700);
    const before = ask('Search the orders.');
    await chosen.call('search_orders', {});
    for (const subject of ['reagent', 'holiday', 'coupon', 'archive']) {
      ask(`Delete a ${subject}.`);
      await chosen.call('search_orders', {});
    }
    expect(names()).toContain('search_orders');
    expect(names()).toContain('delete_archives');
    expect(names()).not.toContain(before.at(-1));
  });

  test('a tool that is bigger than the room stays out, and the others come in', async () => {
    const huge = { name: 'search_everything', description: 'Search orders. '.repeat(500), inputSchema: {} };
    const { ask, find } = offering([huge, ...hundredTools]);
    expect(ask('Search the orders, everything!')).toContain('search_orders');
    expect(await find('everything')).toContain('There is no room for search_everything.');
  });
});

describe('find_tools', () => {
  test('puts tools behind those on offer, and says what they are', async () => {
    const { ask, names, find, ran } = offering(hundredTools, 2500);
    const before = ask('Search the orders.');
    const told = await find('calibrate an instrument');
    expect(told).toMatch(
      /^These tools can be called now:\n(- \w+: .*\n)*- search_instruments: Searchs the instruments that the lab keeps\./,
    );
    expect(names().slice(0, before.length)).toEqual(before);
    expect(names()).toContain('search_instruments');
    expect(ran).toEqual([]);
  });

  test('says so where nothing is found, or nothing is asked', async () => {
    const { ask, find, names } = offering();
    const before = ask('Search the orders.');
    expect(await find('zzz')).toBe('No tool has a word of "zzz". Try other words.');
    expect(await find(undefined)).toBe('"query" must be a text: what the tool should do.');
    expect(names()).toEqual(before);
  });

  test('gives way to a server that has a tool of that name', async () => {
    const own: ToolDefinition = { name: 'find_tools', inputSchema: {} };
    const { names, chosen, ran } = offering([own, ...hundredTools]);
    expect(names()[0]).toBe('rawcall_find_tools');
    expect(chosen.choice!.finder).toBe('rawcall_find_tools');
    await chosen.call('find_tools', {});
    expect(ran).toEqual(['find_tools']);
  });

  test('a tool that is called without being on offer joins, and one that is not there does not', () => {
    const { ask, names, chosen } = offering();
    ask('Search the orders.');
    expect(names()).not.toContain('search_samples');
    expect(chosen.choice!.offer('search_samples')).toBe(true);
    expect(names()).toContain('search_samples');
    expect(chosen.choice!.offer('nonesuch')).toBe(false);
  });
});

describe('a source whose tools become others', () => {
  test('what is gone is off, what is new can be found, the rest stays in its place', async () => {
    const { ask, names, source, find } = offering();
    const before = ask('Search the orders.');
    source.tools = [...hundredTools].map(tool => ({ ...tool }));
    expect(names()).toEqual(before);
    const fresh: ToolDefinition = { name: 'weigh_parcel', description: 'Weighs a parcel.', inputSchema: {} };
    source.tools = [...hundredTools.filter(({ name }) => name !== 'search_orders'), fresh];
    expect(names()).toEqual(before.filter(name => name !== 'search_orders'));
    expect(await find('weigh')).toContain('weigh_parcel');
    expect(names().at(-1)).toBe('weigh_parcel');
  });

  test('grown out of the budget, in the middle of a question, and back', () => {
    const few = toolsOf('shop').slice(0, 4);
    const { ask, names, source } = offering(few);
    expect(ask('Search the orders.')).toEqual(few.map(({ name }) => name));
    source.tools = hundredTools;
    expect(names()).toEqual(expect.arrayContaining(['find_tools', 'search_orders']));
    source.tools = few;
    expect(names()).toEqual(few.map(({ name }) => name));
  });
});
