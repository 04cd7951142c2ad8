/** The contract of an engine: a prompt in, pieces of a completion out. Types only. */
import type { Piece, StopReason } from '../../parsers/parser.ts';
import type { Origin, Prompt } from '../../templates/template.ts';

export interface Sampling {
  /** 0 is greedy, and the default. */
  readonly temperature?: number;
  readonly topK?: number;
  readonly topP?: number;
  readonly minP?: number;
  /** 1 is off, and the default. */
  readonly repeatPenalty?: number;
  readonly seed?: number;
}

export interface GenerateOptions {
  readonly sampling?: Sampling;
  /** GBNF that every generated token must follow. A control word in one of its literals means the control token. */
  readonly grammar?: string;
  /**
   * Asked before the first token, and then before each next one with the pieces that came since, when the consumer of
   * the generation has taken them.
   */
  readonly steer?: Steer;
  /** Default: what the context still holds. */
  readonly maxTokens?: number;
  /**
   * Each piece says how probable its tokens were, and which so many tokens would have been the likeliest. It costs time, and what a
   * grammar forces is then sampled like anything else. Default: pieces say nothing of it, as those of engines that can't.
   */
  readonly logprobs?: number;
  /** Texts that end the completion besides the vocabulary's own end-of-generation tokens: the template's stops. */
  readonly stops?: readonly string[];
  /**
   * Prompts of one lane continue each other: each lane has a KV cache of its own, as far as the engine has them. Default
   * `''`. Where several lanes wait they take turns. An engine that runs several generations side by side finds the KV cache by the
   * prompt itself.
   */
  readonly lane?: string;
  /**
   * What the prompt begins with at every start of the program, such as the system text and the tools: an engine that keeps
   * states saves its evaluation for the next start, and no other asks for it. What the prompt doesn't begin with is left
   * out of account.
   */
  readonly prefix?: () => Prompt;
  readonly signal?: AbortSignal;
}

export type Steer = (pieces: readonly Piece[]) => Steering | undefined;

/** What holds from the next token on; `undefined` leaves it as it was. */
export type Steering =
  /** No grammar. */
  | 'free'
  | {
      /** GBNF as above, but it holds only until it can end for the first time; then the generation is free again. */
      readonly grammar?: string;
      /** What of the grammar's text stands already at the end of the completion. A grammar that can't begin so isn't used. */
      readonly begun?: readonly Piece[];
      /**
       * What comes next in any case: it is written without being sampled, in one pass for all of it. Under a grammar, only so much
       * of it as the grammar allows and as what follows can't change the tokens of; the rest is sampled.
       */
      readonly forced?: readonly Piece[];
    };

/** All in tokens. `prompt` = `reused` (found in the KV cache) + `evaluated`; `generated` counts the stop token and what was forced. */
export interface Usage {
  readonly prompt: number;
  readonly reused: number;
  readonly evaluated: number;
  readonly generated: number;
  /** How often the model was run to generate: once for each token that was not forced. */
  readonly passes?: number;
}

export interface TokenLogprob {
  readonly id: number;
  /** A token that holds a part of a character has no text of its own, but bytes. */
  readonly bytes: Uint8Array;
  /** As the model had it: before temperature, penalties and grammar. */
  readonly logprob: number;
}

/** `top`: the likeliest tokens in its place, the likeliest first; it may be among them. */
export interface GeneratedLogprob extends TokenLogprob {
  readonly top: readonly TokenLogprob[];
}

export interface GeneratedPiece extends Piece {
  /** One for each of its tokens, where they were asked for and are known. */
  readonly logprobs?: readonly GeneratedLogprob[];
}

/**
 * One completion, as it comes; nothing is done before it is iterated. The stop token is its last piece, marked `control`.
 * Its text is empty where a server elsewhere keeps it back.
 * A piece's `tokens` spell exactly its text, so that they can stand for it in a later prompt.
 */
export interface Generation extends AsyncIterable<GeneratedPiece> {
  /** Counts so far; final once the iteration has ended. */
  readonly usage: Usage;
  /** Why it ended; `undefined` while it runs. */
  readonly reason: StopReason | undefined;
}

export interface PromptToken {
  readonly id: number;
  readonly text: string;
  readonly control: boolean;
  readonly origin: Origin;
}

export interface Engine {
  readonly name: string;
  /** In tokens; absent where the engine can't know. */
  readonly contextSize?: number;
  /** Texts that are single control tokens of this vocabulary; absent where the engine can't know (a foreign endpoint). */
  readonly controlTokens?: ReadonlySet<string>;
  /**
   * So many run at a time as the engine was opened for; the others wait, within a lane in the order of asking. The iteration throws RawcallError `prompt_too_long` (details:
   * promptTokens, contextSize) and `bad_grammar`; the state stays usable. Closing the engine aborts it.
   */
  generate(prompt: Prompt, options?: GenerateOptions): Generation;
  /** The tokens of a prompt, where the engine has a tokenizer: for people. */
  tokenize?(prompt: Prompt): readonly PromptToken[];
  /**
   * The prompt of these token ids: those that are control tokens become control pieces.
   *
   * @throws RawcallError `unknown_token`
   */
  promptOfIds?(ids: readonly number[]): Prompt;
  /** How many they are. A prompt that was counted isn't tokenised again when it is generated from. */
  countTokens?(prompt: Prompt): number;
  /** Their ids alone, which costs no more than counting them. */
  tokenIds?(prompt: Prompt): readonly number[];
  close(): Promise<void>;
}
