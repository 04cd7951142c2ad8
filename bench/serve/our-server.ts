/** `rawcall serve` in a process of its own, as it is built: the command line sets what the library's threads need. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { buildIfNeeded, builtCli } from '../../scripts/build-if-needed.mjs';
import type { StartedServer } from '../peers/start-server.ts';

export interface OurServerOptions {
  readonly model: string;
  readonly contextSize: number;
  readonly threads: number;
  readonly parallel: number;
  readonly queue?: number;
  /** In MiB. Default: as Node has it, which lets garbage lie as long as there is memory. */
  readonly heap?: number;
}

export interface OurServer extends StartedServer {
  /** What the process holds in memory, in bytes. Linux only. */
  memory(): number;
}

const pageSize = 4096;

export async function startOurServer(options: OurServerOptions): Promise<OurServer> {
  const { model, contextSize, threads, parallel, queue = 64, heap } = options;
  buildIfNeeded();
  const flags = { port: 0, model, format: 'qwen2.5', gpu: 'off', contextSize, threads, parallel, queue };
  const child = spawn(
    process.execPath,
    [
      ...(heap === undefined ? [] : [`--max-old-space-size=${heap}`]),
      builtCli,
      ...['serve', '--no-cache'],
      ...Object.entries(flags).flatMap(([name, value]) => [
        `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`,
        String(value),
      ]),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  const failed = ended.then(([code]) => {
    throw new Error(`rawcall serve ended with ${code} before it listened.`);
  });
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), failed]);
  failed.catch(() => {});
  return {
    address: /^\S+?(?=\/v1 )/.exec(String(line))![0],
    memory: () => Number(readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1]) * pageSize,
    async close() {
      child.kill('SIGINT');
      await ended;
    },
  };
}
