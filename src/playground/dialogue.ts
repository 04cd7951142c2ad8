/** One dialogue: its runs, one at a time, on whatever model their knobs name, each told to the log as it goes. */
import { RawcallError } from '../../parsers/error.ts';
import type { Piece } from '../../parsers/parser.ts';
import type { Agent } from '../agent/agent.ts';
import { type ApprovalRules, approval } from '../agent/approval.ts';
import type { AgentEvent, RunResult } from '../agent/events.ts';
import { samplingApproval } from '../agent/sampling-approval.ts';
import { samplingReported } from '../agent/sampling-events.ts';
import { badRequest, refuse } from '../server/api-error.ts';
import { openAsks } from './asks.ts';
import type { Caller, Callers } from './callers.ts';
import type { Desk, Place } from './desk.ts';
import type { DialogueLog } from './dialogue-log.ts';
import { type Growing, growing } from './growing.ts';
import type { DialogueSummary, Knobs, PlayEvent } from './protocol.ts';
import { playUser } from './user.ts';

export interface DialogueOptions {
  readonly log: DialogueLog;
  readonly desk: Desk;
  readonly callers: Callers;
  readonly rules: Pick<ApprovalRules, 'mode' | 'patterns'>;
  /** Its summary is another one now. */
  readonly onChange: () => void;
}

export interface Dialogue {
  readonly log: DialogueLog;
  readonly summary: DialogueSummary;
  /**
   * Starts a run. Gives its `asked` event.
   *
   * @throws RawcallError `api_error` (400, 409)
   */
  ask(question: string, knobs: Knobs, at?: number): PlayEvent;
  /** Ends the run in progress, if there is one, and waits for its end. */
  stop(): Promise<void>;
  /** What the turn that goes on has written; undefined of any other turn. */
  written(turn: number): Growing<Piece> | undefined;
  /** @throws RawcallError `api_error` (400) */
  answer(ask: string, given: unknown): boolean;
  rename(name: string): void;
}

interface Seat {
  readonly agent: Agent;
  readonly opening: number;
  readonly knobs: string;
}

const notBegun: RunResult = { reason: 'aborted', answer: '', turns: 0, toolRuns: 0, repeats: 0, unasked: 0 };

export function openDialogue({ log, desk, callers, rules, onChange }: DialogueOptions): Dialogue {
  const { origin } = desk.host;
  const tell = log.add;
  let running: { readonly controller: AbortController; readonly ended: Promise<void> } | undefined;
  let writing: { readonly turn: number; readonly pieces: Growing<Piece> } | undefined;
  /** The agent of the last run, which goes on where nothing else is asked of it. */
  let seat: Seat | undefined;
  const asks = openAsks(ask => {
    tell({ type: 'ask-end', ask });
    onChange();
  });
  const signal = () => running?.controller.signal;
  const user = playUser({ asks, tell, origin, signal });
  const approve = approval({ ...rules, origin, ask: changing(user.approve) });
  const maySample = samplingApproval({ rules, ask: changing(user.maySample) });

  /** A question to the user changes the summary. */
  function changing<Given extends unknown[], Result>(
    ask: (...given: Given) => Promise<Result>,
  ): (...given: Given) => Promise<Result> {
    return (...given) => {
      const answer = ask(...given);
      onChange();
      return answer;
    };
  }

  function seatAt(place: Place, knobs: Knobs): Seat {
    const { opening } = place;
    const key = JSON.stringify(knobs);
    if (seat?.opening === opening && seat.knobs === key) return seat;
    const sampler = place.sampler({ approve: maySample, run: signal });
    const caller: Caller = {
      elicit: changing(user.elicit),
      sample: samplingReported(tell, () => sampler),
    };
    const agent = place.agent({
      lane: log.id,
      messages: standingMessages(log, place),
      approve,
      onPiece: piece => writing?.pieces.push(piece),
      calls: source => callers.calls(source, origin, caller),
      begun: new Date(log.createdAt),
      recorded: true,
    });
    seat = { agent, opening, knobs: key };
    return seat;
  }

  async function run(question: string, knobs: Knobs, stopped: AbortSignal): Promise<void> {
    try {
      using place = await desk.take(knobs, stopped);
      const { agent } = seatAt(place, knobs);
      const content = await place.attached(question, tell, stopped);
      const messages = [{ role: 'user' as const, content }];
      try {
        for await (const event of agent.run(question, { signal: stopped, messages })) told(event, place);
      } finally {
        write(undefined);
        log.addMessages(
          place.speaker,
          agent.messages.filter(({ role }) => role !== 'system'),
        );
      }
    } catch (error) {
      if (stopped.aborted) tell({ type: 'run-end', ...notBegun });
      else tell({ type: 'run-failed', ...failure(error) });
    }
  }

  /** A prompt's tokens are those of the model that it was written for, and are told apart from its events. */
  function told(event: AgentEvent, { raw, speaker }: Place): void {
    if (event.type !== 'turn-start') {
      tell(event);
      // Only now, so that whoever sees the end of what is written finds the completion.
      if (event.type === 'completion-end') write(undefined);
      return;
    }
    const { prompt, ...rest } = event;
    const tokens = raw?.engine.tokenize?.(prompt);
    const { model, format } = speaker;
    write(log.prompts.length + 1);
    log.addTurn(rest, { model, format, prompt, ...(tokens ? { tokens } : {}) });
  }

  function write(turn: number | undefined): void {
    writing?.pieces.close();
    writing = turn === undefined ? undefined : { turn, pieces: growing() };
  }

  function rewind(to: number): void {
    const asked = log.standing.find(({ seq }) => seq === to);
    if (asked?.type !== 'asked')
      badRequest(`Event ${to} is no question of this dialogue, or was cut off. Give the "seq" of one.`, 'at');
    tell({ type: 'rewound', to });
    seat = undefined;
  }

  return {
    log,
    get summary() {
      return { ...summaryOf(log), running: running !== undefined, asking: asks.open };
    },
    ask(question, knobs, at) {
      if (running) conflict('This dialogue has a run that goes on. Stop it first.');
      if (at !== undefined) rewind(at);
      const asked = tell({ type: 'asked', question, knobs });
      const controller = new AbortController();
      const ended = run(question, knobs, controller.signal).finally(() => {
        running = undefined;
        onChange();
      });
      running = { controller, ended };
      onChange();
      return asked;
    },
    async stop() {
      running?.controller.abort();
      await running?.ended;
    },
    written: turn => (writing?.turn === turn ? writing.pieces : undefined),
    answer: (ask, given) => asks.answer(ask, given),
    rename(name) {
      tell({ type: 'renamed', name });
      onChange();
    },
  };
}

/** What the model said to another vocabulary, or in another format, is rendered from its words and calls. */
export function standingMessages({ last }: DialogueLog, { speaker }: Place) {
  if (!last) return [];
  const same = last.speaker.model === speaker.model && last.speaker.format === speaker.format;
  if (same) return last.messages;
  return last.messages.map(message => {
    if (message.role !== 'assistant') return message;
    const { completion: _, ...rest } = message;
    return rest;
  });
}

function summaryOf({ id, createdAt, standing, events }: DialogueLog) {
  const asked = standing.filter(event => event.type === 'asked');
  // A name stays where what came before it is cut off.
  const named = events.items.findLast(event => event.type === 'renamed');
  return {
    id,
    name: named?.type === 'renamed' ? named.name : beginning(asked[0]),
    createdAt,
    changedAt: events.items.at(-1)?.at ?? createdAt,
    questions: asked.length,
  };
}

function beginning(event: PlayEvent | undefined): string {
  if (event?.type !== 'asked') return '';
  const line = event.question.trim().split(/\s+/).join(' ');
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line;
}

function failure(error: unknown): { readonly code: string; readonly message: string } {
  const message = error instanceof Error ? error.message : String(error);
  return { code: RawcallError.isInstance(error) ? error.code : 'unexpected', message };
}

export function conflict(message: string): never {
  return refuse({ status: 409, type: 'invalid_request_error', code: 'conflict', message });
}
