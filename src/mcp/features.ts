/** What a server offers besides tools, and what it may ask of us. Types only; each text in them is untrusted. */
import type { LogLevel } from './log-levels.ts';

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly protocolVersion: string;
  /** What the server would have the model know of it. Never put into a prompt unasked. */
  readonly instructions?: string;
  /** `tools`, `resources`, `prompts`, `completions`, `logging`, … as the server declared them. */
  readonly capabilities: readonly string[];
}

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
}

export interface ResourceTemplate {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface ResourceListing {
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplate[];
}

/** A resource that a question mentioned. `characters` is all of its text; `leftOut`, what of it was too much. */
export interface AttachedResource {
  readonly server: string;
  readonly uri: string;
  readonly characters: number;
  readonly leftOut?: number;
}

/** A part of a resource: text, or bytes in base64. */
export interface ResourceContent {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface ServerPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly PromptArgument[];
}

/** Its content as text, by the rule in content.ts. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** What a value is for, when a server is asked to complete it. */
export type CompletionTarget = { readonly prompt: string } | { readonly uriTemplate: string };

/** Each throws RawcallError `mcp_request_failed` where the server refuses or fails, and rejects with the reason of an abort. */
export interface ServerFeatures {
  /** Every page of both lists; empty where the server has no resources. */
  resources(signal?: AbortSignal): Promise<ResourceListing>;
  readResource(uri: string, signal?: AbortSignal): Promise<readonly ResourceContent[]>;
  /** From then on `onResourceUpdated` tells of its changes. */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  prompts(signal?: AbortSignal): Promise<readonly ServerPrompt[]>;
  prompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<readonly PromptMessage[]>;
  /** Values that begin like `value`, at most 100; none where the server completes nothing. */
  complete(
    target: CompletionTarget,
    argument: string,
    value: string,
    context?: Readonly<Record<string, string>>,
  ): Promise<readonly string[]>;
}

/** A server asks our model. Its messages are untrusted. */
export interface SamplingRequest {
  readonly server: string;
  readonly system?: string;
  readonly messages: readonly PromptMessage[];
  /** In tokens. */
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
}

export interface SamplingAnswer {
  readonly model: string;
  readonly text: string;
  readonly stopReason: 'endTurn' | 'maxTokens' | 'stopSequence';
}

/** A server asks the user: for the values of a form (a flat JSON Schema of an object), or to open a page. */
export type ElicitationRequest =
  | {
      readonly server: string;
      readonly mode: 'form';
      readonly message: string;
      readonly schema: Readonly<Record<string, unknown>>;
    }
  | { readonly server: string; readonly mode: 'url'; readonly message: string; readonly url: string };

export type ElicitationAnswer =
  | {
      readonly action: 'accept';
      readonly content?: Readonly<Record<string, string | number | boolean | string[]>>;
    }
  /** The user said no; `reason` is for the transcript. */
  | { readonly action: 'decline'; readonly reason?: string }
  /** The user left without an answer. */
  | { readonly action: 'cancel' };

export interface Root {
  /** `file://…` */
  readonly uri: string;
  readonly name?: string;
}

/** What we answer to servers. What is absent is not declared to them. */
export interface HostDuties {
  /** @throws where the user refuses, or a limit is reached: the server is told the message */
  readonly sample?: (request: SamplingRequest, signal: AbortSignal) => Promise<SamplingAnswer>;
  readonly elicit?: (request: ElicitationRequest, signal: AbortSignal) => Promise<ElicitationAnswer>;
  /** For servers whose config has none of their own. */
  readonly roots?: () => readonly Root[];
}

export type { LogLevel } from './log-levels.ts';

export interface ServerLog {
  readonly server: string;
  readonly level: LogLevel;
  readonly logger?: string;
  readonly text: string;
}
