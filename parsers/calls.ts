/** The calls of one completion: each is opened, named, filled and ended, and says so in events. */
import { anything, type Guide, schemaGuide } from './guide.ts';
import type { JsonObject, ParseEvent, Problem, ReadingContext, Span, ToolDefinition } from './parser.ts';
import type { Repair } from './repairs.ts';
import { QuotingStore } from './text-store.ts';
import { invalidArguments } from './validate.ts';

export interface Calls {
  /** How many calls were begun, failed ones included. */
  readonly count: number;
  /** The tool of that name, or of one that is the same but for its punctuation. Undefined where there is none; `any` says whether every name will do. */
  tool(name: string): ToolDefinition | undefined;
  readonly any: boolean;
  readonly none: boolean;
  /** Whether a call of this name may be one at all. */
  known(name: string): boolean;
  open(start: number): Call;
  /** Forgets the newest call: it was none. */
  drop(): void;
  problem(problem: Problem, raw: string, span: Span, message: string): void;
  repaired(repair: Repair, span: Span): void;
  /** Keeps events back until it is known whether they are to be. What is held within is given to what is held around it. */
  hold(): Hold;
  readonly holding: boolean;
}

export interface Hold {
  /** Neither was done yet. */
  readonly open: boolean;
  commit(): void;
  /** Forgets what was kept back, as if it had never been read. */
  abandon(): void;
}

export interface Call {
  readonly name: string | undefined;
  readonly failed: boolean;
  readonly guide: Guide;
  readonly start: number;
  /** Whether the completion ended inside it. */
  cut: boolean;
  /** How many brackets were open where it failed. */
  openBrackets: number;
  /** `writtenId`: the id that the model wrote. It is the call's own, unless another call of the reply has it. */
  named(name: string, writtenId?: string): void;
  /** The id that the model wrote, where it may come too late to be the call's own. */
  identified(writtenId: string): void;
  /** `at` is where this very text stands in the completion, if it does. */
  add(argumentsText: string, at?: number): void;
  repaired(repair: Repair): void;
  needed(repair: Repair): boolean;
  fail(problem: Problem, message: string): void;
  /** What seemed cut was broken before: the block that it stands in was closed. */
  broken(): void;
  /** Ends it, well or not. `raw` is asked for only where it failed. */
  end(end: number, raw: () => string): void;
}

export function createCalls(context: ReadingContext, emit: (event: ParseEvent) => void): Calls {
  const { tools, callId = index => `call_${index + 1}` } = context;
  const byName = tools && new Map(tools.map(tool => [tool.name, tool]));
  /** By their names without punctuation; undefined where that is the name of several. */
  let alike: Map<string, ToolDefinition | undefined> | undefined;
  const find = (name: string) => byName?.get(name) ?? byPunctuation(name);
  /** The ids of the calls by their index, and all of them. */
  const ids: string[] = [];
  const taken = new Set<string>();
  let held: ParseEvent[] | undefined;

  const send = (event: ParseEvent) => {
    if (held) held.push(event);
    else emit(event);
  };
  // Plain members that are written to: an object with getters of its own would cost a hidden class each time.
  const calls: Calls & { count: number; holding: boolean } = {
    count: 0,
    holding: false,
    any: tools === undefined,
    none: tools?.length === 0,
    tool: find,
    known: name => byName === undefined || find(name) !== undefined,
    open: start => openCall(start),
    drop: () => forget(calls.count - 1),
    problem: (problem, raw, span, message) =>
      send({ type: 'call-failed', index: -1, id: '', problem, raw, span, message }),
    repaired: (repair, span) => send({ type: 'repaired', index: -1, repair, span }),
    hold,
  };
  return calls;

  /** `math.add` where `math_add` is offered: models were trained on such names, which many programs rewrite. */
  function byPunctuation(name: string): ToolDefinition | undefined {
    if (!alike) {
      alike = new Map();
      for (const tool of tools ?? []) {
        const plain = unpunctuated(tool.name);
        alike.set(plain, alike.has(plain) ? undefined : tool);
      }
    }
    return alike.get(unpunctuated(name));
  }

  function hold(): Hold {
    const around = held;
    const own: ParseEvent[] = [];
    const from = calls.count;
    const close = () => {
      one.open = false;
      held = around;
      calls.holding = around !== undefined;
    };
    const one = {
      open: true,
      commit() {
        if (!one.open) return;
        close();
        own.forEach(send);
      },
      abandon() {
        if (!one.open) return;
        close();
        forget(from);
      },
    };
    held = own;
    calls.holding = true;
    return one;
  }

  function forget(from: number): void {
    calls.count = from;
    for (const id of ids.splice(from)) taken.delete(id);
  }

  function take(id: string, index: number): string {
    ids[index] = id;
    taken.add(id);
    return id;
  }

  function openCall(start: number): Call {
    const index = calls.count++;
    const repairs = new Set<Repair>();
    let id = '';
    let written: string | undefined;
    const store = new QuotingStore();
    let failure: { problem: Problem; message: string } | undefined;

    const call: Call & { name: string | undefined; failed: boolean; guide: Guide } = {
      start,
      cut: false,
      openBrackets: 0,
      name: undefined,
      failed: false,
      guide: anything,
      named(given, writtenId) {
        const tool = find(given);
        const name = tool?.name ?? given;
        if (name !== given) call.repaired('tool-name');
        call.name = name;
        call.guide = schemaGuide(tool?.inputSchema);
        written ??= writtenId;
        identify();
        if (!tool && !calls.any) {
          const offered = [...(byName?.keys() ?? [])];
          const list =
            offered.length === 0 ? 'No tools are offered now.' : `The tools are: ${offered.join(', ')}.`;
          call.fail('unknown_tool', `There is no tool named ${name.slice(0, 100)}. ${list}`);
        } else send({ type: 'call-start', index, id, name });
      },
      identified(writtenId) {
        written ??= writtenId;
      },
      add(argumentsText, at) {
        if (failure || argumentsText === '') return;
        if (at === undefined) store.add(argumentsText);
        else store.addQuote(at, argumentsText.length);
        send({ type: 'call-delta', index, argumentsText });
      },
      repaired: repair => void repairs.add(repair),
      needed: repair => repairs.has(repair),
      fail(problem, message) {
        failure ??= { problem, message };
        call.failed = true;
      },
      broken() {
        call.cut = false;
        call.openBrackets = 1;
        failure = {
          problem: 'bad_json',
          message: 'The call is broken: a string or a bracket in it was never closed.',
        };
        call.failed = true;
      },
      end(end, raw) {
        const { name } = call;
        if (store.empty) call.add('{}');
        const text = failure ? '' : store.text(raw, start);
        const span = { start: Math.max(0, start), end: Math.max(0, end) };
        const args = failure ? undefined : checked(text);
        // What was mended on the way to a text that could not be read after all is no news.
        const unread = failure && !['bad_arguments', 'unknown_tool'].includes(failure.problem);
        for (const repair of unread ? [] : repairs) send({ type: 'repaired', index, repair, span });
        if (args && name !== undefined) {
          send({
            type: 'call-end',
            index,
            call: { id, ...writtenId(), name, arguments: args, argumentsText: text },
            span,
          });
          return;
        }
        const { problem, message } = failure ?? missingName;
        if (id === '') identify();
        send({
          type: 'call-failed',
          index,
          id,
          ...writtenId(),
          problem,
          ...(name === undefined ? {} : { name }),
          raw: raw(),
          span,
          message,
        });
      },
    };
    return call;

    function identify(): void {
      let free = written || callId(index, call.name ?? '');
      if (taken.has(free)) free = callId(index, call.name ?? '');
      while (taken.has(free)) free += '_';
      id = take(free, index);
    }

    function writtenId() {
      return written === undefined ? undefined : { writtenId: written };
    }

    function checked(text: string): JsonObject | undefined {
      const { name } = call;
      if (name === undefined) {
        failure = missingName;
        return undefined;
      }
      const value = JSON.parse(text) as JsonObject;
      const tool = calls.tool(name);
      const wrong = tool && invalidArguments(tool, value);
      if (wrong !== undefined)
        failure = { problem: 'bad_arguments', message: `The arguments of ${name} do not fit: ${wrong}.` };
      return failure ? undefined : value;
    }
  }
}

const unpunctuated = (name: string) => name.replace(/[^\p{L}\p{N}]+/gu, '_');

const missingName = {
  problem: 'missing_name',
  message: 'The call does not say which tool it is for.',
} as const;
