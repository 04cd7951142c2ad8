/** What an exchange is made of, in the order in which it happened. Types only. */
import type { Signal } from '@preact/signals';
import type { Problem, Repair, ToolCall } from '../../../../parsers/parser.ts';
import type { ResultSource, RunResult } from '../../../agent/events.ts';
import type { Usage } from '../../../engine/engine.ts';
import type { ElicitationAnswer, ElicitationRequest } from '../../../mcp/features.ts';
import type { TurnPurpose } from '../../../model/model.ts';
import type { ToolProgress, ToolResult } from '../../../tools.ts';

/** How the run of an exchange goes, or ended. */
export type ExchangeState =
  | { readonly phase: 'running' }
  | ({ readonly phase: 'ended' } & RunResult)
  | { readonly phase: 'failed'; readonly code: string; readonly message: string };

export type Item = TurnItem | TextItem | CallItem | ElicitationItem | NoteItem;

/** Where a turn of the model begins. */
export interface TurnItem {
  readonly kind: 'turn';
  readonly turn: number;
  readonly purpose: TurnPurpose;
  readonly tokens: number | undefined;
  readonly usage: Signal<readonly Usage[]>;
}

export interface TextItem {
  readonly kind: 'text' | 'reasoning';
  readonly text: Signal<string>;
  /** The answer is said elsewhere. */
  readonly superseded: Signal<boolean>;
}

export interface CallItem {
  readonly kind: 'call';
  readonly id: string;
  readonly name: string;
  readonly argumentsText: Signal<string>;
  readonly repairs: Signal<readonly Repair[]>;
  readonly state: Signal<CallState>;
}

export type CallState =
  | { readonly phase: 'writing' | 'written' | 'stopped' }
  | {
      readonly phase: 'asking';
      readonly ask: string;
      readonly call: ToolCall;
      readonly server: string | undefined;
      readonly tool: string | undefined;
    }
  | { readonly phase: 'running'; readonly progress: ToolProgress | undefined }
  | {
      readonly phase: 'ended';
      readonly result: ToolResult;
      readonly source: ResultSource;
      readonly leftOut: number | undefined;
      readonly whole: string | undefined;
    }
  /** `result`: what the model is told of it. */
  | {
      readonly phase: 'rejected';
      readonly reason: string | undefined;
      readonly result: ToolResult | undefined;
    }
  | {
      readonly phase: 'unreadable';
      readonly problem: Problem;
      readonly message: string;
      readonly raw: string;
      readonly result?: ToolResult;
    };

export interface ElicitationItem {
  readonly kind: 'elicitation';
  readonly ask: string;
  readonly request: ElicitationRequest;
  readonly state: Signal<ElicitationState>;
}

export type ElicitationState =
  | { readonly phase: 'open' | 'closed' }
  | {
      readonly phase: 'answered';
      readonly action: ElicitationAnswer['action'];
      readonly reason: string | undefined;
    };

/** What the harness has to say on the way. */
export interface NoteItem {
  readonly kind: 'note';
  readonly tone: 'quiet' | 'bad';
  readonly text: string;
}
