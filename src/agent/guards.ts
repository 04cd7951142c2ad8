/** What is noticed of a model that goes astray, beside what the loop itself sees. */
import { escapeRegExp } from '../../parsers/alternatives.ts';
import type { ToolDefinition } from '../../parsers/parser.ts';
import type { TurnEvent, TurnResult } from '../model/model.ts';
import type { AgentEvent } from './events.ts';
import { repetitionWatch } from './repetition.ts';

export interface Limits {
  readonly turnSeconds?: number;
  readonly runSeconds?: number;
  /** Tokens that all turns of a run may generate together. */
  readonly runTokens?: number;
}

/** Which limit a time is of, so that whoever stands in for the clock knows. */
export type Timeout = (milliseconds: number, of: 'turn' | 'run') => AbortSignal;

/** One turn under its limits. */
export interface LimitedTurn {
  /** Aborts when the user does, when time is up, and when the turn only repeats itself. */
  readonly signal: AbortSignal;
  tokens(wanted: number): number;
  generated(tokens: number): void;
  stop(): void;
}

export interface RunLimits {
  /** Which limit of the run was reached, in words. */
  readonly reached: string | undefined;
  /** Aborts when the user does and when the run's time is up. */
  readonly signal: AbortSignal;
  turn(): LimitedTurn;
}

export function runLimits(
  { turnSeconds, runSeconds, runTokens }: Limits,
  user: AbortSignal | undefined,
  timeout: Timeout = milliseconds => AbortSignal.timeout(milliseconds),
): RunLimits {
  const deadline = runSeconds === undefined ? undefined : timeout(runSeconds * 1000, 'run');
  const signal = AbortSignal.any([user, deadline].filter(one => one !== undefined));
  let spent = 0;
  let late: AbortSignal | undefined;
  return {
    get reached() {
      if (deadline?.aborted) return `The run took ${runSeconds} s, which is its limit.`;
      if (late?.aborted) return `The turn took ${turnSeconds} s, which is its limit.`;
      if (runTokens !== undefined && spent >= runTokens)
        return `The run generated ${spent} tokens; its limit is ${runTokens}.`;
      return undefined;
    },
    signal,
    turn() {
      const stopped = new AbortController();
      late = turnSeconds === undefined ? undefined : timeout(turnSeconds * 1000, 'turn');
      const signals = [signal, late, stopped.signal].filter(one => one !== undefined);
      return {
        signal: AbortSignal.any(signals),
        tokens: wanted => Math.max(1, Math.min(wanted, (runTokens ?? Number.POSITIVE_INFINITY) - spent)),
        generated(tokens) {
          spent += tokens;
        },
        stop: () => stopped.abort(),
      };
    },
  };
}

/** Passes a turn's events on and stops it where its output only repeats itself. */
export async function* watched(
  events: AsyncGenerator<TurnEvent, TurnResult>,
  turn: LimitedTurn,
): AsyncGenerator<AgentEvent, TurnResult & { readonly repeats?: boolean }> {
  const watch = repetitionWatch();
  let repeats = false;
  try {
    for (;;) {
      const step = await events.next();
      if (step.done) return repeats ? { ...step.value, repeats } : step.value;
      const event = step.value;
      yield event;
      if (event.type === 'usage') turn.generated(event.generated);
      const text = 'text' in event ? event.text : event.type === 'call-delta' ? event.argumentsText : '';
      if (repeats || text === '' || !watch.push(text)) continue;
      repeats = true;
      turn.stop();
      yield { type: 'guard', guard: 'repetition', message: 'The turn repeated itself and was stopped.' };
    }
  } finally {
    // Where nobody wants the rest of a run, the generation ends with it.
    await events.return(undefined as never);
  }
}

/** What a model that announced a call is told. */
export const callNow = 'Make the call now, or answer without it.';

const announcements =
  /\b(?:I(?:['’]ll| will| am going to|['’]m going to| need to| should| am calling)|let me|let['’]s|(?:I['’]m )?calling)\b/i;

/**
 * Whether a short text only says that a tool will be called: it names one that is on offer, in a sentence about the future
 * or as code. English alone is understood; in other languages nothing is noticed.
 */
export function announcesCall(content: string, tools: readonly ToolDefinition[]): boolean {
  if (content.length > 400 || content.endsWith('?') || !announcements.test(content)) return false;
  return tools.some(({ name }) => {
    return new RegExp(`(?<![\\w.-])${escapeRegExp(name)}(?![\\w-])`).test(content);
  });
}

export const callForAnswer = 'The turn wrote a call where its words were due.';

/**
 * Whether a text begins as a call of a tool that is there, bare or in a code fence: where no tool is on offer it is read as words,
 * and small models write it all the same.
 */
export function isCall(content: string, tools: readonly ToolDefinition[]): boolean {
  return isNamed(tools, writtenCall(content));
}

/** The tool that a text names which is nothing but a call, if that tool isn't on offer. */
export function strangeCall(content: string, tools: readonly ToolDefinition[]): string | undefined {
  const name = writtenCall(content);
  return tools.length === 0 || isNamed(tools, name) ? undefined : name;
}

/** What a model is told that called a tool which isn't there. */
export const noSuchTool = (name: string, tools: readonly ToolDefinition[]): string =>
  `There is no tool "${name}". The tools are: ${tools.map(tool => tool.name).join(', ')}. ${callNow}`;

/**
 * The tools whose names have most words in common with a name that is none: what was meant. Without one nothing was meant that is
 * there, and a model that is made to call something sends a message.
 */
export function likeNamed(name: string, tools: readonly ToolDefinition[]): string[] {
  const meant = new Set(wordsOf(name));
  const shared = tools.map(tool => wordsOf(tool.name).filter(word => meant.has(word)).length);
  const most = Math.max(...shared);
  return most === 0 ? [] : tools.flatMap((tool, index) => (shared[index] === most ? [tool.name] : []));
}

/** Of `getContact` and of `get_contact`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const call = /^(?:```\w*\s*)?\[?\s*\{\s*"name"\s*:\s*"([^"]+)"\s*,\s*"(?:arguments|parameters)"\s*:/;
const writtenCall = (content: string): string | undefined => call.exec(content.trim())?.[1];
const isNamed = (tools: readonly ToolDefinition[], name: string | undefined): boolean =>
  tools.some(tool => tool.name === name);
