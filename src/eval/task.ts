/** The contract of a task set, as `task-file.ts` reads it. Types only. */
import type { JsonObject, JsonValue, ToolDefinition } from '../../parsers/parser.ts';
import type { Message } from '../../templates/template.ts';
import type { McpServer } from '../mcp/servers.ts';
import type { MatchingName } from './matching.ts';
import type { Expected } from './results.ts';

export interface TaskSet {
  /** The file's name without its ending. */
  readonly name: string;
  readonly file: string;
  /** Of the file's text. */
  readonly hash: string;
  /** Real MCP servers, which all tasks share that bring no stubs of their own. */
  readonly servers: readonly McpServer[];
  readonly stubs: readonly Stub[];
  readonly matrix: MatrixLists;
  readonly settings: TaskSettings;
  /** How arguments are compared. */
  readonly matching: MatchingName;
  readonly tasks: readonly Task[];
  /** Tasks that are not asked, because something is wrong with them. */
  readonly bad: readonly BadTask[];
}

/** What the file asks for; a flag replaces a list, or a number. */
export interface MatrixLists {
  readonly models?: readonly ModelEntry[];
  readonly formats?: readonly string[];
  readonly policies?: readonly string[];
  readonly constrain?: readonly string[];
  readonly schemaForms?: readonly string[];
}

/** A GGUF, or a model elsewhere; several endpoints are several copies of the same one. */
export type ModelEntry =
  /** In full, or a name or an address as `--model` takes them. */
  | { readonly path: string }
  | { readonly endpoints: readonly string[]; readonly name?: string; readonly api?: 'completions' | 'chat' };

export interface TaskSettings {
  readonly system?: string;
  readonly samples?: number;
  readonly seed?: number;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly maxRounds?: number;
}

export interface Task {
  readonly id: string;
  readonly tags: readonly string[];
  /** The dialogue before the question, its system text included. */
  readonly earlier: readonly Message[];
  readonly query: string;
  readonly expected: Expected;
  /** The tools of this task, in place of the set's. */
  readonly stubs?: readonly Stub[];
  /** Where in the file something of it stands, as `FILE:LINE`, for what is found wrong later. */
  readonly place: (...path: readonly (string | number)[]) => string;
}

export interface BadTask {
  readonly id: string;
  /** With `FILE:LINE` and the key. */
  readonly message: string;
}

/** A tool that is none: it gives what the file says. */
export interface Stub {
  readonly definition: ToolDefinition;
  /** The first one whose `when` matches. */
  readonly outcomes: readonly StubOutcome[];
}

export interface StubOutcome {
  /** Matchers by argument. Absent: any arguments. */
  readonly when?: Readonly<Record<string, JsonValue>>;
  readonly content: string;
  readonly isError: boolean;
  /** In seconds. */
  readonly delay?: number;
}

/** A call as it was read, for whoever compares it. */
export interface ReadCall {
  readonly arguments: JsonObject;
  /** Exact JSON. */
  readonly argumentsText: string;
}
