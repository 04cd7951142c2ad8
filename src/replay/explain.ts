/** A difference for people: where it is, what was, and what is now. */
import type { createColors } from 'picocolors';
import type { Prompt } from '../../templates/template.ts';
import { jsonLine } from '../json.ts';
import { type Difference, words } from './difference.ts';
import { lineDiff } from './line-diff.ts';

export type Colors = ReturnType<typeof createColors>;

export function explain(difference: Difference, colors: Colors): string {
  const { recorded, now, texts, completion } = difference;
  if (recorded?.type === 'turn-start' && now?.type === 'turn-start')
    return explainPrompt(recorded.prompt, now.prompt, recorded.purpose, colors);
  const raw = completion && isReading(difference) ? rawText(completion, colors) : '';
  const before = [...(texts?.recorded ?? []), ...read(recorded, texts)].join('\n');
  const after = [...(texts?.now ?? []), ...read(now, texts)].join('\n');
  return `${title(difference)}\n${lineDiff(before, after, colors)}${raw}`;
}

const readings: ReadonlySet<string> = new Set([
  ...['call-start', 'call-end', 'call-failed', 'repaired', 'text-delta', 'reasoning-delta'],
]);

function isReading({ recorded, now, texts }: Difference): boolean {
  return texts !== undefined || [recorded, now].some(event => event && readings.has(event.type));
}

function title(difference: Difference): string {
  const { recorded, now, texts } = difference;
  if (texts) return 'The completion is read differently:';
  if (!recorded) return 'Nothing more was recorded, and the run goes on:';
  if (!now) return 'The run has ended, and more was recorded:';
  if (now.type === 'run-failed') return 'The run fails:';
  if (isReading(difference)) return 'The completion is read differently:';
  if (recorded.type === 'tool-start' && now.type === 'tool-start') return 'Another call is run:';
  if (recorded.type === 'tool-end' && now.type === 'tool-end')
    return `The result of ${now.call.name} is another one:`;
  if (recorded.type === 'completion-end' && now.type === 'completion-end')
    return 'The model writes something else:';
  if (recorded.type === 'run-end' && now.type === 'run-end') return 'The run ends differently:';
  return 'Something else happens:';
}

/** Where texts differ, what stands behind them is told only if it was read too. */
function read(event: Difference['recorded'] | Difference['now'], texts: Difference['texts']): string[] {
  return event && (!texts || readings.has(event.type)) ? [told(event)] : [];
}

function told(event: Difference['recorded'] | Difference['now']): string {
  if (!event) return '';
  switch (event.type) {
    case 'call-start':
      return `call of ${event.name}`;
    case 'call-end':
    case 'tool-start':
      return `${event.type}: ${event.call.name} ${event.call.argumentsText}`;
    case 'call-failed':
      return `call-failed, ${event.problem}: ${event.message}`;
    case 'tool-end':
      return `${event.result.isError ? 'error' : 'result'} (${event.source}) of ${event.call.name}:\n${event.result.content}`;
    case 'completion-end':
      return event.pieces.map(({ text, control }) => (control ? `⟦${text}⟧` : text)).join('');
    case 'turn-start':
      return `turn-start: a ${event.purpose} turn`;
    case 'run-end':
      return `${event.reason}, ${event.turns} turns, ${event.toolRuns} tools run\n${event.answer}`;
    default: {
      const { at: _, line: __, ...own } = { at: 0, line: 0, ...event };
      return jsonLine(own);
    }
  }
}

function explainPrompt(recorded: Prompt, now: Prompt, purpose: string, colors: Colors): string {
  const [before, after] = [words(recorded), words(now)];
  const at = before.findIndex((piece, index) => JSON.stringify(piece) !== JSON.stringify(after[index]));
  const place = at === -1 ? before.length : at;
  const piece = after[place] ?? before[place];
  const what = !piece ? '' : 'control' in piece ? ', a control token' : `, ${origins[piece.origin]}`;
  return `The prompt of the ${purpose} turn is another one, from its piece ${place + 1} of ${after.length}${what}:\n${lineDiff(marked(before), marked(after), colors)}`;
}

const origins = {
  template: 'a text of the template',
  system: 'the system text',
  tools: 'the text of the tools',
  user: 'a text of the user',
  assistant: 'a text of the model',
  tool: 'a result',
} as const;

function marked(prompt: Prompt): string {
  return prompt.map(piece => ('control' in piece ? `⟦${piece.control}⟧` : piece.text)).join('');
}

const longestRaw = 600;

function rawText(pieces: NonNullable<Difference['completion']>, colors: Colors): string {
  const text = pieces.map(({ text, control }) => (control ? `⟦${text}⟧` : text)).join('');
  const shown = text.length > longestRaw ? `${text.slice(0, longestRaw).toWellFormed()}…` : text;
  return `\n${colors.dim('The completion:')}\n${shown}`;
}
