/**
 * GBNF grammars of tool calls: what a model may write under one is calls of the given tools, as its syntax writes them, with
 * arguments that keep to the tools' JSON Schemas. docs/grammars.md says which keywords are held to.
 *
 * A call syntax says how it writes calls in a `Notation`, made of `marker` (a control word in it is the control token),
 * `letters` (anything from a tool) and the other builders of `expression.ts`. How values are written is a `Dialect`: `json` and
 * `python` are in `json.ts`. `createParser` takes the notation as its last argument and makes `Parser.grammar` of it.
 */
import { RawcallError } from '../error.ts';
import type { JsonSchema, ToolDefinition } from '../parser.ts';
import type { Dialect, Members } from './dialect.ts';
import { choice, type Expression, empty, repeat, rule, sequence, texts } from './expression.ts';
import { matches, print, productiveRules } from './print.ts';
import { openSchema } from './schema.ts';
import { createCompiler } from './value.ts';
import { nothingFits, outputOf } from './value-grammar.ts';
import { type GrammarWalk, walkGrammar } from './walk.ts';

/** How a call syntax writes calls. */
export interface Notation {
  /** How the values of the arguments are written. */
  readonly dialect: Dialect;
  /** How the arguments are written. Default: as an object of the dialect. */
  readonly arguments?: Members;
  /** What stands before the first call and behind the last. */
  readonly open?: Expression;
  readonly close?: Expression;
  /** What stands between two calls. Absent: one turn has one call. */
  readonly between?: Expression;
  /** What stands around a call's name, and behind its arguments. */
  readonly beforeName: Expression;
  readonly afterName: Expression;
  readonly afterArguments: Expression;
  /** The name as it is written. Undefined: it can't be. */
  writeName(name: string): string | undefined;
}

export interface GrammarOptions {
  /** Whether a turn may hold several calls. Default: true. */
  readonly parallel?: boolean;
  /** The tools that may be called. Default: all. */
  readonly only?: readonly string[];
  /** A reply may also be a JSON value of this schema, and then has no calls. Default: it may not. */
  readonly output?: JsonSchema;
}

export interface CallGrammar {
  readonly gbnf: string;
  /** What every turn of calls begins with. Control words in it mean control tokens. */
  readonly opening: string;
  /** Follows the text of calls as it is written, and says what of it is forced. */
  walk(): GrammarWalk;
  /** What the schemas say and the grammar does not: it lets through more than they do. */
  readonly relaxed: readonly Relaxed[];
  /** The places for which there is no value, such as an empty `enum`. What they belong to is left out. */
  readonly impossible: readonly Impossible[];
}

export interface Impossible {
  readonly tool: string;
  /** JSON pointer into the tool's `inputSchema`; empty for all of it, and then the tool can't be called. */
  readonly path: string;
}

export interface Relaxed {
  readonly tool: string;
  /** JSON pointer to the schema in the tool's `inputSchema` that has the keyword. */
  readonly path: string;
  readonly keyword: string;
}

/**
 * The grammar of calls of these tools. It is kept for the same list of tools, and for an equal one.
 *
 * @throws RawcallError `nothing_to_call` where the tools allow no call at all, or none of the one that is asked for
 */
export function callGrammar(
  notation: Notation,
  tools: readonly ToolDefinition[],
  options: GrammarOptions = {},
): CallGrammar {
  const cache = cacheOf(notation);
  const how = JSON.stringify([options.parallel ?? true, options.only, options.output]);
  const known = cache.byList.get(tools)?.get(how);
  if (known) return known;
  const content = how + JSON.stringify(tools.map(tool => [tool.name, tool.inputSchema]));
  const grammar = cache.byContent.get(content) ?? build(notation, tools, options);
  cache.byContent.delete(content);
  cache.byContent.set(content, grammar);
  if (cache.byContent.size > maxKept) cache.byContent.delete([...cache.byContent.keys()][0] ?? '');
  const ofList = cache.byList.get(tools) ?? new Map<string, CallGrammar>();
  cache.byList.set(tools, ofList.set(how, grammar));
  return grammar;
}

const maxKept = 16;

interface Cache {
  readonly byList: WeakMap<readonly ToolDefinition[], Map<string, CallGrammar>>;
  readonly byContent: Map<string, CallGrammar>;
}

const caches = new WeakMap<Notation, Cache>();

function cacheOf(notation: Notation): Cache {
  const known = caches.get(notation);
  if (known) return known;
  const made = { byList: new WeakMap(), byContent: new Map() };
  caches.set(notation, made);
  return made;
}

function build(
  notation: Notation,
  tools: readonly ToolDefinition[],
  { parallel = true, only, output }: GrammarOptions,
): CallGrammar {
  const offered = only === undefined ? tools : tools.filter(tool => only.includes(tool.name));
  const callable = offered.map(tool => argumentsOf(tool, notation));
  const call = rule(
    'call',
    sequence(
      notation.beforeName,
      texts(
        callable.flatMap(({ tool, expression }) => {
          const text = notation.writeName(tool.name);
          return text === undefined ? [] : [{ text, next: sequence(notation.afterName, expression) }];
        }),
      ),
      notation.afterArguments,
    ),
  );
  const { between } = notation;
  const calls = sequence(
    notation.open ?? empty,
    call,
    parallel && between ? repeat(sequence(between, call), 0) : empty,
    notation.close ?? empty,
  );
  const value = output === undefined ? undefined : outputOf(output);
  const root = value === undefined ? calls : choice(calls, value.expression);
  const productive = productiveRules(root);
  if (!matches(calls, productive)) throw nothingToCall(offered, only);
  if (value && !matches(value.expression, productive)) throw nothingFits();
  const impossible = callable.flatMap(({ tool, compiler }) => {
    const unwritable = notation.writeName(tool.name) === undefined ? [''] : [];
    const places = [...compiler.places].filter(([made]) => !productive.has(made));
    return [...new Set([...unwritable, ...places.map(([, node]) => node.pointer)])].map(path => ({
      tool: tool.name,
      path,
    }));
  });
  const walk = () => walkGrammar(root, productive);
  return {
    gbnf: print(root, productive),
    opening:
      walk()
        .forced()
        .flatMap(({ text, marker }) => (marker ? [text] : []))
        .at(0) ?? '',
    walk,
    relaxed: callable.flatMap(one => one.relaxed),
    impossible,
  };
}

function argumentsOf(tool: ToolDefinition, notation: Notation) {
  const relaxed = new Map<string, Relaxed>();
  const schemas = openSchema(tool.inputSchema ?? true, ({ pointer: path }, keyword) => {
    relaxed.set(`${path} ${keyword}`, { tool: tool.name, path, keyword });
  });
  const compiler = createCompiler(tool.name, schemas);
  const { dialect } = notation;
  const expression = compiler.arguments(notation.arguments ?? dialect.members, dialect);
  return { tool, compiler, expression, relaxed: [...relaxed.values()] };
}

function nothingToCall(tools: readonly ToolDefinition[], only?: readonly string[]): RawcallError {
  const names = tools.map(tool => tool.name);
  const why =
    only !== undefined && names.length === 0
      ? `There is no tool ${only.map(name => `"${name}"`).join(' or ')} to write a grammar for.`
      : names.length === 0
        ? 'There are no tools to write a grammar for.'
        : `No arguments fit the schema of ${names.join(', ')}, so a grammar would allow no call.`;
  return new RawcallError('nothing_to_call', `${why} Offer other tools, or none and no grammar.`, {
    tools: names,
  });
}
