/** OpenAI's Python client over a socket, from PyPI, in an environment of its own. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { practiceServer, type TestServer } from './server.ts';

const run = promisify(execFile);
const client = 'openai==3.57.0';
const minutes = 5 * 60_000;

let server: TestServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rawcall-python-'));
  await run('python3', ['-m', 'venv', folder]).catch(cause => {
    throw new Error('This test needs python3, 3.9 or later, with its venv module, on the PATH.', { cause });
  });
  await run(python(), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', client]);
  server = await practiceServer();
}, minutes);
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true });
});

const python = () => path.join(folder, process.platform === 'win32' ? 'Scripts' : 'bin', 'python');

test(
  'create, stream, tools, parse and responses',
  async () => {
    const script = path.join(import.meta.dirname, 'python', 'client.py');
    const { stdout } = await run(python(), [script, `${server.url}/v1`]);
    const sum = { a: 31, b: 11 };
    const told = JSON.parse(stdout);
    expect(told).toEqual({
      create: {
        finish: 'tool_calls',
        name: 'math.add',
        arguments: sum,
        generated: expect.any(Number),
      },
      stream: {
        names: ['math.add'],
        pieces: expect.any(Number),
        arguments: sum,
        generated: expect.any(Number),
      },
      helper_stream: {
        kinds: [
          'chunk',
          'content.delta',
          'tool_calls.function.arguments.delta',
          'tool_calls.function.arguments.done',
        ],
        arguments: sum,
      },
      run_tools: { made: [sum], answer: expect.stringContaining('42'), cached: expect.any(Number) },
      parse: { fields: ['certain', 'sum'] },
      responses: { fields: ['certain', 'sum'], last: 'response.completed', names: ['math.add'] },
      refused: { status: 400, param: 'temperature' },
    });
    // What is generated is the same, streamed or not, and the second step finds the first one's prompt.
    expect(told.stream.generated).toBe(told.create.generated);
    expect(told.stream.pieces).toBeGreaterThan(3);
    expect(told.run_tools.cached).toBeGreaterThan(told.create.generated);
    expect(server.errors).toEqual([]);
  },
  minutes,
);
