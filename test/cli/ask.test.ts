/** Approval as the command line asks for it: what the user says is what the model reads. */
import { expect, test, vi } from 'vitest';
import { createAgent } from '../../src/agent/agent.ts';
import { approval } from '../../src/agent/approval.ts';
import type { AgentEvent } from '../../src/agent/events.ts';
import { askUser, readAnswer } from '../../src/cli/ask.ts';
import type { Lines } from '../../src/cli/lines.ts';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { formatNamed } from '../../src/format.ts';
import { materials } from '../../src/mcp/servers/materials.ts';
import { rawModel } from '../../src/model/raw.ts';
import { promptText } from '../../templates/prompt.ts';

test.each([
  ['y', { allowed: true }],
  [' Yes ', { allowed: true }],
  ['n', { allowed: false }],
  ['no', { allowed: false }],
  ['', { allowed: false }],
  ['n because it was weighed today', { allowed: false, reason: 'because it was weighed today' }],
  ['no, ask Ada first', { allowed: false, reason: 'ask Ada first' }],
  ['not now', { allowed: false, reason: 'not now' }],
  ['yes but later', { allowed: false, reason: 'yes but later' }],
  [undefined, { allowed: false, reason: 'the input ended before an answer came' }],
])('%j is read as an answer', (line, answer) => {
  expect(readAnswer(line)).toEqual(answer);
});

function linesOf(...waiting: string[]): Lines {
  return { terminal: false, next: async () => waiting.shift(), forgetTyped() {}, close() {} };
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
  const ask = askUser({
    lines: linesOf('y', 'n because the scale was off'),
    onAsk: ({ name }) => asked.push(name),
    signal: () => undefined,
  });
  const agent = createAgent({
    model: rawModel(engine, formatNamed('hermes')),
    tools: {
      tools: materials.tools,
      call: async (name, args) => ({ content: await server.handlers[name]!(args), isError: false }),
    },
    approve: approval({ ask }),
  });
  const events: AgentEvent[] = [];
  for await (const event of agent.run('Check the chemicals and flag anything broken.')) events.push(event);

  expect(asked).toEqual(['flag_material', 'flag_material']);
  expect(stderr.mock.calls.join('')).toContain('Allow flag_material(id="M-1005", reason="zero weight")?');
  const sources = events.flatMap(event => (event.type === 'tool-end' ? [event.source] : []));
  expect(sources.sort()).toEqual(['rejection', 'tool', 'tool']);
  expect(promptText(engine.prompts.at(-1)!)).toContain(
    'The user did not allow this call: because the scale was off',
  );
  expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'answered', toolRuns: 2 });
  stderr.mockRestore();
});
