/** A completion, read as several formats read it, step by step through its pieces. */
import type { ParseEvent, Piece } from '../../../parsers/parser.ts';
import { createCollector } from '../../../parsers/read.ts';
import { parseTools } from '../../../templates/messages.ts';
import { cut, joined } from '../../check/splits.ts';
import type { Format } from '../../format.ts';
import { jsonLine } from '../../json.ts';
import { piecesOf, startReading } from '../../read-completion.ts';
import { badRequest } from '../../server/api-error.ts';
import { prefillOf } from '../../transcript/extract-cases.ts';
import type { LabParse, LabParsed, LabReading, LabStep } from './lab-protocol.ts';

/** They take two seconds of a processor that dialogues wait for, and a page still draws them at once. */
const mostSteps = 300_000;

/**
 * @param vocabulary the control tokens of the model that is open, where they are known
 * @throws RawcallError `api_error` (400), `bad_tools`
 */
export function labParse(
  given: LabParse,
  formats: readonly Format[],
  vocabulary: ReadonlySet<string> | undefined,
): LabParsed {
  const controlTokens = controlTokensOf(given, formats, vocabulary);
  const completion = piecesOf(given.completion);
  const marked =
    given.controlTokens === 'formats' && controlTokens
      ? withControlTokens(completion, controlTokens)
      : completion;
  const pieces = cutAs(marked, given.cuts);
  if (pieces.length * formats.length > mostSteps)
    badRequest(
      `${pieces.length} pieces read as ${formats.length} formats are too many steps: at most ${mostSteps} are gone through. Choose fewer formats, or cut less.`,
      'cuts',
    );
  const options = {
    ...(given.tools === undefined ? {} : { tools: parseTools(given.tools) }),
    ...(controlTokens ? { controlTokens } : {}),
  };
  const groups = new Map<string, { readonly formats: string[]; readonly steps: readonly LabStep[] }>();
  for (const format of formats) {
    const steps = stepsOf(
      pieces,
      given.stop ?? 'stop',
      startReading({ ...options, format, prefill: prefillIn(given, format) }),
    );
    const key = jsonLine(steps);
    const group = groups.get(key);
    if (group) group.formats.push(format.name);
    else groups.set(key, { formats: [format.name], steps });
  }
  return { pieces, readings: [...groups.values()].sort((left, right) => rank(left) - rank(right)) };
}

function prefillIn({ prefill, promptEnd = '' }: LabParse, { template }: Format): string {
  return prefill ?? prefillOf(promptEnd, template);
}

function controlTokensOf(
  { controlTokens }: LabParse,
  formats: readonly Format[],
  vocabulary: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  if (controlTokens === 'model') return vocabulary;
  if (controlTokens !== 'formats') return controlTokens && new Set(controlTokens);
  return new Set(formats.flatMap(({ template }) => [...template.controlTokens, ...template.stops]));
}

/** As a vocabulary that has all of them would have written it; the longest of those that begin in one place. */
function withControlTokens(completion: readonly Piece[], tokens: ReadonlySet<string>): readonly Piece[] {
  const longest = [...tokens].filter(token => token !== '').sort((left, right) => right.length - left.length);
  if (longest.length === 0) return completion;
  const pattern = new RegExp(
    `(${longest.map(token => token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`,
  );
  return completion.flatMap(piece => {
    if (piece.control) return [piece];
    const parts = piece.text.split(pattern);
    return parts.flatMap((text, at) =>
      text === '' ? [] : [at % 2 === 1 ? { text, control: true } : { text }],
    );
  });
}

function cutAs(pieces: readonly Piece[], cuts: LabParse['cuts']): readonly Piece[] {
  if (cuts === 'pieces') return pieces;
  const whole = joined(pieces);
  return cuts === 'whole' ? whole : cut(whole, placesOf(whole, cuts));
}

/** A place in the middle of a character of two units would show two halves of it, so those are no places. */
function placesOf(pieces: readonly Piece[], cuts: 'characters' | readonly number[]): readonly number[] {
  const between: number[] = [];
  let end = 0;
  for (const character of pieces.map(({ text }) => text).join('')) {
    end += character.length;
    between.push(end);
  }
  if (cuts === 'characters') return between;
  const allowed = new Set(between);
  return [...new Set(cuts)].filter(place => allowed.has(place)).sort((left, right) => left - right);
}

function stepsOf(
  pieces: readonly Piece[],
  stop: NonNullable<LabParse['stop']>,
  reading: ReturnType<typeof startReading>,
): LabStep[] {
  const steps: LabStep[] = [];
  const add = (piece: number, events: readonly ParseEvent[]) => {
    if (events.length > 0) steps.push({ piece, events });
  };
  for (const [index, piece] of pieces.entries()) add(index, reading.push(piece));
  add(pieces.length, reading.end(stop));
  return steps;
}

function rank({ steps }: Pick<LabReading, 'steps'>): number {
  const collector = createCollector();
  for (const { events } of steps) collector.add(events);
  const { ended, problems, repaired } = collector.collected;
  return (ended.length === 0 ? 1000 : 0) + 10 * problems.length + repaired.length;
}
