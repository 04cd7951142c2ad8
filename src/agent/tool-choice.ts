/**
 * A source of more tools than a prompt should hold, as a source that offers some of them at a time.
 *
 * | when                                                    | on offer                                                    |
 * | ------------------------------------------------------- | ----------------------------------------------------------- |
 * | all tools fit the budget                                | all of them, and nothing else                               |
 * | else                                                    | `find_tools`, which names all, and then, while they fit:    |
 * | … at the first question                                 | the tools that share words with it, the best first          |
 * | … where none does                                       | the tools in the source's own order                         |
 * | … at a later question whose best tools are there        | the same as before                                          |
 * | … at a later question whose best tools are not there    | the same, and its best tools behind them                    |
 * | … after `find_tools`, or a call of a tool that is not on offer | the same, and the tools asked for behind them        |
 *
 * A tool that joins stands behind the others, and one leaves only for want of room, the one that served longest ago first: a
 * prompt is the same up to the first tool that is another one, and all behind it is evaluated anew. For the same reason
 * `find_tools` stands first and names every tool, those on offer too: it changes with the source alone. The first question
 * leaves a quarter of the room to those that join later, but for its best tools.
 */
import type { JsonObject, ToolDefinition } from '../../parsers/parser.ts';
import type { ToolResult, ToolSource } from '../tools.ts';
import { type RankedTool, toolRanking } from './tool-ranking.ts';

export const toolOffers = ['auto', 'all'] as const;
export type ToolOffer = (typeof toolOffers)[number];

/** Of a context, what the tools on offer may take: results may take half of it, and there must be room for a question and its answer. */
export const toolShare = 1 / 3;

export interface ToolChoiceOptions {
  readonly source: ToolSource;
  /** Tokens that the tools may be in a prompt. */
  readonly budget: number;
  /** How many tokens a prompt has for these tools. */
  readonly count: (tools: readonly ToolDefinition[]) => number;
  /** Questions name servers too. */
  readonly serverOf?: (name: string) => string | undefined;
}

/** Of a question's tools, those that have to be there: so many at most, none with less than half of the best one's score. */
const best = 5;
const firstShare = 3 / 4;

export function toolChoice({ source, budget, count, serverOf }: ToolChoiceOptions): ToolSource {
  let catalogue = catalogueOf(source.tools);
  /** Names, in the order in which they joined. */
  let offer: string[] = [];
  let question: string | undefined;
  const served = new Map<string, number>();
  let clock = 0;

  /** The source's tools may have become others since it was asked last. */
  function current(): Catalogue {
    if (catalogue.given !== source.tools) {
      const given = source.tools;
      if (sameTools(catalogue.given, given)) catalogue = { ...catalogue, given };
      else {
        catalogue = catalogueOf(given);
        offer = offer.filter(name => catalogue.tools.has(name));
        choose();
      }
    }
    return catalogue;
  }

  function catalogueOf(given: readonly ToolDefinition[]): Catalogue {
    const tools = new Map(given.map(tool => [tool.name, tool]));
    const finder = finderOf([...tools.keys()]);
    const costs = new Map<string, number>();
    return {
      given,
      tools,
      finder,
      whole: count(given) <= budget,
      rank: toolRanking(given, serverOf),
      cost(name) {
        const cost = costs.get(name) ?? count([tools.get(name)!]);
        costs.set(name, cost);
        return cost;
      },
      room: budget - count([finder]),
    };
  }

  /** Its list of names takes a quarter of the budget at most. */
  function finderOf(names: readonly string[]): ToolDefinition {
    for (let shown = names.length; ; shown = Math.floor(shown * 0.8)) {
      const finder = findTools(names, shown);
      if (shown === 0 || count([finder]) <= budget / 4) return finder;
    }
  }

  function choose(): void {
    const { rank, tools } = catalogue;
    const ranked = rank(question ?? '');
    const wanted = bestOf(ranked);
    const first = offer.length === 0;
    join(wanted);
    if (!first) return;
    const others = ranked.length > 0 ? ranked.map(({ name }) => name) : [...tools.keys()];
    join([...wanted, ...others.filter(name => !wanted.includes(name))], catalogue.room * firstShare);
  }

  /** Puts tools on offer, the most wanted first, as far as there is room; gives those that are there now. */
  function join(names: readonly string[], room = catalogue.room): string[] {
    const { cost } = catalogue;
    clock++;
    const taken = () => offer.reduce((sum, name) => sum + cost(name), 0);
    const idle = offer
      .filter(name => !names.includes(name))
      .sort((left, right) => (served.get(left) ?? 0) - (served.get(right) ?? 0));
    for (const [at, name] of names.entries()) {
      if (!offer.includes(name)) {
        let missing = taken() + cost(name) - room;
        const leaving: string[] = [];
        for (const one of idle) {
          if (missing <= 0) break;
          leaving.push(one);
          missing -= cost(one);
        }
        if (missing > 0) continue;
        idle.splice(0, leaving.length);
        offer = [...offer.filter(one => !leaving.includes(one)), name];
      }
      // Of those that are asked for together, the most wanted served last.
      served.set(name, clock - at / names.length);
    }
    return names.filter(name => offer.includes(name));
  }

  function find({ query }: JsonObject): ToolResult {
    const { rank, tools } = current();
    if (typeof query !== 'string')
      return { content: '"query" must be a text: what the tool should do.', isError: true };
    const found = bestOf(rank(query));
    if (found.length === 0)
      return { content: `No tool has a word of ${JSON.stringify(query)}. Try other words.`, isError: false };
    const there = join(found);
    const left = found.filter(name => !there.includes(name));
    const lines = there.map(name => `- ${name}${summary(tools.get(name)?.description)}`);
    return {
      content: [
        ...(lines.length > 0 ? ['These tools can be called now:', ...lines] : []),
        ...(left.length > 0 ? [`There is no room for ${left.join(', ')}.`] : []),
      ].join('\n'),
      isError: false,
    };
  }

  return {
    get tools() {
      const { whole, given, finder, tools } = current();
      if (whole) return given;
      if (question === undefined && offer.length === 0) choose();
      return [finder, ...offer.map(name => tools.get(name)!)];
    },
    async call(name, args, options) {
      const { whole, finder } = current();
      if (!whole && name === finder.name) return find(args);
      served.set(name, ++clock);
      return source.call(name, args, options);
    },
    choice: {
      get all() {
        const { whole, given, finder, tools } = current();
        return whole ? given : [finder, ...tools.values()];
      },
      prepare(asked) {
        const { whole } = current();
        // What was on offer before the first question was for no question at all.
        if (question === undefined) offer = [];
        question = asked;
        if (!whole) choose();
      },
      offer(name) {
        const { whole, tools } = current();
        return !whole && tools.has(name) && join([name]).length > 0;
      },
      get finder() {
        return current().finder.name;
      },
    },
  };
}

interface Catalogue {
  readonly given: readonly ToolDefinition[];
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly finder: ToolDefinition;
  /** All of them fit. */
  readonly whole: boolean;
  readonly rank: (text: string) => readonly RankedTool[];
  readonly cost: (name: string) => number;
  /** Tokens for the tools beside `find_tools`. */
  readonly room: number;
}

function bestOf(ranked: readonly RankedTool[]): string[] {
  const [first] = ranked;
  if (!first) return [];
  return ranked
    .filter(({ score }) => score >= first.score / 2)
    .slice(0, best)
    .map(({ name }) => name);
}

function findTools(names: readonly string[], shown: number): ToolDefinition {
  let name = 'find_tools';
  while (names.includes(name)) name = `rawcall_${name}`;
  const rest = names.length - shown;
  const listed = [...names.slice(0, shown), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return {
    name,
    description: `Finds tools that are not listed here and makes them callable. Use it when no other tool fits. There are: ${listed}.`,
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What the tool should do, in a few words.' } },
      required: ['query'],
    },
    annotations: { readOnlyHint: true },
  };
}

const longest = 120;

function summary(description = ''): string {
  const line = description.trim().split('\n')[0] ?? '';
  if (line === '') return '';
  return `: ${line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line}`;
}

function sameTools(left: readonly ToolDefinition[], right: readonly ToolDefinition[]): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
