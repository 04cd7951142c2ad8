/** What an endpoint says of itself: which server it is, which model it serves, and how much that holds. */
import { RawcallError } from '../../../parsers/error.ts';
import type { Client } from './client.ts';

/** `other`: it speaks OpenAI's API, and nothing else is known of it. */
export type ServerKind = 'llama-server' | 'vllm' | 'sglang' | 'rawcall' | 'other';

export interface EndpointInfo {
  readonly kind: ServerKind;
  readonly model: string;
  /** In tokens, of one request. */
  readonly contextSize?: number;
  /** How many numbers the weights are. */
  readonly parameters?: number;
  readonly vocabularySize?: number;
  /** In Jinja. */
  readonly chatTemplate?: string;
  readonly bosToken?: string;
  readonly eosToken?: string;
}

interface ModelEntry {
  readonly id?: unknown;
  readonly owned_by?: unknown;
  /** vLLM's and SGLang's. */
  readonly max_model_len?: unknown;
  /** llama-server's. */
  readonly meta?: { readonly n_params?: unknown; readonly n_vocab?: unknown } | null;
}

interface Props {
  readonly default_generation_settings?: { readonly n_ctx?: unknown };
  readonly chat_template?: unknown;
  readonly bos_token?: unknown;
  readonly eos_token?: unknown;
}

const owners: Readonly<Record<string, ServerKind>> = {
  llamacpp: 'llama-server',
  vllm: 'vllm',
  sglang: 'sglang',
  rawcall: 'rawcall',
};

/** @throws RawcallError `endpoint_failed`, also where no model is named and the server lists none */
export async function endpointInfo(client: Client, wanted: string | undefined): Promise<EndpointInfo> {
  const listed = (await unlessMissing(client.json('v1/models'))) as { data?: unknown } | undefined;
  const entries = Array.isArray(listed?.data) ? (listed.data as ModelEntry[]) : [];
  const entry = entries.find(({ id }) => id === wanted) ?? entries[0];
  const model = wanted ?? text(entry?.id);
  if (model === undefined)
    throw client.failed('it lists no model. Name the one to ask: --endpoint-model', { reason: 'garbage' });
  const kind = owners[text(entry?.owned_by) ?? ''] ?? 'other';
  const props =
    kind === 'llama-server' ? ((await unlessMissing(client.json('/props'))) as Props | undefined) : undefined;
  return {
    kind,
    model,
    ...defined({
      contextSize: count(props?.default_generation_settings?.n_ctx) ?? count(entry?.max_model_len),
      parameters: count(entry?.meta?.n_params),
      vocabularySize: count(entry?.meta?.n_vocab),
      chatTemplate: text(props?.chat_template),
      bosToken: text(props?.bos_token),
      eosToken: text(props?.eos_token),
    }),
  };
}

/** What a server has no route for it can do without. */
export async function unlessMissing<Result>(request: Promise<Result>): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    const status = RawcallError.isInstance(error) ? error.details.status : undefined;
    if (status === 404 || status === 405 || status === 501) return undefined;
    throw error;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

function defined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as { [Key in keyof Fields]?: NonNullable<Fields[Key]> };
}
