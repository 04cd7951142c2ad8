/**
 * The contract of the lab: texts and settings that somebody tries out. Types only.
 *
 * | route (below `/play/api`) | request       | answer                                                                      |
 * | ------------------------- | ------------- | --------------------------------------------------------------------------- |
 * | POST lab/parse            | `LabParse`    | `LabParsed`; no model is asked, and none has to be there                    |
 * | POST lab/render           | `LabRender`   | `LabRendered`; nor here, but only a tokenizer counts                        |
 * | POST lab/run              | `LabRun`      | stream of `LabRunLine`: one side after another, on the model that is loaded |
 */
import type { ParseEvent, Piece, StopReason } from '../../../parsers/parser.ts';
import type { Prompt, SchemaForm, SchemaPlacement } from '../../../templates/template.ts';
import type { PromptToken, Sampling } from '../../engine/engine.ts';
import type { ToolSchemas } from '../../mcp/servers.ts';
import type { Constrain } from '../../model/constrain.ts';
import type { TurnEvent } from '../../model/model.ts';

/* ---- A completion, read ---- */

export interface LabParse {
  /** A text, or the pieces that a model wrote. */
  readonly completion: string | readonly Piece[];
  /** Names of formats. */
  readonly formats: readonly string[];
  /** How it comes: in one piece, by the character, in the pieces that were given, or cut at these places (in UTF-16 units). */
  readonly cuts: 'whole' | 'characters' | 'pieces' | readonly number[];
  /** Tools as `parseTools` takes them. Absent: any name is taken, and no schema is checked. */
  readonly tools?: unknown;
  /** What the prompt itself ended with and what belongs to the completion, such as `<think>\n`. */
  readonly prefill?: string;
  /** The text that the prompt ended with, where it is not known what of it is prefill: each format knows its own. */
  readonly promptEnd?: string;
  readonly stop?: StopReason;
  /**
   * The texts that are control tokens. `formats`: those that the named formats know, wherever they stand in a text. `model`: those of
   * the model that is open, where it is. Absent: a flat text, of which nobody knows which of its letters were tokens.
   */
  readonly controlTokens?: 'formats' | 'model' | readonly string[];
}

export interface LabParsed {
  /** As they were read, one after another. */
  readonly pieces: readonly Piece[];
  /** Those with the fewest problems and repairs among those with calls come first. */
  readonly readings: readonly LabReading[];
}

export interface LabReading {
  /** Formats that tell the same at each step. */
  readonly formats: readonly string[];
  readonly steps: readonly LabStep[];
}

/** What a piece led to; pieces that led to nothing are left out. */
export interface LabStep {
  /** Its place in `pieces`; one more than the last one is the completion's end. */
  readonly piece: number;
  readonly events: readonly ParseEvent[];
}

/* ---- Messages and tools, rendered ---- */

export interface LabRender {
  /** As `parseMessages` takes them. */
  readonly messages: unknown;
  readonly tools?: unknown;
  /** Names of formats; `jinja` is the chat template of the model that is loaded. */
  readonly formats: readonly string[];
  readonly schema?: SchemaPlacement;
  readonly schemaForm?: SchemaForm;
  readonly toolSchemas?: ToolSchemas;
  readonly thinking?: boolean;
  readonly date?: string;
  readonly generationPrompt?: boolean;
}

export interface LabRendered {
  /** Whose tokens they are; absent where no model is there, or it has none. */
  readonly tokenizer?: string;
  /** In the order of the request. */
  readonly prompts: readonly LabPrompt[];
}

export type LabPrompt = { readonly format: string } & (
  | {
      readonly prompt: Prompt;
      /** Of the model that is loaded, whichever format that one speaks. */
      readonly tokens?: readonly PromptToken[];
    }
  /** This template cannot say it. */
  | { readonly failed: { readonly code: string; readonly message: string } }
);

/* ---- One prompt under two settings ---- */

export interface LabRun {
  readonly messages: unknown;
  readonly tools?: unknown;
  /** One or two. */
  readonly sides: readonly LabSide[];
}

/** A turn's settings, by the names that they have on the command line. */
export interface LabSide extends Sampling {
  /** Default: the one that the model speaks. */
  readonly format?: string;
  readonly schema?: SchemaPlacement;
  readonly schemaForm?: SchemaForm;
  readonly toolSchemas?: ToolSchemas;
  readonly thinking?: boolean;
  readonly constrain?: Constrain;
  /** Default 512. */
  readonly maxTokens?: number;
}

export type LabRunLine = { readonly side: number } & (
  | TurnEvent
  | { readonly type: 'side-start'; readonly format: string; readonly model: string }
  /** The other side is still run. */
  | { readonly type: 'side-failed'; readonly code: string; readonly message: string }
);
