/** Resources, prompts and completions of a server, read with care: an item that is wrong never loses the others. */
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { RawcallError } from '../../parsers/error.ts';
import { type Fields, isFields } from '../../templates/check.ts';
import { resultText } from './content.ts';
import type {
  PromptArgument,
  PromptMessage,
  Resource,
  ResourceContent,
  ResourceTemplate,
  ServerFeatures,
  ServerPrompt,
} from './features.ts';
import type { Requests } from './requests.ts';

export interface FeatureOptions {
  readonly server: string;
  readonly requests: Requests;
  /** As the server declared them; asked when a request is made, since they are known only after the handshake. */
  readonly capabilities: () => Fields;
}

/** Values of a completion, at most. */
const maxValues = 100;

export function serverFeatures({ server, requests, capabilities }: FeatureOptions): ServerFeatures {
  const { ask } = requests;

  function fail(message: string): never {
    throw new RawcallError('mcp_request_failed', `The server "${server}" ${message}`, { server });
  }

  async function whole(method: string, key: string, signal: AbortSignal | undefined) {
    const { items, missing } = await requests.list(method, key, signal);
    if (missing !== undefined) fail(`gave only a part of its ${key}: ${missing}`);
    return items.filter(isFields);
  }

  /** Optional even where a server has resources. */
  async function templates(signal: AbortSignal | undefined): Promise<ResourceTemplate[]> {
    try {
      const listed = await whole('resources/templates/list', 'resourceTemplates', signal);
      return listed.flatMap(readTemplate);
    } catch (error) {
      if (RawcallError.isInstance(error) && error.details.code === ErrorCode.MethodNotFound) return [];
      throw error;
    }
  }

  async function subscription(method: string, uri: string): Promise<void> {
    const { resources } = capabilities();
    if (!isFields(resources) || resources.subscribe !== true) fail('tells of no changes to its resources.');
    await ask(method, { uri });
  }

  return {
    async resources(signal) {
      if (!capabilities().resources) return { resources: [], templates: [] };
      const listed = await whole('resources/list', 'resources', signal);
      return { resources: listed.flatMap(readResource), templates: await templates(signal) };
    },
    async readResource(uri, signal) {
      const { contents } = await ask('resources/read', { uri }, signal);
      if (!Array.isArray(contents)) fail(`answered the reading of ${uri} without contents.`);
      return contents.filter(isFields).map(part => readContent(part, uri));
    },
    subscribe: uri => subscription('resources/subscribe', uri),
    unsubscribe: uri => subscription('resources/unsubscribe', uri),
    async prompts(signal) {
      if (!capabilities().prompts) return [];
      return (await whole('prompts/list', 'prompts', signal)).flatMap(readPrompt);
    },
    async prompt(name, args, signal) {
      const { messages } = await ask('prompts/get', { name, arguments: args }, signal);
      if (!Array.isArray(messages)) fail(`gave the prompt ${name} without messages.`);
      return messages.filter(isFields).map(readMessage);
    },
    async complete(target, argument, value, context) {
      if (!capabilities().completions) return [];
      const ref =
        'prompt' in target
          ? { type: 'ref/prompt', name: target.prompt }
          : { type: 'ref/resource', uri: target.uriTemplate };
      const { completion } = await ask('completion/complete', {
        ref,
        argument: { name: argument, value },
        ...(context ? { context: { arguments: context } } : {}),
      });
      const values = isFields(completion) && Array.isArray(completion.values) ? completion.values : [];
      return values.filter(one => typeof one === 'string').slice(0, maxValues);
    },
  };
}

/** A prompt's or a request's message; its content is one part, or many. */
export function readMessage({ role, content }: Fields): PromptMessage {
  const text = resultText({ content: [content].flat() }).content;
  return { role: role === 'assistant' ? 'assistant' : 'user', content: text };
}

function readResource(item: Fields): Resource[] {
  const uri = text(item.uri);
  if (uri === undefined) return [];
  const size = typeof item.size === 'number' && item.size >= 0 ? { size: item.size } : {};
  return [{ uri, name: text(item.name) ?? uri, ...described(item), ...size }];
}

function readTemplate(item: Fields): ResourceTemplate[] {
  const uriTemplate = text(item.uriTemplate);
  if (uriTemplate === undefined) return [];
  return [{ uriTemplate, name: text(item.name) ?? uriTemplate, ...described(item) }];
}

function readContent(part: Fields, asked: string): ResourceContent {
  return { uri: text(part.uri) ?? asked, ...texts(part, ['mimeType', 'text', 'blob']) };
}

function readPrompt(item: Fields): ServerPrompt[] {
  const name = text(item.name);
  if (name === undefined) return [];
  const listed = Array.isArray(item.arguments) ? item.arguments.filter(isFields) : [];
  return [{ name, ...texts(item, ['title', 'description']), arguments: listed.flatMap(readArgument) }];
}

function readArgument(item: Fields): PromptArgument[] {
  const name = text(item.name);
  return name === undefined
    ? []
    : [{ name, ...texts(item, ['description']), required: item.required === true }];
}

const described = (item: Fields) => texts(item, ['title', 'description', 'mimeType']);

function texts<Key extends string>(item: Fields, keys: readonly Key[]): { readonly [K in Key]?: string } {
  return Object.fromEntries(
    keys.flatMap(key => (typeof item[key] === 'string' ? [[key, item[key]]] : [])),
  ) as { readonly [K in Key]?: string };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
