/** Approval as the command line asks for it: what the user says is what the model reads. */
import { describe, expect, test, vi } from 'vitest';
import { createAgent } from '../../src/agent/agent.ts';
import { approval } from '../../src/agent/approval.ts';
import type { AgentEvent } from '../../src/agent/events.ts';
import { askUser, readAnswer } from '../../src/cli/ask.ts';
import { exactCall } from '../../src/cli/exact-call.ts';
import type { Lines } from '../../src/cli/lines.ts';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { formatNamed } from '../../src/format.ts';
import { materials } from '../../src/mcp/servers/materials.ts';
import { rawModel } from '../../src/model/raw.ts';
import { promptText } from '../../templates/prompt.ts';

test.each([
  ['y', { allowed: true }],
  [' Yes ', { allowed: true }],
  ['a', { allowed: true, always: true }],
  ['Always', { allowed: true, always: true }],
  ['always ask first', { allowed: false, reason: 'always ask first' }],
  ['n', { allowed: false }],
  ['no', { allowed: false }],
  ['', { allowed: false }],
  ['n because it was weighed today', { allowed: false, reason: 'because it was weighed today' }],
  ['no, ask Ada first', { allowed: false, reason: 'ask Ada first' }],
  ['not now', { allowed: false, reason: 'not now' }],
  ['yes but later', { allowed: false, reason: 'yes but later' }],
  [
    undefined,
    { allowed: false, unasked: true, reason: 'it needs approval, and the input ended before an answer came' },
  ],
])('%j is read as an answer', (line, answer) => {
  expect(readAnswer(line)).toEqual(answer);
});

describe('what is shown of a call', () => {
  const owner = { server: 'bank', tool: 'pay.out', settings: {} };
  const shown = (argumentsText: string, of: typeof owner | undefined = owner) =>
    exactCall({ id: '1', name: 'pay_out', arguments: {}, argumentsText }, of);

  test("the server, the tool's own name and every digit", () => {
    expect(shown('{"to":12345678901234567890,"sum":1.50}')).toBe(
      'bank/pay.out(to=12345678901234567890, sum=1.50)',
    );
    expect(exactCall({ id: '1', name: 'own', arguments: {}, argumentsText: '{}' }, undefined)).toBe('own()');
  });

  test('a long text is there to its end', () => {
    const text = `${'long '.repeat(5000)}end`;
    expect(shown(JSON.stringify({ text }))).toBe(`bank/pay.out(text="${text}")`);
  });

  test.each([
    ['\u001b[2J', '\\u001b[2J'],
    ['\u009b31m', '\\u009b31m'],
    ['a\nb', 'a\\nb'],
    ['abc\u202edef', 'abc\\u202edef'],
    ['a\u200bb', 'a\\u200bb'],
    ['a\u2028b', 'a\\u2028b'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\ud800', '\\ud800'],
    ['grüße 😀', 'grüße 😀'],
  ])('%j: nothing is hidden or obeyed', (text, visible) => {
    expect(shown(JSON.stringify({ text }))).toBe(`bank/pay.out(text="${visible}")`);
    // As the model may have written it, not escaped.
    expect(shown(`{"text":"${text.replace('\n', '\\n')}"}`)).toBe(`bank/pay.out(text="${visible}")`);
  });

  test('a name that holds more than a name stands in quotes', () => {
    expect(shown(JSON.stringify({ 'a=1, b': 2 }))).toBe('bank/pay.out("a=1, b"=2)');
    expect(shown('{}', { ...owner, tool: 'safe() of x/y' })).toBe('bank/"safe() of x/y"()');
  });
});

function linesOf(...waiting: string[]): Lines {
  return {
    terminal: false,
    next: async () => waiting.shift(),
    aside: tell => tell(),
    forgetTyped() {},
    close() {},
  };
}

const call = (name: string, args: object) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

test('the materials are searched without a question, flagged after one, and a no reaches the model', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const engine = recordedEngine([
    call('search_materials', { category: 'chemicals' }),
    `${call('flag_material', { id: 'M-1002', reason: 'no hazard class' })}\n${call('flag_material', { id: 'M-1005', reason: 'zero weight' })}`,
    'M-1002 is flagged; M-1005 was left alone.',
  ]);
  const server = await materials.start([]);
  const asked: string[] = [];
  const origin = (tool: string) => ({ server: 'materials', tool, settings: { trust: true } });
  const ask = askUser({
    lines: linesOf('y', 'n because the scale was off'),
    origin,
    onAsk: ({ name }) => asked.push(name),
    signal: () => undefined,
  });
  const agent = createAgent({
    model: rawModel(engine, formatNamed('hermes')),
    tools: {
      tools: materials.tools,
      call: async (name, args) => ({ content: await server.handlers[name]!(args), isError: false }),
    },
    approve: approval({ ask, origin }),
  });
  const events: AgentEvent[] = [];
  for await (const event of agent.run('Check the chemicals and flag anything broken.')) events.push(event);

  expect(asked).toEqual(['flag_material', 'flag_material']);
  expect(stderr.mock.calls.join('')).toContain(
    'Allow materials/flag_material(id="M-1005", reason="zero weight")? [y / a',
  );
  const sources = events.flatMap(event => (event.type === 'tool-end' ? [event.source] : []));
  expect(sources.sort()).toEqual(['rejection', 'tool', 'tool']);
  expect(promptText(engine.prompts.at(-1)!)).toContain(
    'The user did not allow this call: because the scale was off',
  );
  expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'answered', toolRuns: 2 });
  stderr.mockRestore();
});
