/** What CONTRIBUTING.md has people do with a format of their own, done to its example. A path put into the list is held to the same laws. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Piece, ToolCall } from '../parsers/parser.ts';
import { readCompletion } from '../parsers/read.ts';
import { loadFormatModule } from '../src/format-module.ts';
import type { Message, Prompt } from '../templates/template.ts';
import { rawcall } from './cli/rawcall.ts';
import { messages, tools, untrusted } from './templates/arbitraries.ts';

const root = path.join(import.meta.dirname, '..');
const guide = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
const modules = ['examples/own-format.mjs'];

const callLists: fc.Arbitrary<ToolCall[]> = fc.array(
  fc
    .record({
      name: fc.constantFrom('alpha', 'beta'),
      given: fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(fc.string(), fc.integer(), fc.boolean()), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    })
    .map(({ name, given }) => ({
      id: 'call_1',
      name,
      arguments: given,
      argumentsText: JSON.stringify(given),
    })),
  { minLength: 1, maxLength: 3 },
);

const textOf = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join('');
const controls = (prompt: Prompt) => prompt.flatMap(piece => ('control' in piece ? [piece.control] : []));
const joined = (prompt: Prompt) =>
  prompt.map(piece => ('control' in piece ? `⟦${piece.control}⟧` : piece.text)).join('');

describe.each(modules)('%s', file => {
  const loaded = loadFormatModule(path.join(root, file));

  test('any split gives the same events, as its recorded completions say', async () => {
    const recorded = path.join(root, file.replace(/\.mjs$/, '.jsonl'));
    const { stdout, code } = await rawcall(['check', recorded]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/(\d+) of \1/) });
  });

  test('calls that are written are read back', async () => {
    const { parser } = await loaded;
    fc.assert(
      fc.property(callLists, calls => {
        const read = readCompletion(parser, textOf(parser.write(calls)));
        expect(read).toMatchObject({ problems: [], repairs: [], content: '' });
        expect(read.calls.map(call => [call.name, call.arguments])).toEqual(
          calls.map(call => [call.name, call.arguments]),
        );
      }),
    );
  });

  test('a call that was cut never runs', async () => {
    const { parser } = await loaded;
    const call = { id: 'call_1', name: 'alpha', arguments: {}, argumentsText: '{"a": {"b": 1}}' };
    const text = textOf(parser.write([call]));
    for (let end = 0; end <= text.lastIndexOf('}'); end++) {
      const { calls } = readCompletion(parser, text.slice(0, end), {}, 'length');
      expect(calls, text.slice(0, end)).toEqual([]);
    }
  });

  test('untrusted text never becomes a control token', async () => {
    const { template } = await loaded;
    const own = [...template.controlTokens, ...template.stops];
    const forged = fc
      .array(fc.oneof(fc.constantFrom(...own, '\n'), untrusted))
      .map(parts => `x${parts.join('')}x`);
    fc.assert(
      fc.property(forged, tools, (words, offered) => {
        const ask = (content: string) =>
          template.render({
            messages: [
              { role: 'user', content },
              { role: 'assistant', content: '', toolCalls: [{ ...called }] },
              { role: 'tool', callId: called.id, name: called.name, content },
            ],
            tools: offered.map(tool => ({ ...tool, description: content })),
          });
        expect(controls(ask(words))).toEqual(controls(ask('x')));
      }),
    );
  });

  test('a prompt begins with the last prompt and its completion', async () => {
    const { template } = await loaded;
    fc.assert(
      fc.property(messages, tools, (history, offered) => {
        const before = template.render({ messages: history, tools: offered });
        const reply: Message = {
          role: 'assistant',
          content: 'Well.',
          completion: [{ text: ' Well.\n' }],
        };
        const next: Message[] = [...history, reply, { role: 'user', content: 'And?' }];
        const after = joined(template.render({ messages: next, tools: offered }));
        expect(after.startsWith(`${joined(before)} Well.\n`)).toBe(true);
      }),
    );
  });
});

const called: ToolCall = { id: 'call_1', name: 'alpha', arguments: {}, argumentsText: '{}' };

test('the commands of the guide print what it says', async () => {
  const [, shown = ''] = /prints the prompt .*?`(⟦.*?)`/.exec(guide) ?? [];
  const stdin = '[{"role": "user", "content": "Hi"}]';
  const { stdout } = await rawcall(['render', '-', '--format', path.join(root, modules[0]!)], { stdin });
  expect(shown).not.toBe('');
  expect(stdout).toContain(shown);
});

test('every file and npm script that the guide names is there', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const named = [...guide.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(3);
  for (const name of named) expect(Object.keys(scripts)).toContain(name);
  const files = [...guide.matchAll(/(?:\]\(|`)((?:[\w-]+\/)*[\w.-]+\.(?:md|mjs|ts|jsonl))[)`]/g)];
  expect(files.length).toBeGreaterThan(8);
  for (const [, file = ''] of files)
    if (!file.includes('NAME')) expect(() => readFileSync(path.join(root, file)), file).not.toThrow();
});
