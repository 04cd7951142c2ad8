/** Makes a parser of a syntax: pieces go in, the scanner walks on as far as it can, events come out. */
import { alternatives } from './alternatives.ts';
import { createCalls } from './calls.ts';
import { callGrammar, type Notation } from './gbnf/call-grammar.ts';
import { createInput, type Input } from './input.ts';
import type { ParseEvent, Parser, Reading, ReadingContext } from './parser.ts';
import { createProse } from './prose.ts';
import { scan } from './scanner.ts';
import type { Direct, Session, Syntax } from './session.ts';

/** The `notation` says how calls are written to a grammar; without one the parser has none. */
export function createParser(syntax: Syntax, write: Parser['write'], notation?: Notation): Parser {
  return {
    name: syntax.name,
    write,
    start: (context = {}) => startReading(syntax, context),
    ...(notation ? { grammar: (tools, options) => callGrammar(notation, tools, options) } : {}),
  };
}

/** A reading that counts its work: the characters that it looked at, those that it had to look at again included. */
export interface CountedReading extends Reading {
  readonly visited: number;
}

function startReading(syntax: Syntax, context: ReadingContext): CountedReading {
  const { prefill = '', controlTokens } = context;
  let events: ParseEvent[] | undefined;
  // Most pieces give one event, and an array of one is a small thing where a pushed one is not.
  const emit = (event: ParseEvent) => {
    if (events === undefined) events = [event];
    else events.push(event);
  };
  const input = createInput(controlTokens, prefill.length);
  const session: Session = {
    syntax,
    context,
    stops: context.stops ?? syntax.stops,
    input,
    calls: createCalls(context, emit),
    prose: createProse(text => emit({ type: 'text-delta', text })),
    thoughts: createProse(text => emit({ type: 'reasoning-delta', text })),
    reason: undefined,
    direct: undefined,
    everyCall: undefined,
    retries: 8,
  };
  const steps = scan(session);
  steps.next();
  for (const piece of prefillPieces(prefill, controlTokens)) {
    input.push(piece.text, piece.control);
    steps.next();
  }

  const reading: CountedReading & { visited: number } = {
    // A plain member: an object with a getter of its own would cost a hidden class each time.
    visited: input.visited,
    push({ text, control = false }) {
      events = undefined;
      if (text === '' || session.reason) return [];
      const { direct } = session;
      // The common piece, one more bit of a long argument, goes the shortest way.
      if (direct && !control && input.fits(text)) {
        const json = direct.reader.pass(text);
        if (json !== undefined) {
          input.pass(text);
          reading.visited = input.visited;
          giveOut(direct, json, input);
          return events ?? [];
        }
      }
      input.push(text, control);
      reading.visited = input.visited;
      if (direct) {
        input.at = direct.reader.feed(input.text, 0);
        if (direct.reader.state === 'open') {
          giveOut(direct, direct.reader.take(), input);
          return events ?? [];
        }
      }
      steps.next();
      reading.visited = input.visited;
      return events ?? [];
    },
    end(reason) {
      events = undefined;
      if (session.reason) return [];
      session.reason = reason;
      input.end();
      steps.next();
      reading.visited = input.visited;
      return events ?? [];
    },
  };
  return reading;
}

/** Gives out what is decided of the text in hand and of what was pending before it. */
function giveOut(direct: Direct, json: string, { text, base }: Input): void {
  if (json === text && direct.pending === '') {
    direct.add(json, base);
    return;
  }
  const read = direct.pending + text;
  const asWritten = read.startsWith(json);
  direct.add(json, asWritten ? base - direct.pending.length : undefined);
  direct.pending = asWritten && read.length - json.length < 8 ? read.slice(json.length) : '';
}

/** The prompt's own markers were control tokens, whatever shape they come in. */
function prefillPieces(prefill: string, controlTokens: ReadonlySet<string> = new Set()) {
  // Most readings have none, and a vocabulary may have thousands of tokens.
  if (prefill === '') return [];
  return prefill
    .split(new RegExp(`(${alternatives([...controlTokens])})`))
    .filter(text => text !== '')
    .map(text => ({ text, control: controlTokens.has(text) }));
}
