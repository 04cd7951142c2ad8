/**
 * The contract of the playground's server and its page. Types only; docs/playground.md says it in words.
 * The lab and the recorded runs have contracts of their own: `lab/lab-protocol.ts`, `runs/runs-protocol.ts`.
 *
 * A dialogue is a log of events that only grows, and the page is a function of it. Requests and answers are JSON; a stream is one
 * JSON object a line, and an empty line where there has been nothing to say for a while. A request that fails gets an `ErrorBody`
 * with its status.
 *
 * | route (below `/play/api`)        | request            | answer                                                       |
 * | -------------------------------- | ------------------ | ------------------------------------------------------------ |
 * | GET state                        |                    | `PlayState`                                                  |
 * | GET news                         |                    | stream of `PlayNews`: what is now, and each change           |
 * | GET dialogues                    |                    | `DialogueSummary[]`, the newest first                        |
 * | POST dialogues                   | `NewDialogue`      | 201 `DialogueSummary`                                        |
 * | PATCH dialogues/:id              | `Renaming`         | `DialogueSummary`                                            |
 * | DELETE dialogues/:id             |                    | 204; its streams end                                         |
 * | GET dialogues/:id/events?from=N  |                    | stream of `PlayEvent`: those from number N on, then live     |
 * | POST dialogues/:id/ask           | `Question`         | 202 `Asked`; what comes of it are events                     |
 * | POST dialogues/:id/stop          |                    | 202; the run ends with the reason `aborted`                  |
 * | POST dialogues/:id/answers/:ask  | `Answer`           | 202; 409 where it is answered already, or given up           |
 * | POST dialogues/:id/bill          | `BillRequest`      | `ContextBill`                                                |
 * | GET dialogues/:id/turns/:n       |                    | `PackedTurn`; the first is 1                                 |
 * | GET dialogues/:id/turns/:n/live  |                    | stream of `Piece`: what the turn wrote, until it has ended   |
 */
import type {
  Piece,
  Problem,
  Repair,
  Span,
  StopReason,
  ToolAnnotations,
  ToolCall,
} from '../../parsers/parser.ts';
import type { Prompt, SchemaForm, SchemaPlacement } from '../../templates/template.ts';
import type { ApprovalMode } from '../agent/approval.ts';
import type { AgentEvent } from '../agent/events.ts';
import type { AnswerTurn, DecisionHistory, Rounds } from '../agent/policy.ts';
import type { SamplingEvent } from '../agent/sampling-events.ts';
import type { PromptToken, Sampling, Usage } from '../engine/engine.ts';
import type { AttachedResource, ElicitationAnswer, ElicitationRequest } from '../mcp/features.ts';
import type { ServerState } from '../mcp/managed-server.ts';
import type { ToolSchemas } from '../mcp/servers.ts';
import type { Constrain } from '../model/constrain.ts';
import type { TurnPurpose } from '../model/model.ts';

export interface ErrorBody {
  readonly error: { readonly message: string; readonly code: string | null };
}

/* ---- What there is ---- */

export interface PlayState {
  readonly version: string;
  readonly model: ModelState;
  /** What can be chosen besides a path that is typed in. */
  readonly models: readonly ModelChoice[];
  /** Names that the knob `format` takes; a path of a module with one is taken too. */
  readonly formats: readonly string[];
  readonly servers: readonly PlayServer[];
  readonly tools: readonly PlayTool[];
  /** Every knob but `toolsOff`, in the order in which they are shown. */
  readonly knobs: readonly KnobSetting[];
  /** What holds where a question's knobs leave one out: the flags and the config file that it was started with. */
  readonly defaults: Knobs;
}

export type ModelState =
  /** `model`: as in `Knobs.model`. */
  | { readonly phase: 'loading'; readonly model: string; readonly name: string }
  | ({ readonly phase: 'ready' } & LoadedModel)
  /** The next question tries it again. */
  | { readonly phase: 'failed'; readonly model: string; readonly code: string; readonly message: string };

export interface LoadedModel {
  readonly model: string;
  readonly name: string;
  /** The format that it speaks where no knob names another. */
  readonly format: string;
  /** How many numbers its weights are, where that is known. */
  readonly parameters?: number;
  /** In tokens; absent where it is not known. */
  readonly contextSize?: number;
  /** Where this is false there are no tokens in the raw view and no bills. */
  readonly hasTokenizer: boolean;
}

export interface ModelChoice {
  /** A path, or an endpoint's address: what `Knobs.model` takes. */
  readonly model: string;
  readonly name: string;
  /** `started`: what the program was started with. */
  readonly source: 'started' | 'practice' | 'folder';
  /** In bytes. */
  readonly size?: number;
}

export interface PlayServer {
  readonly name: string;
  readonly state: ServerState;
  /** Why it failed or was closed, or that it is slow. */
  readonly reason?: string;
  /** What is odd about it, for people. */
  readonly warnings: readonly string[];
}

export interface PlayTool {
  /** As the model sees it. */
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: unknown;
  readonly annotations?: ToolAnnotations;
  readonly server?: string;
  /** The server's own name for it. */
  readonly tool?: string;
  /** What the rules say of a call before anybody is asked. */
  readonly approval: ApprovalMode;
}

/** How a knob is shown and what it takes; `name` is its key in `Knobs`. */
export interface KnobSetting {
  readonly name: Exclude<keyof Knobs, 'toolsOff'>;
  /** `--temperature`: what it is called on the command line. */
  readonly flag: string;
  readonly help: string;
  readonly kind: 'model' | 'format' | 'choice' | 'number' | 'boolean' | 'text';
  readonly choices?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** Whole numbers alone. */
  readonly whole?: boolean;
}

/** The settings of the command line, by the same names. What is absent is the default. */
export interface Knobs extends Sampling {
  readonly model?: string;
  readonly format?: string;
  readonly schema?: Exclude<SchemaPlacement, 'none'>;
  readonly schemaForm?: SchemaForm;
  readonly toolSchemas?: ToolSchemas;
  readonly answerTurn?: 'auto' | AnswerTurn;
  readonly rounds?: 'auto' | Rounds;
  readonly decisionHistory?: DecisionHistory;
  readonly constrain?: Constrain;
  readonly maxTokens?: number;
  readonly maxRounds?: number;
  readonly system?: string;
  readonly thinking?: boolean;
  /** Names of tools that are not offered. */
  readonly toolsOff?: readonly string[];
}

export type PlayNews =
  | { readonly type: 'state'; readonly state: PlayState }
  | { readonly type: 'dialogues'; readonly dialogues: readonly DialogueSummary[] };

/* ---- Dialogues ---- */

export interface DialogueSummary {
  readonly id: string;
  /** As the user named it, or the beginning of its first question; empty before that. */
  readonly name: string;
  /** In ms since 1970. */
  readonly createdAt: number;
  readonly changedAt: number;
  /** Questions, those that were cut off left out. */
  readonly questions: number;
  readonly running: boolean;
  /** The user is asked for something: an approval, a form. */
  readonly asking: boolean;
}

export interface NewDialogue {
  readonly name?: string;
}

export interface Renaming {
  readonly name: string;
}

export interface Question {
  readonly question: string;
  readonly knobs: Knobs;
  /** The number (`seq`) of an `asked` event: it and all that came after it are cut off first. */
  readonly at?: number;
}

export interface Asked {
  /** Of its `asked` event. */
  readonly seq: number;
}

/** To `approval-start`, or to `elicitation-start`. */
export type Answer =
  | {
      readonly approved: true;
      /** Calls of this tool are not asked about again in this dialogue. */
      readonly always?: true;
    }
  /** The model gets to read the reason. */
  | { readonly approved: false; readonly reason?: string }
  | ElicitationAnswer;

/** `seq`: its place in the log, from 0 on without a gap. `at`: in ms since 1970. */
export type PlayEvent = { readonly seq: number; readonly at: number } & (RunEvent | LogEvent);

export type EventOf<Type extends PlayEvent['type']> = Extract<RunEvent | LogEvent, { readonly type: Type }>;

/** What a run tells, by the names that it has everywhere. */
export type RunEvent =
  | Exclude<AgentEvent, { readonly type: 'turn-start' }>
  /** Its prompt is that of `GET turns/:n`, with `turn` as the n. */
  | {
      readonly type: 'turn-start';
      readonly turn: number;
      readonly purpose: TurnPurpose;
      readonly tokens?: number;
    }
  /** Whether a call may run. The `approval-end` of the same `call.id` says what came of it. */
  | {
      readonly type: 'approval-start';
      readonly ask: string;
      readonly call: ToolCall;
      readonly server?: string;
      /** The server's own name for what the call names. */
      readonly tool?: string;
    }
  /** A server asks the user: for the values of a form, or to open a page. */
  | ({ readonly type: 'elicitation-start'; readonly ask: string } & ElicitationRequest)
  /** `reason`: why it was declined, where nobody declined it. */
  | {
      readonly type: 'elicitation-end';
      readonly server: string;
      readonly action: ElicitationAnswer['action'];
      readonly reason?: string;
    }
  /** A question mentioned it. */
  | ({ readonly type: 'resource-attached' } & AttachedResource)
  /** Nobody has to answer it any more: it was answered, or the run was stopped. */
  | { readonly type: 'ask-end'; readonly ask: string }
  /** Where a text needs approval, an `approval-start` of the call `sampling/SERVER` follows its start. */
  | SamplingEvent;

/** What the dialogue itself adds. */
export type LogEvent =
  /**
   * A question, with all of its knobs. What follows up to the next `run-end` or `run-failed` is its run; a model that is not open
   * yet is opened before its `run-start`.
   */
  | { readonly type: 'asked'; readonly question: string; readonly knobs: Knobs }
  /** The run ended with an error, and the question is not in the dialogue that the model sees. */
  | { readonly type: 'run-failed'; readonly code: string; readonly message: string }
  /** All events from number `to` up to this one count no more. */
  | { readonly type: 'rewound'; readonly to: number }
  | { readonly type: 'renamed'; readonly name: string };

/* ---- The context ---- */

/** What the next question's prompt would be made of with these knobs. */
export interface BillRequest {
  readonly knobs: Knobs;
}

/** In tokens. Without its question the prompt has `total`; `contextSize` = `total` + `free`. */
export interface ContextBill {
  /** What the template puts between texts. */
  readonly template: number;
  readonly system: number;
  readonly tools: number;
  /** What user and model said. */
  readonly history: number;
  /** Of tools. */
  readonly results: number;
  readonly total: number;
  readonly contextSize: number;
  readonly free: number;
  /** What each tool adds to the prompt, switched off or not. */
  readonly perTool: Readonly<Record<string, number>>;
}

/* ---- The raw view ---- */

export interface RawTurn {
  readonly turn: number;
  /** The number of its `turn-start` in the log. */
  readonly seq: number;
  readonly purpose: TurnPurpose;
  readonly model: string;
  readonly format: string;
  readonly prompt: Prompt;
  /** The engine's own tokens of it; absent where the model has no tokenizer. */
  readonly tokens?: readonly PromptToken[];
  /** `reused` says how many of the first tokens were in the KV cache. Absent while it runs. Two where a call was extended. */
  readonly usage: readonly Usage[];
  /** Absent while it runs, and of a turn that failed. */
  readonly completion?: RawCompletion;
}

/** As it is sent (`packed-turn.ts`). */
export type PackedTurn = Omit<RawTurn, 'tokens'> & { readonly tokens?: TokenColumns };

export interface TokenColumns {
  readonly ids: readonly number[];
  readonly texts: readonly string[];
  /** Whose text it is from a token on, up to the next of these. */
  readonly parts: readonly (Pick<PromptToken, 'origin' | 'control'> & { readonly from: number })[];
}

export interface RawCompletion {
  /** As generated, stop token and all; their `tokens` are the ids. */
  readonly pieces: readonly Piece[];
  readonly reason: StopReason;
  /** In the order of their beginnings. What lies in none of them is syntax that a reader passes over. */
  readonly spans: readonly ReadSpan[];
}

/** What was read of a part of the completion, as `read-spans.ts` finds it; `span` is in UTF-16 units of the pieces' joined text. */
export type ReadSpan = { readonly span: Span } & (
  | { readonly kind: 'text' | 'reasoning' }
  | { readonly kind: 'call'; readonly index: number; readonly call: ToolCall }
  | {
      readonly kind: 'problem';
      readonly index: number;
      readonly problem: Problem;
      readonly name?: string;
      readonly message: string;
    }
  /** Within a call, or with `index` -1 in the text around calls. */
  | { readonly kind: 'repair'; readonly index: number; readonly repair: Repair }
);
