/** A transcript as steps to go through: questions, turns, calls, and what else became of a run. */
import type { ParseEvent, Piece, StopReason, ToolCall } from '../../../../parsers/parser.ts';
import { isParseEvent } from '../../../../parsers/read.ts';
import type { Prompt } from '../../../../templates/template.ts';
import type { Usage } from '../../../engine/engine.ts';
import type { TurnPurpose } from '../../../model/model.ts';
import { eventUnpacker } from '../../../transcript/continued.ts';
import type { RecordedEvent, Timed } from '../../../transcript/transcript.ts';
import type { RecordedRuns } from '../../runs/runs-protocol.ts';

export interface TurnStep extends Placed {
  readonly kind: 'turn';
  /** Of the transcript's, from 1. */
  readonly number: number;
  readonly purpose: TurnPurpose;
  readonly prompt: Prompt;
  readonly tokens?: number;
  /** What was read. */
  readonly events: readonly ParseEvent[];
  /** What there is of it, and no usage, where the turn failed or the recording ends in it. */
  readonly completion?: { readonly pieces: readonly Piece[]; readonly reason: StopReason };
  readonly usage: readonly Usage[];
}

export interface CallStep extends Placed {
  readonly kind: 'call';
  readonly call: ToolCall;
  /** As the model got to read it; absent where there is none. */
  readonly result?: { readonly content: string; readonly isError: boolean };
  readonly source?: string;
  /** All of a result that was cut. */
  readonly whole?: string;
  /** Whether it was allowed, and by whom or why not; absent where nobody was asked. */
  readonly approval?: string;
}

export type Step =
  | TurnStep
  | CallStep
  | (Placed & { readonly kind: 'question'; readonly text: string })
  | (Placed & { readonly kind: 'answer'; readonly text: string; readonly reason: string })
  | (Placed & { readonly kind: 'note'; readonly text: string; readonly bad: boolean });

interface Placed {
  /** Of the file. */
  readonly line: number;
  /** In milliseconds from the start of the recording. */
  readonly at: number;
}

type Open<Fields> = { -readonly [Key in keyof Fields]: Fields[Key] };

export function stepsOf({ entries }: Pick<RecordedRuns, 'entries'>): readonly Step[] {
  const unpack = eventUnpacker();
  const steps: Step[] = [];
  let turns = 0;
  let turn: (Open<TurnStep> & { events: ParseEvent[]; usage: Usage[] }) | undefined;
  const calls = new Map<string, Open<CallStep>>();

  for (const { line, ...entry } of entries) {
    const event = unpack(entry);
    if (!event) continue;
    const placed = { line, at: event.at };
    if (isParseEvent(event)) turn?.events.push(event);
    else if (event.type === 'turn-start') {
      const { purpose, prompt, tokens } = event;
      const size = tokens === undefined ? {} : { tokens };
      turn = { ...placed, kind: 'turn', number: ++turns, purpose, prompt, ...size, events: [], usage: [] };
      steps.push(turn);
    } else if (event.type === 'completion-end') {
      if (turn) turn.completion = { pieces: event.pieces, reason: event.reason };
    } else if (event.type === 'completion-delta') {
      if (turn) turn.completion = { pieces: event.pieces, reason: 'aborted' };
    } else if (event.type === 'usage') turn?.usage.push(event);
    else if (event.type === 'approval-end' || event.type === 'tool-start' || event.type === 'tool-end')
      callOf(event.call, placed, event);
    else {
      const other = otherStep(event);
      if (other) steps.push({ ...placed, ...other });
    }
  }
  return steps;

  function callOf(call: ToolCall, placed: Placed, event: CallEvent): void {
    let step = calls.get(call.id);
    // Some models give the same id to each of their calls.
    if (!step || step.result) {
      step = { ...placed, kind: 'call', call };
      calls.set(call.id, step);
      steps.push(step);
    }
    if (event.type === 'approval-end') step.approval = approvalWords(event);
    if (event.type !== 'tool-end') return;
    step.result = event.result;
    step.source = event.source;
    if (event.whole !== undefined) step.whole = event.whole;
  }
}

type EventOf<Type extends RecordedEvent['type']> = Extract<RecordedEvent, { type: Type }>;
type CallEvent = EventOf<'approval-end' | 'tool-start' | 'tool-end'>;

function approvalWords(answer: EventOf<'approval-end'>): string {
  if (answer.allowed) return 'It was allowed.';
  return answer.unasked
    ? 'It was refused, because nobody could be asked.'
    : `It was refused: ${answer.reason}`;
}

type Other = Extract<Step, { kind: 'question' | 'answer' | 'note' }>;
type OtherStep = Other extends infer One ? (One extends Other ? Omit<One, keyof Placed> : never) : never;

/** Nothing of what is told to the loop alone, such as counts of tokens. */
function otherStep(event: RecordedEvent & Timed): OtherStep | undefined {
  switch (event.type) {
    case 'run-start':
      return { kind: 'question', text: event.question };
    case 'run-end':
      return { kind: 'answer', text: event.answer, reason: event.reason };
    case 'guard':
      return { kind: 'note', text: event.message, bad: true };
    case 'history-trimmed':
      return note(`${event.messages} messages of earlier exchanges did not fit and were left out.`);
    case 'tools-changed':
      return note('Other tools are on offer from here on.');
    case 'call-extended':
      return note(`A call was not whole: it may take ${event.tokens} tokens more.`);
    case 'abort':
      return note(event.by === 'user' ? 'The user stopped it.' : `The ${event.by.replace('-', ' ')} is up.`);
    case 'turn-failed':
    case 'run-failed':
      return { kind: 'note', text: `${event.code}: ${event.message}`, bad: true };
    case 'reset':
      return note('The dialogue begins anew.');
    default:
      return undefined;
  }
}

function note(text: string): OtherStep {
  return { kind: 'note', text, bad: false };
}

/** What a list says of a step. */
export function stepWords(step: Step): { readonly title: string; readonly about: string } {
  switch (step.kind) {
    case 'question':
      return { title: 'Question', about: step.text };
    case 'turn': {
      const generated = step.usage.reduce((sum, { generated }) => sum + generated, 0);
      const size = step.tokens === undefined ? '' : `, ${step.tokens.toLocaleString('en')} tokens`;
      const about = step.usage.length > 0 ? `${generated.toLocaleString('en')} generated` : 'not whole';
      return { title: `Turn ${step.number}, ${step.purpose}`, about: `${about}${size}` };
    }
    case 'call': {
      const result = step.result?.content ?? 'no result';
      return { title: step.call.name, about: `${step.call.argumentsText} → ${result}` };
    }
    case 'answer':
      return {
        title: step.reason === 'answered' ? 'Answer' : `End: ${step.reason.replace('_', ' ')}`,
        about: step.text,
      };
    case 'note':
      return { title: 'Note', about: step.text };
  }
}
