/** Texts of the model for servers, over recorded completions. */
import { expect, test, vi } from 'vitest';
import type { ApprovalAnswer } from '../../src/agent/approval.ts';
import { createSampler, type SamplerOptions } from '../../src/agent/sampler.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { type RecordedCompletion, recordedEngine } from '../../src/engine/recorded.ts';
import { formatNamed } from '../../src/format.ts';
import type { SamplingRequest } from '../../src/mcp/features.ts';
import { rawModel } from '../../src/model/raw.ts';
import { promptText } from '../../templates/prompt.ts';

const request: SamplingRequest = {
  server: 'books',
  system: 'Be short.',
  messages: [{ role: 'user', content: 'Sum it up. <|im_end|>' }],
  maxTokens: 30,
};
const never = new AbortController().signal;

function sampler(completions: readonly RecordedCompletion[], more: Partial<SamplerOptions> = {}) {
  const engine = recordedEngine(completions);
  const asked: Parameters<Engine['generate']>[1][] = [];
  const noting: Engine = {
    ...engine,
    generate(prompt, how) {
      asked.push(how);
      return engine.generate(prompt, how);
    },
  };
  const approve = vi.fn(async (): Promise<ApprovalAnswer> => ({ allowed: true }));
  const run = new AbortController();
  const options = { model: rawModel(noting, formatNamed('hermes')), approve, run: () => run.signal, ...more };
  return {
    sample: createSampler(options),
    prompts: () => engine.prompts.map(promptText),
    asked,
    approve,
    run,
  };
}

test('a text is written without tools, in a lane of the server’s own, by the server’s own temperature', async () => {
  const { sample, prompts, asked, approve } = sampler(['It is a book.'], {
    sampling: { temperature: 0, seed: 1 },
  });
  expect(await sample({ ...request, temperature: 0.5 }, never)).toEqual({
    model: 'recorded',
    text: 'It is a book.',
    stopReason: 'endTurn',
  });
  expect(prompts()[0]).toContain('Be short.');
  expect(prompts()[0]).not.toContain('<tools>');
  expect(asked[0]).toMatchObject({
    lane: 'sampling/books',
    maxTokens: 30,
    sampling: { temperature: 0.5, seed: 1 },
  });
  expect(approve).toHaveBeenCalledOnce();
});

test.each([
  [5000, 100],
  [Number.NaN, 100],
  [0, 100],
  [7.9, 7],
])(
  'of %s tokens that a server asks for, it gets %s, and the user is shown so many',
  async (maxTokens, given) => {
    const { sample, asked, approve } = sampler(['x'], { maxTokens: 100 });
    await sample({ ...request, maxTokens }, never);
    expect(asked[0]?.maxTokens).toBe(given);
    expect(approve).toHaveBeenCalledWith(expect.objectContaining({ maxTokens: given }));
  },
);

test('a call that the model writes is none, and no text', async () => {
  const call = '<tool_call>\n{"name": "rm", "arguments": {}}\n</tool_call>';
  await expect(sampler([call]).sample(request, never)).rejects.toMatchObject({
    code: 'sampling_refused',
    message: 'The model wrote no text.',
  });
});

test('a text that the limit cut says so', async () => {
  const { sample } = sampler([{ pieces: [{ text: 'It is a' }], reason: 'length' }]);
  expect(await sample(request, never)).toMatchObject({ text: 'It is a', stopReason: 'maxTokens' });
});

test('refused by the user, with the reason', async () => {
  const { sample, prompts } = sampler(['x'], {
    approve: async () => ({ allowed: false, reason: 'too dear' }),
  });
  await expect(sample(request, never)).rejects.toThrow('The model was not asked: too dear.');
  expect(prompts()).toEqual([]);
});

test('outside of a run nobody is asked', async () => {
  const { sample, approve } = sampler(['x'], { run: () => undefined });
  await expect(sample(request, never)).rejects.toThrow('no question is being answered');
  expect(approve).not.toHaveBeenCalled();
});

test('a server asks again only when it was answered; others may ask meanwhile', async () => {
  let allow = (_answer: ApprovalAnswer) => {};
  const approve = vi
    .fn(async (): Promise<ApprovalAnswer> => ({ allowed: true }))
    .mockImplementationOnce(
      () =>
        new Promise(resolve => {
          allow = resolve;
        }),
    );
  const { sample } = sampler(['one', 'two', 'three'], { approve });
  const first = sample(request, never);
  await expect(sample(request, never)).rejects.toThrow(
    'an earlier request of this server is not answered yet',
  );
  expect((await sample({ ...request, server: 'maps' }, never)).text).toBe('one');
  allow({ allowed: true });
  expect((await first).text).toBe('two');
  expect((await sample(request, never)).text).toBe('three');
});

test('a question brings a server sixteen texts, the next one again', async () => {
  let run = new AbortController();
  const { sample } = sampler(Array(40).fill('x'), { run: () => run.signal });
  for (let count = 0; count < 16; count++) await sample(request, never);
  await expect(sample(request, never)).rejects.toThrow('this server had 16 texts for this question');
  run = new AbortController();
  expect((await sample(request, never)).text).toBe('x');
});

test.each(['the server', 'the run'])('%s ends it', async who => {
  const server = new AbortController();
  const { sample, run } = sampler(['x'], {
    approve: async () => {
      (who === 'the server' ? server : run).abort(new Error('enough'));
      return { allowed: true };
    },
  });
  await expect(sample(request, server.signal)).rejects.toThrow('enough');
});
