/** `rawcall serve`: the model behind the chat API. It answers at once, and with 503 until the model is there. */
import { randomUUID } from 'node:crypto';
import { parse } from 'node:path';
import type { Hono } from 'hono';
import type { RenderOptions } from '../../templates/template.ts';
import { isModelName } from '../catalog/find.ts';
import type { Host } from '../mcp/host.ts';
import { rawModel } from '../model/raw.ts';
import { openCallers } from '../playground/callers.ts';
import { openAdmission } from '../server/admission.ts';
import { createApp } from '../server/app.ts';
import { listen } from '../server/listen.ts';
import { openService, type Service } from '../server/service.ts';
import { openChatLog } from './chat-log.ts';
import { usageError } from './exit.ts';
import { type OpenModel, openModel } from './open-model.ts';
import { practiceModel } from './package.ts';
import { openChanges } from './play/desk.ts';
import { fixedModel } from './play/models.ts';
import { isLoopback, newToken, openPlayground, pageAddress } from './play/playground.ts';
import type { Context } from './program.ts';
import { readServeTools, type ServeTools } from './serve-tools.ts';
import type { Values } from './settings.ts';
import { notice } from './show.ts';
import { withShownSchemas } from './shown-schemas.ts';

export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly apiKey?: string;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly name?: string;
  readonly queue: number;
  readonly parallel?: number;
  readonly reasoningContent?: boolean;
  readonly logChats?: string | true;
  readonly runTools?: boolean;
  readonly play?: boolean;
}

export async function serve(context: Context<ServeOptions>): Promise<number> {
  const { values, lifetime } = context;
  const { host, port, queue, allowHost = [], allowOrigin = [] } = values;
  const key = values.apiKey ?? process.env.RAWCALL_API_KEY;
  if (!isLoopback(host) && !key)
    throw usageError(
      `Whoever reaches ${host} could use the model. Give --api-key (or RAWCALL_API_KEY), or leave --host out.`,
    );
  const tools = await readServeTools(context);
  const onChat = values.logChats === undefined ? undefined : await openChatLog(values.logChats, lifetime);
  let service: Service | undefined;
  let parallel = 1;
  let playground: Hono | undefined;
  const app = createApp({
    service: () => service,
    admission: openAdmission({ slots: () => parallel, queue, now: Date.now }),
    access: { hosts: [host, ...allowHost], origins: allowOrigin, ...(key ? { key } : {}) },
    reasoningContent: values.reasoningContent ?? wanted(process.env.RAWCALL_REASONING_CONTENT),
    ...(onChat ? { onChat } : {}),
    ...(values.play ? { play: request => playground?.fetch(request) } : {}),
    now: Date.now,
    newId: () => randomUUID().replaceAll('-', '').slice(0, 24),
    onError: error => notice(`A request failed: ${error instanceof Error ? error.message : String(error)}`),
  });
  const listening = await listen(app, { host, port });
  lifetime.closeAtEnd(() => listening.close());
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`;
  notice(`Loading the model; ${address}/v1 answers as soon as it is there.`);
  const opening = openModel(values, lifetime, values.parallel ?? 'auto');
  const callers = openCallers();
  const changes = openChanges();
  const hosting = tools.open(values.play ? { duties: callers.duties, onChange: changes.tell } : {});
  const [model, mcp] = await Promise.all([opening, hosting]);
  parallel = model.engine.parallel;
  service = serviceOf(values, model, mcp, tools);
  process.stdout.write(`${address}/v1 serves ${service.id} (${model.format.name})\n`);
  if (values.play) {
    const token = newToken();
    const models = fixedModel(values, opening, changes.tell);
    await models.begin();
    playground = await openPlayground({
      ...{ values, lifetime, models, callers, changes, allowHost, token },
      ...{ servers: tools.servers, rules: tools.rules, address: host },
      host: () => hosting,
    });
    process.stdout.write(`${pageAddress(address, token)}\n`);
  }
  // Until an interrupt, which leaves through the lifetime.
  return new Promise(() => {});
}

function serviceOf(values: Values & ServeOptions, opened: OpenModel, host: Host, tools: ServeTools): Service {
  const { engine, format } = opened;
  const render = renderOf(values);
  return openService({
    model: rawModel(engine, withShownSchemas(format, values, host.origin)),
    id: values.name ?? idOf(values),
    constrains: format.parser.grammar !== undefined,
    raw: { engine, format },
    render,
    ...(tools.servers.length > 0 ? { tools: tools.of(host, opened, render) } : {}),
  });
}

/** A name of the catalog has dots in it that end no file's name. */
function idOf({ model = practiceModel }: Values): string {
  return isModelName(model) ? model : parse(model).name;
}

function renderOf({ schema, schemaForm, thinking }: Values): RenderOptions {
  return {
    ...(schema ? { schema } : {}),
    ...(schemaForm ? { schemaForm } : {}),
    ...(thinking === undefined ? {} : { thinking }),
  };
}

/** `0`, `false` and `no` turn it off. */
function wanted(variable: string | undefined): boolean {
  return !/^(?:0|false|no)$/i.test(variable?.trim() ?? '');
}
