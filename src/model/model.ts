/** The contract of a model: a conversation in, the events of one turn out. Types only. */
import type {
  JsonSchema,
  ParseEvent,
  Piece,
  Problem,
  StopReason,
  ToolCall,
  ToolDefinition,
} from '../../parsers/parser.ts';
import type {
  AssistantMessage,
  Conversation,
  Origin,
  Prompt,
  RenderOptions,
} from '../../templates/template.ts';
import type { GeneratedLogprob, Sampling, Usage } from '../engine/engine.ts';
import type { Constrain } from './constrain.ts';

/** What a turn is for: to decide which tools to call, or to write the reply. */
export type TurnPurpose = 'decision' | 'answer';

export interface TurnOptions {
  readonly purpose: TurnPurpose;
  readonly sampling?: Sampling;
  /** In tokens. Default: what the context still holds. */
  readonly maxTokens?: number;
  readonly signal?: AbortSignal;
  readonly callId?: (index: number, name: string) => string;
  /** Which prompts this one continues (see `GenerateOptions.lane`). */
  readonly lane?: string;
  /** Default `off`. It has no effect where the engine can't be steered, or the format has no grammar. */
  readonly constrain?: Constrain;
  /** Tools whose calls are read though the prompt does not show them. Default: none. */
  readonly unshown?: readonly ToolDefinition[];
  /** With `constrain`: the tools that may be called. Default: all that the prompt offers. */
  readonly only?: readonly string[];
  /** False: the turn ends with its first call. Default: true. */
  readonly parallel?: boolean;
  /** What the reply must be where it is no call: JSON of this schema. Default: any text. It needs an engine that takes a grammar. */
  readonly output?: JsonSchema;
  /** Texts that end the turn, besides the format's own; they are no part of it. */
  readonly stop?: readonly string[];
  /** A call that `maxTokens` would cut may take so many tokens more. Default 0: it is cut and fails. */
  readonly callTokens?: number;
  /** As `GenerateOptions.logprobs`: the turn tells of each token. */
  readonly logprobs?: number;
  /** Is given each piece of the raw completion as it comes, before what is read in it is told. */
  readonly onPiece?: (piece: Piece) => void;
}

/** A turn's prompt before it is evaluated: rendered and counted once, by whoever has to know first whether it fits. */
export interface TurnPrompt {
  readonly conversation: Conversation;
  readonly render: RenderOptions;
  readonly prompt: Prompt;
  /** Absent where the model has no tokenizer. */
  readonly size?: PromptSize;
  /** It ends within a reply, behind what a turn wrote of it. */
  readonly within?: true;
}

export interface PromptSize {
  readonly tokens: number;
  /** The tokens' ids, where the engine tells them. */
  ids?(): readonly number[];
  bill(): TokenBill;
  /** How many tokens it has in common with another prompt, from the beginning. */
  shared(other: Prompt): number;
}

/** What a prompt is made of, in tokens, by whose text it is; a control token is the template's. */
export type TokenBill = Readonly<Record<Origin | 'total', number>>;

export type TurnEvent =
  /** `tokens`: how long the prompt is, where the model has a tokenizer. */
  | {
      readonly type: 'turn-start';
      readonly purpose: TurnPurpose;
      readonly prompt: Prompt;
      readonly tokens?: number;
    }
  | ParseEvent
  /** How probable the tokens were that come next, before what was read in them. */
  | { readonly type: 'token-logprobs'; readonly tokens: readonly GeneratedLogprob[] }
  /** A call was not whole when the turn's tokens were used up; it goes on with so many more. */
  | { readonly type: 'call-extended'; readonly index: number; readonly tokens: number }
  /** The raw completion, stop token and all. */
  | { readonly type: 'completion-end'; readonly pieces: readonly Piece[]; readonly reason: StopReason }
  | ({ readonly type: 'usage' } & Usage);

/** A call that was read but must not run: the model is told why. */
export interface FailedCall {
  readonly call: ToolCall;
  readonly problem: Problem;
  readonly message: string;
}

export interface TurnResult {
  /** As it goes into the history; its calls are the good and the failed ones, in the order they were written. */
  readonly message: AssistantMessage;
  readonly calls: readonly ToolCall[];
  readonly failed: readonly FailedCall[];
  readonly reason: StopReason;
}

export interface Model {
  readonly name: string;
  /** In tokens, where it is known. */
  readonly contextSize?: number;
  render(conversation: Conversation, options?: RenderOptions): TurnPrompt;
  turn(prompt: TurnPrompt, options: TurnOptions): AsyncGenerator<TurnEvent, TurnResult>;
  /** The prompt of a turn that writes on behind what another one wrote, as if it had not ended. Absent where prompts aren't ours. */
  readonly behind?: (prompt: TurnPrompt, completion: readonly Piece[]) => TurnPrompt;
  /** How many tokens a text is, where the model has a tokenizer. */
  countTokens?(text: string): number;
}
