/** Ten thousand short requests, of a hundred clients at a time that vanish at random. */
import { setTimeout as wait } from 'node:timers/promises';
import { practiceModel } from '../dialogue.ts';
import type { Row } from '../row.ts';
import { startOurServer } from './our-server.ts';

const clients = 100;
const parallel = 8;

export async function soakRows(requests = 10_000): Promise<Row[]> {
  const server = await startOurServer({
    model: practiceModel,
    contextSize: 512,
    threads: 1,
    parallel,
    queue: clients,
    // What is kept is seen, and not what waits to be collected.
    heap: 128,
  });
  const random = randomNumbers(1);
  const errors: string[] = [];
  const memory: number[] = [];
  let [asked, vanished] = [0, 0];

  async function request(): Promise<void> {
    const number = asked++;
    if (number % Math.ceil(requests / 10) === 0) memory.push(server.memory());
    const gone = new AbortController();
    const timer = random() < 0.5 ? setTimeout(() => gone.abort(), random() * 200) : undefined;
    const stream = random() < 0.5;
    const chat = random() < 0.5;
    const said = `Question ${number}: what is ${Math.floor(random() * 100)} plus 11?`;
    try {
      const response = await fetch(`${server.address}/v1/${chat ? 'chat/completions' : 'completions'}`, {
        method: 'POST',
        body: JSON.stringify({
          ...(chat ? { messages: [{ role: 'user', content: said }] } : { prompt: said }),
          stream,
          max_tokens: 12,
        }),
        signal: gone.signal,
      });
      const text = await response.text();
      if (response.status !== 200) errors.push(`${response.status} ${text}`);
      else if (stream && !text.endsWith('data: [DONE]\n\n')) errors.push(`cut: ${text.slice(-200)}`);
    } catch (error) {
      if (gone.signal.aborted) vanished++;
      else errors.push(String(error));
    } finally {
      clearTimeout(timer);
    }
  }

  try {
    const start = performance.now();
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (asked < requests) await request();
      }),
    );
    const seconds = (performance.now() - start) / 1000;
    const held = await running(server.address);
    memory.push(server.memory());
    for (const error of new Set(errors)) console.error(`bench/serve.ts: ${error}`);
    const [early, last] = [memory[2] ?? memory[0]!, memory.at(-1)!];
    return [
      {
        name: `errors that are not the client's, ${requests} short requests, practice`,
        value: errors.length,
        unit: 'errors',
        note: `${clients} clients at a time, of whom ${vanished} vanished; ${parallel} side by side, ${seconds.toFixed(0)} s; target 0`,
      },
      {
        name: 'requests that still hold a place when all clients are gone, practice',
        value: held,
        unit: 'requests',
        note: 'a second after the last one; target 0',
      },
      {
        name: 'memory at the end against a fifth of the way, practice',
        value: last / early,
        unit: '×',
        note: `${memory.map(mebibytes).join(', ')} MiB, at each tenth; target ≤ 1.1`,
      },
    ];
  } finally {
    await server.close();
  }
}

/** A second after the last request: what is left then is left for good. */
async function running(address: string): Promise<number> {
  await wait(1000);
  const metrics = await (await fetch(`${address}/metrics`)).text();
  return ['running', 'waiting'].reduce(
    (sum, state) => sum + Number(new RegExp(`^rawcall_requests_${state} (\\d+)$`, 'm').exec(metrics)?.[1]),
    0,
  );
}

const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);

/** The same at every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
