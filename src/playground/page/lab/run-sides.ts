/** One prompt under two settings, as the model goes on with each. */
import { type Signal, signal } from '@preact/signals';
import type { ParseEvent, Piece, StopReason } from '../../../../parsers/parser.ts';
import { isParseEvent } from '../../../../parsers/read.ts';
import type { Prompt } from '../../../../templates/template.ts';
import type { Usage } from '../../../engine/engine.ts';
import type { LabRun, LabRunLine } from '../../lab/lab-protocol.ts';
import { ApiError, lines } from '../shell/api.ts';

export interface SideState {
  readonly phase: 'waiting' | 'running' | 'ended' | 'failed';
  readonly format?: string;
  readonly prompt?: Prompt;
  readonly tokens?: number;
  readonly events: readonly ParseEvent[];
  /** As generated, when the turn has ended. */
  readonly pieces?: readonly Piece[];
  readonly reason?: StopReason;
  readonly usage?: Usage;
  readonly failure?: string;
}

export interface SidesRun {
  readonly sides: readonly Signal<SideState>[];
  /** Nothing when all is over. */
  readonly stop: Signal<(() => void) | undefined>;
}

const waiting: SideState = { phase: 'waiting', events: [] };

export function runSides(order: LabRun): SidesRun {
  const sides = order.sides.map(() => signal(waiting));
  const stopped = new AbortController();
  const stop = signal<(() => void) | undefined>(() => stopped.abort());
  void follow().finally(() => {
    stop.value = undefined;
  });
  return { sides, stop };

  async function follow(): Promise<void> {
    try {
      const options = { method: 'POST', body: order, signal: stopped.signal } as const;
      for await (const line of lines<LabRunLine>('lab/run', options)) {
        const side = sides[line.side]!;
        side.value = after(side.value, line);
      }
    } catch (error) {
      const told = stopped.signal.aborted ? 'It was stopped.' : error instanceof ApiError && error.message;
      if (!told) throw error;
      for (const side of sides)
        if (side.value.phase === 'waiting' || side.value.phase === 'running')
          side.value = { ...side.value, phase: 'failed', failure: told };
    }
  }
}

function after(state: SideState, line: LabRunLine): SideState {
  if (isParseEvent(line)) return { ...state, events: [...state.events, line] };
  switch (line.type) {
    case 'side-start':
      return { ...state, phase: 'running', format: line.format };
    case 'turn-start':
      return { ...state, prompt: line.prompt, ...(line.tokens === undefined ? {} : { tokens: line.tokens }) };
    case 'completion-end':
      return { ...state, phase: 'ended', pieces: line.pieces, reason: line.reason };
    case 'usage':
      return { ...state, usage: line };
    case 'side-failed':
      return { ...state, phase: 'failed', failure: line.message };
    default:
      return state;
  }
}
