/** A server on a free port, over the practice model or a recording. */
import type { Engine } from '../../src/engine/engine.ts';
import { type Format, formatNamed } from '../../src/format.ts';
import { rawModel } from '../../src/model/raw.ts';
import { openAdmission } from '../../src/server/admission.ts';
import { type AppOptions, createApp } from '../../src/server/app.ts';
import { type Listening, listen } from '../../src/server/listen.ts';
import { openService } from '../../src/server/service.ts';

export interface TestServer extends Listening {
  readonly url: string;
  /** What was no client's fault. */
  readonly errors: readonly unknown[];
}

export async function startServer(
  engine: Engine,
  {
    format = formatNamed('qwen'),
    slots = 1,
    queue = 8,
    ...options
  }: Partial<AppOptions> & { format?: Format; slots?: number; queue?: number } = {},
): Promise<TestServer> {
  const errors: unknown[] = [];
  let ids = 0;
  const app = createApp({
    service: openService({
      model: rawModel(engine, format),
      id: 'practice',
      constrains: format.parser.grammar !== undefined,
    }),
    admission: openAdmission({ slots, queue, now: Date.now }),
    now: Date.now,
    newId: () => `id${++ids}`,
    onError: error => errors.push(error),
    ...options,
  });
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  return { ...listening, url: `http://127.0.0.1:${listening.port}`, errors };
}
