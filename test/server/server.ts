/** A server on a free port, over the practice model or a recording. */
import type { StopReason } from '../../parsers/parser.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { openLlamaEngine } from '../../src/engine/llama.ts';
import { type Format, formatNamed } from '../../src/format.ts';
import { rawModel } from '../../src/model/raw.ts';
import { openAdmission } from '../../src/server/admission.ts';
import { type AppOptions, createApp } from '../../src/server/app.ts';
import { type Listening, listen } from '../../src/server/listen.ts';
import type { ServerTools } from '../../src/server/server-tools.ts';
import { openService } from '../../src/server/service.ts';
import { practiceModel } from '../engine/practice.ts';

export interface TestServer extends Listening {
  readonly url: string;
  /** What was no client's fault. */
  readonly errors: readonly unknown[];
  /** How each turn ended: by itself, or because nobody wanted more of it. */
  readonly ends: readonly (StopReason | 'left')[];
}

export interface ServerOptions extends Partial<AppOptions> {
  readonly format?: Format;
  readonly slots?: number;
  readonly queue?: number;
  readonly tools?: ServerTools;
}

export async function startServer(
  engine: Engine,
  { format = formatNamed('qwen'), slots = 1, queue = 8, tools, ...options }: ServerOptions = {},
): Promise<TestServer> {
  const errors: unknown[] = [];
  let ids = 0;
  const ends: (StopReason | 'left')[] = [];
  const model = rawModel(engine, format);
  const service = openService({
    model: {
      ...model,
      async *turn(prompt, options) {
        let end: StopReason | 'left' = 'left';
        try {
          const result = yield* model.turn(prompt, options);
          end = result.reason;
          return result;
        } finally {
          ends.push(end);
        }
      },
    },
    id: 'practice',
    constrains: format.parser.grammar !== undefined,
    raw: { engine, format },
    ...(tools ? { tools } : {}),
  });
  const app = createApp({
    service: () => service,
    admission: openAdmission({ slots: () => slots, queue, now: Date.now }),
    now: Date.now,
    newId: () => `id${++ids}`,
    onError: error => errors.push(error),
    ...options,
  });
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  return { ...listening, url: `http://127.0.0.1:${listening.port}`, errors, ends };
}

/** Over the practice model, which is closed with it. */
export async function practiceServer(): Promise<TestServer> {
  const engine = await openLlamaEngine({ model: practiceModel, contextSize: 2048, gpu: 'off' });
  const server = await startServer(engine);
  return {
    ...server,
    async close() {
      await server.close();
      await engine.close();
    },
  };
}
