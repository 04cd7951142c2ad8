/** What the playground stands on: one model at a time, the tools of servers, the settings of the command line. Types only. */
import type { Piece, ToolDefinition } from '../../parsers/parser.ts';
import type { Message } from '../../templates/template.ts';
import type { Agent } from '../agent/agent.ts';
import type { Approve } from '../agent/approval.ts';
import type { Sampler, SamplerOptions } from '../agent/sampler.ts';
import type { TemplateSource } from '../format-of.ts';
import type { Host } from '../mcp/host.ts';
import type { Model } from '../model/model.ts';
import type { RawParts } from '../server/service.ts';
import type { ToolSource } from '../tools.ts';
import type { EventOf, Knobs, PlayState } from './protocol.ts';

export interface Desk {
  readonly host: Host;
  state(): PlayState;
  /** Tells of each change of the state. Gives what ends that. */
  watch(changed: () => void): () => void;
  /** @throws RawcallError `api_error` (400): what is wrong with them */
  check(given: unknown): Knobs;
  /**
   * A place at the model that these knobs name. It is opened, if it isn't, once nobody holds another one; what is asked first is
   * served first.
   *
   * @throws RawcallError as opening a model does; the signal's reason where it aborts
   */
  take(knobs: Knobs, signal: AbortSignal): Promise<Place>;
  /** A place at the model that is open now, with the rest of these knobs; undefined where none is, or these name another one. */
  present(knobs: Knobs): Promise<Place | undefined>;
}

/** The model, held until it is disposed of, and what the knobs make of it. */
export interface Place extends Disposable {
  /** Another one each time that a model is opened: what was made with an earlier one is of no use any more. */
  readonly opening: number;
  readonly model: Model;
  readonly speaker: Speaker;
  /** In tokens; without end where it is not known. */
  readonly contextSize: number;
  /** What takes prompts of our own; absent where the model is driven by somebody else's. */
  readonly raw?: RawParts & { readonly source?: TemplateSource };
  agent(options: AgentPlace): Agent;
  /** The question with the resources that it mentions, as `@SERVER:URI`. */
  attached(
    question: string,
    tell: (event: EventOf<'resource-attached'>) => void,
    signal: AbortSignal,
  ): Promise<string>;
  sampler(options: Pick<SamplerOptions, 'approve' | 'run'>): Sampler;
  /** What each of these tools adds to a prompt; undefined where the model has no tokenizer. */
  costs(tools: readonly ToolDefinition[]): Readonly<Record<string, number>> | undefined;
}

/** Whose completions are written back as they are: token ids mean something to one vocabulary, markers to one format. */
export interface Speaker {
  readonly model: string;
  readonly format: string;
  readonly vocabularySize: number;
}

export interface AgentPlace {
  /** Tells the dialogue's prompts from those of others. */
  readonly lane: string;
  /** The dialogue so far, without a system text: that is a knob. */
  readonly messages: readonly Message[];
  readonly approve: Approve;
  /** Stands between the agent and the tools on offer. */
  readonly calls?: (source: ToolSource) => ToolSource;
  /** Is given each piece that a turn writes, as it comes. */
  readonly onPiece?: (piece: Piece) => void;
  /** When the dialogue began. */
  readonly begun: Date;
  /** False: runs leave no transcript, because none is to be run. */
  readonly recorded: boolean;
}
