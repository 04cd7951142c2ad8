/** A llama-server, as the wheel xllamacpp brings it: `pip install --target FOLDER xllamacpp`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ServerOptions {
  /** Where the wheel is. */
  readonly folder: string;
  readonly model: string;
  /** Of each request. */
  readonly contextSize: number;
  /** Requests that run side by side. Default 1. */
  readonly parallel?: number;
  readonly threads: number;
  /** Empty: the model's own. */
  readonly template: string;
}

export interface StartedServer {
  readonly address: string;
  close(): Promise<void>;
}

/** Tells where it listens, and ends with its standard input. */
const program = `
import sys, xllamacpp
model, context, threads, parallel, template = sys.argv[1:]
params = xllamacpp.CommonParams()
params.model.path = model
params.n_parallel = int(parallel)
params.n_ctx = int(context) * params.n_parallel
params.n_gpu_layers = 0
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(threads)
params.use_jinja = True
params.chat_template = template
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
`;

export async function startServer(options: ServerOptions): Promise<StartedServer> {
  const { folder, model, contextSize, parallel = 1, threads, template } = options;
  const numbers = [contextSize, threads, parallel].map(String);
  const child = spawn('python3', ['-c', program, model, ...numbers, template], {
    env: { ...process.env, PYTHONPATH: folder },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The llama-server ended with ${code} before it listened.`);
  });
  const [address] = await Promise.race([once(createInterface(child.stdout), 'line'), failed]);
  failed.catch(() => {});
  return {
    address,
    async close() {
      child.stdin.end();
      await failed.catch(() => {});
    },
  };
}
