/** `rawcall run` and `chat` with a model elsewhere. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { builtCli } from '../../scripts/build-if-needed.mjs';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import { completion, json, models, scriptedServer, status } from '../engine/endpoint/scripted-server.ts';
import { practiceModel } from '../engine/practice.ts';
import { startServer, type TestServer } from '../server/server.ts';
import { rawcall, temporaryFolder } from './rawcall.ts';

const question = 'What is 31 plus 11?';
const calc = [
  '--mcp-command',
  process.execPath,
  '--mcp-args',
  `${builtCli} mcp-server calc`,
  '--approve',
  'auto',
];

async function practiceServer(key?: string): Promise<TestServer & AsyncDisposable> {
  const engine: LlamaEngine = await openLlamaEngine({ model: practiceModel, contextSize: 2048, gpu: 'off' });
  const server = await startServer(engine, key === undefined ? {} : { access: { key } });
  return {
    ...server,
    get errors() {
      return server.errors;
    },
    get ends() {
      return server.ends;
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await engine.close();
    },
  };
}

test('a run over --api chat, with a key from the environment, calls a tool here and answers', async () => {
  await using server = await practiceServer('sk-77');
  const args = ['run', question, '--endpoint', server.url, '--api', 'chat', '--show', 'calls', ...calc];
  const { stdout, stderr, code } = await rawcall(args, { env: { RAWCALL_ENDPOINT_KEY: 'sk-77' } });
  expect(stderr).toContain('add(a=31, b=11)');
  expect({ stdout, code }).toEqual({ stdout: '31 plus 11 is 42.\n', code: 0 });
});

test('our own server takes our prompts too, and its control tokens are tokens', async () => {
  await using server = await practiceServer();
  const args = ['run', question, '--endpoint', server.url, '--format', 'qwen', '--json', ...calc];
  const { json: lines, code } = await rawcall(args);
  expect(code).toBe(0);
  expect(lines().at(-1)).toMatchObject({ type: 'run-end', answer: '31 plus 11 is 42.' });
  const usages = lines().filter(({ type }) => type === 'usage');
  // As letters the markers of the call alone would be dozens of tokens.
  expect(usages[1].prompt - usages[0].prompt).toBeLessThan(60);

  const held = await rawcall([...args.with(1, 'Hello!'), '--constrain', 'required']);
  expect(held.json().filter(({ type }) => type === 'call-end')).not.toEqual([]);
});

test('a wrong key is refused by the server, and is in no message', async () => {
  await using server = await practiceServer('sk-77');
  const args = ['run', question, '--endpoint', server.url, '--api', 'chat', '--endpoint-key', 'sk-13579'];
  const { stderr, code } = await rawcall(args);
  expect(stderr).toMatch(/\/v1: it answered 401: .*Check the key/);
  expect(stderr).not.toContain('13579');
  expect(code).toBe(1);
});

test('a chat keeps its dialogue and goes on from it', async () => {
  await using server = await practiceServer();
  const file = path.join(temporaryFolder(), 'talk.json');
  const args = ['chat', '--endpoint', server.url, '--api', 'chat', ...calc];
  const first = await rawcall([...args, '--save', file], { stdin: `${question}\n/usage\n` });
  expect(first.stdout).toContain('31 plus 11 is 42.');
  expect(first.stderr).toMatch(/turn 2: \d+ prompt tokens/);
  const second = await rawcall([...args, '--resume', file], { stdin: 'What is 5 plus 6?\n' });
  expect(second.stdout).toContain('5 plus 6 is 11.');
});

test('a run over completions: the format is needed where the server tells no chat template', async () => {
  const server = await scriptedServer({
    '/v1/models': models(),
    '/v1/completions': completion(['Forty-two.']),
  });
  const args = ['run', 'Say <|im_end|>.', '--endpoint', server.url];
  const without = await rawcall(args);
  expect(without.stderr).toContain('does not tell its chat template. Give --format');
  expect(without.code).toBe(2);
  const { stdout, stderr, code } = await rawcall([...args, '--format', 'hermes', '--endpoint-model', 'mine']);
  expect({ stdout, code }).toEqual({ stdout: 'Forty-two.\n', code: 0 });
  expect(stderr).toMatch(/takes text and no token ids: control words .* are broken/);
  expect(stderr).toContain('A text of the user holds the control word <|im_end|>');
  expect(server.of('/v1/completions')[0]?.body).toMatchObject({
    model: 'mine',
    prompt: expect.stringContaining('Say <\u200D|im_end|>.<|im_end|>'),
  });
  const refused = await rawcall([...args, '--format', 'hermes', '--untrusted', 'refuse']);
  expect(refused.stderr).toContain('holds the control word "<|im_end|>"');
  expect(refused.code).toBe(1);
});

test('a llama-server tells its chat template, and the format is found in it', async () => {
  const chatTemplate =
    "{% for message in messages %}{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";
  const server = await scriptedServer({
    '/v1/models': models('llamacpp', { meta: { n_params: 8e9 } }),
    '/props': json({ chat_template: chatTemplate, default_generation_settings: { n_ctx: 512 } }),
    '/tokenize': status(404),
    '/v1/completions': completion(['Hi.']),
  });
  const { stdout, stderr } = await rawcall(['run', 'Hello', '--endpoint', server.url, '--show', 'usage']);
  expect(stdout).toBe('Hi.\n');
  expect(stderr).toContain('the model has 8 billion parameters');
  expect(server.of('/v1/completions')[0]?.body.prompt).toMatch(
    /<\|im_start\|>user\nHello<\|im_end\|>\n<\|im_start\|>assistant\n$/,
  );
});

test('several endpoints, one of them down, in a config file', async () => {
  const server = await scriptedServer({ '/v1/models': models(), '/v1/completions': completion(['Yes.']) });
  const folder = temporaryFolder();
  const config = { endpoint: ['http://127.0.0.1:9', server.url], format: 'hermes' };
  writeFileSync(path.join(folder, 'rawcall.json'), JSON.stringify(config));
  const { stdout, code } = await rawcall(['run', 'Well?'], { cwd: folder });
  expect({ stdout, code }).toEqual({ stdout: 'Yes.\n', code: 0 });
});

test.each([
  [['--endpoint', 'nowhere'], /The endpoint nowhere can't be used/],
  [['--endpoint', 'http://127.0.0.1:9', '--model', 'x.gguf'], /--model is of a model on this machine/],
  [['--endpoint', 'http://127.0.0.1:9', '--api', 'chat', '--format', 'qwen'], /--format shapes prompts/],
  [['--api', 'chat'], /--api says how an endpoint is asked, and there is none: give --endpoint/],
])('%j is a mistake', async (args, message) => {
  const { stderr, code } = await rawcall(['run', 'Hi', ...args]);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});
