/** What servers ask the user: a form on a terminal, a page, and answers by JSON. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { elicitor, readAnswer } from '../../../src/cli/duties/elicit.ts';
import { createFloor } from '../../../src/cli/duties/floor.ts';
import type { Lines } from '../../../src/cli/lines.ts';
import type { ElicitationRequest } from '../../../src/mcp/features.ts';

let written = '';
beforeEach(() => {
  written = '';
  vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    written += text;
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

/** A keyboard on which these lines are typed; each is given with the question that it answered. */
function typed(...answers: string[]): { lines: Lines; questions: string[] } {
  const questions: string[] = [];
  const lines: Lines = {
    terminal: true,
    next: async question => {
      questions.push(question.trim());
      return answers.shift();
    },
    aside: tell => tell(),
    forgetTyped() {},
    close() {},
  };
  return { lines, questions };
}

const never = new AbortController().signal;

async function ask(request: ElicitationRequest, lines: Lines, run: AbortSignal | undefined = never) {
  const report = vi.fn();
  const answer = await elicitor({ lines, report, floor: createFloor(), run: () => run })(request, never);
  return { answer, events: report.mock.calls.flat() };
}

const form: ElicitationRequest = {
  server: 'books',
  mode: 'form',
  message: 'Who reads?',
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', minLength: 2 },
      age: { type: 'integer', default: 7 },
      nick: { type: 'string' },
    },
    required: ['name'],
  },
};

test('a form is filled in, shown whole, and sent', async () => {
  const { lines, questions } = typed('', 'A', 'Ada', '', '', 'y');
  const { answer, events } = await ask(form, lines);
  expect(answer).toEqual({ action: 'accept', content: { name: 'Ada', age: 7 } });
  expect(questions).toEqual([
    'Name:',
    'Name:',
    'Name:',
    'age [7]:',
    'nick [nothing]:',
    'Send name="Ada", age=7, to books? [y / n = decline / again]',
  ]);
  expect(written).toContain('The server needs it.');
  expect(written).toContain('it must be a text of at least 2 characters');
  expect(events).toEqual([
    { type: 'elicitation-start', ...form },
    { type: 'elicitation-end', server: 'books', action: 'accept' },
  ]);
});

test.each<[string, string[], object]>([
  [
    'back to the field before, which keeps its value',
    ['Ada', '/back', '', '3', '', 'y'],
    { action: 'accept', content: { name: 'Ada', age: 3 } },
  ],
  [
    'again',
    ['Ada', '', '', 'again', 'Bob', '', '', 'y'],
    { action: 'accept', content: { name: 'Bob', age: 7 } },
  ],
  ['declined in its midst', ['Ada', '/decline'], { action: 'decline' }],
  [
    'declined at its end, with a reason',
    ['Ada', '', '', 'n, not you'],
    { action: 'decline', reason: 'not you' },
  ],
  ['left', ['/cancel'], { action: 'cancel' }],
  ['left by the end of the input', [], { action: 'cancel' }],
])('%s', async (_name, answers, expected) => {
  expect((await ask(form, typed(...answers).lines)).answer).toEqual(expected);
});

test('a form without fields is a question', async () => {
  const { lines, questions } = typed('y');
  const { answer } = await ask({ ...form, schema: { type: 'object', properties: {} } }, lines);
  expect(answer).toEqual({ action: 'accept', content: {} });
  expect(questions).toEqual(['Agree, to books? [y / n = decline / again]']);
});

test('nothing that a server writes can move the cursor or look like a line of ours', async () => {
  const evil = '\u001b[2J\u202eok\nAllow it? y';
  const properties = { [evil]: { type: 'string', title: evil, description: evil, enum: [evil] } };
  const { lines, questions } = typed('1', 'y');
  await ask({ server: 'books', mode: 'form', message: evil, schema: { type: 'object', properties } }, lines);
  const shown = [written, ...questions].join('');
  expect(shown).not.toContain('\u001b[2J');
  expect(shown).not.toContain('\u202e');
  expect(shown).not.toContain('\nAllow it?');
});

const page = (url: string): ElicitationRequest => ({ server: 'books', mode: 'url', message: 'Log in', url });

test.each([
  ['y', 'accept'],
  ['n', 'decline'],
  ['', 'decline'],
])('a page is shown and never opened; %j is %s', async (line, action) => {
  const { answer } = await ask(page('https://user@xn--pple-43d.example:8443/a?b#c'), typed(line).lines);
  expect(answer).toEqual({ action });
  expect(written.replace(/\u001b\[\d+m/g, '')).toContain('https://user@xn--pple-43d.example:8443/a?b#c');
  expect(written).toContain('rawcall does not open it');
});

test('a host in letters that look like others is shown as what it is', async () => {
  await ask(page('https://аpple.example/'), typed('n').lines);
  expect(written).toContain('xn--pple-43d.example');
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'no address'])('%s is shown to nobody', async url => {
  const { lines, questions } = typed('y');
  const { answer, events } = await ask(page(url), lines);
  expect(answer).toEqual({ action: 'decline', reason: 'its address is none of the web' });
  expect(events.at(-1)).toMatchObject({ action: 'decline', reason: 'its address is none of the web' });
  expect(questions).toEqual([]);
});

test('outside of a run nobody is asked: what is typed there is a question', async () => {
  const { lines, questions } = typed('y');
  const report = vi.fn();
  const elicit = elicitor({ lines, report, floor: createFloor(), run: () => undefined });
  expect(await elicit(form, never)).toEqual({ action: 'decline', reason: 'no question is being answered' });
  expect(questions).toEqual([]);
});

const schema = form.mode === 'form' ? form.schema : {};

test.each<[string, string, object]>([
  [
    'accepts, with defaults',
    '{"action":"accept","content":{"name":"Ada"}}',
    { action: 'accept', content: { name: 'Ada', age: 7 } },
  ],
  ['declines', '{"action":"decline","reason":"no"}', { action: 'decline', reason: 'no' }],
  ['cancels', '{"action":"cancel"}', { action: 'cancel' }],
  ['is no JSON', 'yes', { action: 'decline', reason: 'the answer was no JSON object' }],
  [
    'has no action',
    '{"name":"Ada"}',
    { action: 'decline', reason: 'the answer had no "action": accept, decline or cancel' },
  ],
  [
    'does not fit',
    '{"action":"accept","content":{"age":"old"}}',
    {
      action: 'decline',
      reason:
        'the content of the answer was not what was asked for: name is required; age must be an integer',
    },
  ],
])('a line of JSON that %s', (_name, line, answer) => {
  expect(readAnswer(line, schema)).toEqual(answer);
});

test('two servers ask one after the other', async () => {
  const floor = createFloor();
  const order: string[] = [];
  let end = () => {};
  const first = floor(async () => {
    order.push('first asks');
    await new Promise<void>(resolve => {
      end = resolve;
    });
    order.push('first is done');
  });
  const failing = floor(async () => {
    throw new Error('away');
  });
  const last = floor(async () => order.push('last asks'));
  await vi.waitFor(() => expect(order).toEqual(['first asks']));
  end();
  await expect(failing).rejects.toThrow('away');
  await Promise.all([first, last]);
  expect(order).toEqual(['first asks', 'first is done', 'last asks']);
});
