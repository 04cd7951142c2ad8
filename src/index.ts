/** What the package offers to other programs, name by name; a test pins the list. */
export { callBlock } from '../parsers/blocks.ts';
export { createParser } from '../parsers/create-parser.ts';
export { RawcallError } from '../parsers/error.ts';
export type {
  CallGrammar,
  GrammarOptions,
  Impossible,
  JsonObject,
  JsonSchema,
  JsonValue,
  ParseEvent,
  Parser,
  Piece,
  Problem,
  Reading,
  ReadingContext,
  Relaxed,
  Repair,
  Span,
  StopReason,
  ToolAnnotations,
  ToolCall,
  ToolDefinition,
} from '../parsers/parser.ts';
export type { Block, CallForm, Syntax } from '../parsers/session.ts';
export { parseMessages, parseTools } from '../templates/messages.ts';
export { placeSchema, type SchemaPlace } from '../templates/placement.ts';
export { type PromptBuilder, promptBuilder, promptText } from '../templates/prompt.ts';
export { toolsInForm } from '../templates/schema-forms.ts';
export {
  type SchemaChange,
  type SimplifiedSchema,
  simplifySchema,
  withSimplifiedSchemas,
} from '../templates/simplify.ts';
export type {
  AssistantMessage,
  Control,
  Conversation,
  Message,
  Origin,
  Prompt,
  RenderOptions,
  SchemaForm,
  SchemaPlacement,
  Template,
  Text,
  ToolMessage,
} from '../templates/template.ts';
export { type Turn, toTurns } from '../templates/turns.ts';
export { type Agent, type AgentOptions, createAgent } from './agent/agent.ts';
export {
  type ApprovalAnswer,
  type ApprovalMode,
  type ApprovalOptions,
  type ApprovalRules,
  type Approve,
  approval,
  approvalMode,
  parseApproval,
  type ToolOwner,
} from './agent/approval.ts';
export { autoPolicy, type PolicyChoice } from './agent/auto-policy.ts';
export type { AgentEvent, ResultSource, RunReason, RunResult } from './agent/events.ts';
export type { AnswerTurn, RunPolicy, TurnPolicy } from './agent/policy.ts';
export { type Detection, detectFormat, type ModelMetadata } from './detect-format.ts';
export { type CompletionsOptions, completionsEngine } from './engine/completions.ts';
export type { EndpointInfo, ServerKind } from './engine/endpoint/endpoint-info.ts';
export { type Endpoint, type EndpointOptions, openEndpoint } from './engine/endpoint.ts';
export type {
  Engine,
  GeneratedLogprob,
  GeneratedPiece,
  GenerateOptions,
  Generation,
  PromptToken,
  Sampling,
  Steer,
  Steering,
  TokenLogprob,
  Usage,
} from './engine/engine.ts';
export {
  type Gpu,
  type LlamaEngine,
  type LlamaInfo,
  type LlamaOptions,
  type LlamaVocabulary,
  type LlamaVocabularyOptions,
  type LoraAdapter,
  openLlamaEngine as createEngine,
  openLlamaVocabulary as createVocabulary,
} from './engine/llama.ts';
export { type Format, formatNamed, formats } from './format.ts';
export { formatOf, type TemplateSource } from './format-of.ts';
export { parseMcpConfig, readMcpConfig } from './mcp/config.ts';
export { directServer } from './mcp/direct.ts';
export type {
  ElicitationAnswer,
  ElicitationRequest,
  HostDuties,
  LogLevel,
  PromptMessage,
  Resource,
  ResourceContent,
  Root,
  SamplingAnswer,
  SamplingRequest,
  ServerFeatures,
  ServerInfo,
  ServerLog,
  ServerPrompt,
} from './mcp/features.ts';
export { type Host, type HostOptions, openHost as createHost, type ToolOrigin } from './mcp/host.ts';
export type { ServerState, ServerStatus } from './mcp/managed-server.ts';
export type { AuthorizationRequest, Authorize } from './mcp/oauth/by-person.ts';
export type { LoginStore } from './mcp/oauth/login-store.ts';
export type {
  HttpServer,
  McpServer,
  ServerAuth,
  ServerSettings,
  StdioServer,
  ToolSchemas,
  UnusableServer,
} from './mcp/servers.ts';
export { type ChatModelOptions, chatModel } from './model/chat.ts';
export type {
  FailedCall,
  Model,
  PromptSize,
  TokenBill,
  TurnEvent,
  TurnOptions,
  TurnPrompt,
  TurnPurpose,
  TurnResult,
} from './model/model.ts';
export { rawModel } from './model/raw.ts';
export { type ModelTemplate, type OpenedFormat, openFormat } from './open-format.ts';
export type { Difference } from './replay/difference.ts';
export { explain as explainDifference } from './replay/explain.ts';
export { type ReplayedRun, type ReplayOptions, replay } from './replay/replay.ts';
export type { Attachment, ToolCallOptions, ToolProgress, ToolResult, ToolSource } from './tools.ts';
export { modelRecord, type RecordedModel } from './transcript/model-record.ts';
export { openTranscript, type TimedEvent, type Transcript } from './transcript/read-transcript.ts';
export { type RecordingOptions, recordedAgent } from './transcript/record-agent.ts';
export { openRecorder, type Recorder, type RecorderOptions } from './transcript/recorder.ts';
export type {
  RecordedEvent,
  TranscriptEntry,
  TranscriptHeader,
  TranscriptLine,
  TranscriptModel,
  TranscriptTool,
} from './transcript/transcript.ts';
