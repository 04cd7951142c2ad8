/** What a reader has told up to a step: texts and calls as far as they are known there. */
import type { ParseEvent, Problem, Repair } from '../../../../parsers/parser.ts';

export interface ReadCall {
  readonly name: string;
  readonly argumentsText: string;
  readonly state: 'open' | 'whole' | 'failed';
}

export interface ReadProblem {
  readonly problem: Problem;
  readonly message: string;
}

export interface ReadSoFar {
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly ReadCall[];
  readonly problems: readonly ReadProblem[];
  /** Each once. */
  readonly repairs: readonly Repair[];
}

export function readSoFar(events: readonly ParseEvent[]): ReadSoFar {
  const texts: Record<'text-delta' | 'reasoning-delta', string[]> = {
    'text-delta': [],
    'reasoning-delta': [],
  };
  const calls = new Map<number, { name: string; parts: string[]; state: ReadCall['state'] }>();
  const problems: ReadProblem[] = [];
  const repairs = new Set<Repair>();
  for (const event of events) {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        texts[event.type].push(event.text);
        break;
      case 'call-start':
        calls.set(event.index, { name: event.name, parts: [], state: 'open' });
        break;
      case 'call-delta':
        calls.get(event.index)?.parts.push(event.argumentsText);
        break;
      case 'call-end': {
        const { name, argumentsText } = event.call;
        calls.set(event.index, { name, parts: [argumentsText], state: 'whole' });
        break;
      }
      case 'call-failed': {
        const begun = calls.get(event.index);
        if (begun) begun.state = 'failed';
        problems.push({ problem: event.problem, message: event.message });
        break;
      }
      case 'repaired':
        repairs.add(event.repair);
    }
  }
  return {
    content: texts['text-delta'].join(''),
    reasoning: texts['reasoning-delta'].join(''),
    calls: [...calls.values()].map(({ name, parts, state }) => ({
      name,
      argumentsText: parts.join(''),
      state,
    })),
    problems,
    repairs: [...repairs],
  };
}

/** What a piece led to, in a few words; deltas of a text that follow each other are one. */
export function eventWords(events: readonly ParseEvent[]): readonly string[] {
  const words: { readonly type: string; text: string }[] = [];
  for (const event of events) {
    const last = words.at(-1);
    if ('text' in event && last?.type === event.type) last.text += event.text;
    else words.push({ type: event.type, text: 'text' in event ? event.text : wordsOf(event) });
  }
  return words.map(({ type, text }) => {
    if (type === 'text-delta') return `text ${JSON.stringify(text)}`;
    return type === 'reasoning-delta' ? `thought ${JSON.stringify(text)}` : text;
  });
}

function wordsOf(event: Exclude<ParseEvent, { readonly type: 'text-delta' | 'reasoning-delta' }>): string {
  switch (event.type) {
    case 'call-start':
      return `a call of ${event.name} begins`;
    case 'call-delta':
      return `arguments ${event.argumentsText}`;
    case 'call-end':
      return `the call of ${event.call.name} is whole`;
    case 'call-failed':
      return `problem ${event.problem}`;
    case 'repaired':
      return `repair ${event.repair}`;
  }
}
