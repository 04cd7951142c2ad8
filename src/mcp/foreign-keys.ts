/**
 * Keys that the well-known desktop apps and editors write into an entry besides ours. Those with a meaning of ours are read as ours;
 * the others are told as not used, with what says the same here.
 */

/** What rawcall reads in an entry. */
export const ownKeys = [
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'auth',
  'tools',
  'approval',
  'trust',
  'toolSchemas',
  'timeout',
  'roots',
  'disabled',
] as const;
export type OwnKey = (typeof ownKeys)[number];

/** Windsurf, Gemini CLI, Cline of old, LangChain, Warp, opencode, and Claude Code with Gemini CLI, in this order. */
export const otherNames: Readonly<Record<string, OwnKey>> = {
  serverUrl: 'url',
  httpUrl: 'url',
  transportType: 'type',
  transport: 'type',
  working_directory: 'cwd',
  environment: 'env',
  oauth: 'auth',
};

/** Cursor and Gemini CLI inside `auth`. */
export const otherAuthNames: Readonly<Record<string, string>> = {
  CLIENT_ID: 'clientId',
  CLIENT_SECRET: 'clientSecret',
  scopes: 'scope',
};

/** What only one kind of server has. */
export const keysOf = {
  stdio: ['command', 'args', 'env', 'cwd'],
  http: ['url', 'headers', 'auth'],
} as const satisfies Readonly<Record<string, readonly OwnKey[]>>;

/** Zed, Cherry Studio. */
export const enablingKeys: readonly string[] = ['enabled', 'isActive'];

/** Gemini CLI; Roo Code, Windsurf and Kiro. */
export const toolLists: Readonly<Record<string, 'allow' | 'deny'>> = {
  includeTools: 'allow',
  excludeTools: 'deny',
  disabledTools: 'deny',
};

/** Cline and Roo Code write `timeout` in seconds, an hour at most, and are known by these. */
export const secondsKeys: readonly string[] = ['alwaysAllow', 'autoApprove', 'watchPaths'];
export const mostSeconds = 3600;

const approve = "consent given to another program is not taken over; --approve 'TOOL=auto' gives it here";

/** Known and not used; the advice is empty where there is nothing to do. */
export const unusedKeys: Readonly<Record<string, string>> = {
  alwaysAllow: approve,
  autoApprove: approve,
  envFile: 'write what it sets into "env", or set it before rawcall starts',
  authProviderType: 'rawcall finds out how to log in by itself: rawcall mcp login NAME',
  headersHelper: 'write the headers into "headers", with variables for what is secret',
  tcp: 'servers are reached by "command" or "url"',
  // Listed, so that they are not taken for ours mistyped.
  description: '',
  dev: '',
  displayName: '',
  gallery: '',
  icon: '',
  id: '',
  name: '',
  remote: '',
  sandbox: '',
  settings: '',
  source: '',
  tags: '',
  title: '',
  version: '',
  watchPaths: '',
};
