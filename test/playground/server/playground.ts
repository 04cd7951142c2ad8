/** The playground's server in the test's own process: the practice model, real MCP servers, and everything else as `rawcall play` has it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { parseApproval } from '../../../src/agent/approval.ts';
import type { Lifetime } from '../../../src/cli/lifetime.ts';
import { openChanges } from '../../../src/cli/play/desk.ts';
import { type Models, openModels } from '../../../src/cli/play/models.ts';
import { openPlayground } from '../../../src/cli/play/playground.ts';
import type { Values } from '../../../src/cli/settings.ts';
import type { Host } from '../../../src/mcp/host.ts';
import type { McpServer } from '../../../src/mcp/servers.ts';
import { openCallers } from '../../../src/playground/callers.ts';
import { unpackTurn } from '../../../src/playground/packed-turn.ts';
import type {
  Asked,
  DialogueSummary,
  EventOf,
  Knobs,
  PackedTurn,
  PlayEvent,
  RawTurn,
} from '../../../src/playground/protocol.ts';
import { listen } from '../../../src/server/listen.ts';
import { practiceModel } from '../../engine/practice.ts';
import { readySet } from '../../mcp/helpers.ts';

/** In place of the user's own. */
const data = mkdtempSync(path.join(tmpdir(), 'rawcall-play-'));
process.env.RAWCALL_DATA = data;
afterAll(() => rmSync(data, { recursive: true, force: true }));

export const dialoguesFolder = path.join(data, 'dialogues');
export const runsFolder = path.join(data, 'runs');

export const token = 'only-for-tests';

export interface TestPlayground {
  readonly url: string;
  readonly models: Models;
  readonly host: Host;
  /** As the page asks: with the token. */
  fetch(route: string, init?: RequestInit): Promise<Response>;
  /** @throws what was answered, where that is no success */
  get<Answer>(route: string): Promise<Answer>;
  post<Answer>(route: string, body: object): Promise<Answer>;
  dialogue(name?: string): Promise<TestDialogue>;
  existing(id: string): TestDialogue;
  close(): Promise<void>;
}

export interface TestDialogue {
  readonly id: string;
  /** Gives the events of the run, which it waits for. */
  run(question: string, knobs?: Knobs, at?: number): Promise<readonly PlayEvent[]>;
  ask(question: string, knobs?: Knobs, at?: number): Promise<Asked>;
  /** The first event of this type from number `from` on, as soon as there is one; before the end of a run. */
  next<Type extends PlayEvent['type']>(type: Type, from?: number): Promise<PlayEvent & EventOf<Type>>;
  /** All up to the first that is as wanted. */
  events(until: (event: PlayEvent) => boolean, from?: number): Promise<readonly PlayEvent[]>;
  turn(number: number): Promise<RawTurn>;
  get<Answer>(route: string): Promise<Answer>;
  post<Answer>(route: string, body: object): Promise<Answer>;
}

export interface PlaygroundOptions {
  readonly values?: Values;
  readonly servers?: readonly McpServer[];
  /** The folder with the page's files. Default: a page that is none. */
  readonly pages?: string;
}

export async function startPlayground({
  values = {},
  servers = [],
  pages = standIn(),
}: PlaygroundOptions = {}): Promise<TestPlayground> {
  const given: Values = { model: practiceModel, gpu: 'off', cache: false, ...values };
  const closers: (() => Promise<void>)[] = [];
  const lifetime: Lifetime = {
    closeAtEnd: close => closers.push(close),
    interruptible: () => ({ [Symbol.dispose]() {} }),
    interrupt() {},
    leave: () => Promise.reject(new Error('nothing leaves a test')),
    leaving: false,
  };
  const callers = openCallers();
  const changes = openChanges();
  const models = openModels(given, lifetime, changes.tell);
  const host = await readySet(servers, { duties: callers.duties, onChange: changes.tell });
  closers.push(() => host.close());
  const app = await openPlayground({
    ...{ values: given, lifetime, servers, models, callers, changes, token, pages },
    rules: parseApproval(given.approve ?? []),
    address: '127.0.0.1',
    host: async () => host,
  });
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  closers.push(() => listening.close());
  const url = `http://127.0.0.1:${listening.port}/play/`;

  const ask = (route: string, init: RequestInit = {}) =>
    fetch(`${url}api/${route}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });

  async function answered<Answer>(answer: Response): Promise<Answer> {
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }

  const get = async <Answer>(route: string) => answered<Answer>(await ask(route));
  const post = async <Answer>(route: string, body: object) =>
    answered<Answer>(await ask(route, { method: 'POST', body: JSON.stringify(body) }));

  function existing(id: string): TestDialogue {
    const route = `dialogues/${id}`;

    async function events(until: (event: PlayEvent) => boolean, from = 0): Promise<readonly PlayEvent[]> {
      const seen: PlayEvent[] = [];
      for await (const event of linesOf(await ask(`${route}/events?from=${from}`))) {
        seen.push(event as PlayEvent);
        if (until(event as PlayEvent)) return seen;
      }
      throw new Error(`The stream ended after ${JSON.stringify(seen.at(-1))}.`);
    }

    const askIt = (question: string, knobs: Knobs = {}, at?: number) =>
      post<Asked>(`${route}/ask`, { question, knobs, ...(at === undefined ? {} : { at }) });

    return {
      id,
      events,
      ask: askIt,
      async next<Type extends PlayEvent['type']>(type: Type, from = 0) {
        const seen = await events(event => event.type === type || isEnd(event), from);
        if (seen.at(-1)?.type === type) return seen.at(-1) as PlayEvent & EventOf<Type>;
        throw new Error(`The run ended without ${type}: ${seen.map(event => event.type).join(', ')}`);
      },
      async run(question, knobs, at) {
        const { seq } = await askIt(question, knobs, at);
        return events(isEnd, seq);
      },
      turn: async number => unpackTurn(await get<PackedTurn>(`${route}/turns/${number}`)),
      get: inner => get(`${route}/${inner}`),
      post: (inner, body) => post(`${route}/${inner}`, body),
    };
  }

  return {
    url,
    models,
    host,
    fetch: ask,
    get,
    post,
    existing,
    async dialogue(name) {
      const { id } = await post<DialogueSummary>('dialogues', name === undefined ? {} : { name });
      return existing(id);
    },
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}

function standIn(): string {
  const pages = path.join(data, 'pages');
  mkdirSync(path.join(pages, 'assets'), { recursive: true });
  writeFileSync(path.join(pages, 'index.html'), '<!doctype html><title>The page</title>');
  writeFileSync(path.join(pages, 'assets', 'page-1a2b.js'), 'export {};');
  return pages;
}

export const isEnd = ({ type }: PlayEvent) => type === 'run-end' || type === 'run-failed';

/** The JSON values of a stream of lines; whoever stops reading closes it. */
export async function* linesOf(answer: Response): AsyncGenerator<unknown> {
  let rest = '';
  for await (const text of answer.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line !== '') yield JSON.parse(line);
  }
}
