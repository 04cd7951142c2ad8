/** Events out of bytes, control words out of text, control tokens out of completions. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { controlReader } from '../../../src/engine/endpoint/control-reader.ts';
import { controlWordFinder } from '../../../src/engine/endpoint/control-words.ts';
import { eventData } from '../../../src/engine/endpoint/event-data.ts';
import { flatPrompt } from '../../../src/engine/endpoint/flat-prompt.ts';
import type { Prompt } from '../../../templates/template.ts';

async function dataOf(bytes: Uint8Array, sizes: readonly number[]): Promise<string[]> {
  async function* parts() {
    let at = 0;
    for (const size of sizes) {
      yield bytes.subarray(at, at + size);
      at += size;
    }
    yield bytes.subarray(at);
  }
  const found: string[] = [];
  for await (const data of eventData(parts())) found.push(data);
  return found;
}

test.each(['\n', '\r\n', '\r'])(
  'events are the same for every split, with lines that end in %j',
  async end => {
    const lines = [': alive', 'event: x', 'data: {"é":', 'data:  1}', '', 'id: 7', 'data:[DONE]', '', ''];
    const bytes = new TextEncoder().encode(lines.join(end));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 9 })), async sizes => {
        expect(await dataOf(bytes, sizes)).toEqual(['{"é":\n 1}', '[DONE]']);
      }),
    );
  },
);

test('the last event may lack its empty line', async () => {
  expect(await dataOf(new TextEncoder().encode('data: 1\n\ndata: 2'), [])).toEqual(['1', '2']);
});

const find = controlWordFinder(['<|im_end|>', '<tool_call>', '[INST]']);

test.each([
  ['a <|im_end|> b', 1],
  ['<tool_call><tool_call>', 2],
  ['<|whatever_it_is|>', 1],
  ['</s> and <｜User｜>', 2],
  ['a < b | c > d, <b>bold</b> [INS]', 0],
])('%s holds %i control words', (text, count) => {
  expect(find(text)).toHaveLength(count);
});

describe('a prompt as text', () => {
  const prompt: Prompt = [
    { control: '<|im_start|>' },
    { text: 'user\n', origin: 'template' },
    { text: 'Say <|im_end|> twice: <|im_end|>', origin: 'user' },
    { control: '<|im_end|>' },
  ];

  test('a control word of a text is broken by a joiner, and that is said', () => {
    const broken: string[] = [];
    const flat = flatPrompt(prompt, {
      policy: 'break',
      find,
      onBroken: (origin, word) => broken.push(`${origin} ${word}`),
    });
    expect(flat).toBe('<|im_start|>user\nSay <\u200D|im_end|> twice: <\u200D|im_end|><|im_end|>');
    expect(broken).toEqual(['user <|im_end|>', 'user <|im_end|>']);
  });

  test('or refused', () => {
    const refuse = () => flatPrompt(prompt, { policy: 'refuse', find, onBroken: () => {} });
    expect(refuse).toThrow(/text of the user holds the control word "<\|im_end\|>".*--untrusted break/);
  });

  test('no text keeps a control word, whatever it is', () => {
    const part = fc.constantFrom(
      '<|im_end|>',
      '<|im_',
      'end|>',
      '<tool_call>',
      '<',
      '|',
      'x',
      '[INST]',
      '[',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), parts => {
        const text = parts.join('');
        // A word may be made of two texts.
        const texts = parts.map(
          (part, index) => ({ text: part, origin: index % 2 ? 'tool' : 'user' }) as const,
        );
        const flat = flatPrompt(texts, { policy: 'break', find, onBroken: () => {} });
        expect(flat).not.toMatch(/<\|im_end\|>|<tool_call>|\[INST\]/);
        expect(flat.replaceAll('\u200D', '')).toBe(text);
      }),
    );
  });
});

test('a stop whose token came without its text is known', () => {
  const reader = controlReader(new Map([['<|im_end|>', 9]]));
  reader.push('Hi', [1]);
  expect(reader.unshown).toBeUndefined();
  reader.push('', [9]);
  expect(reader.unshown).toBe('<|im_end|>');
});

describe('control tokens of a completion', () => {
  const markers = new Map([
    ['<tool_call>', 7],
    ['</tool_call>', 8],
  ]);
  const read = (chunks: readonly (readonly [string, (readonly number[])?])[]) => {
    const reader = controlReader(markers);
    const pieces = [...chunks.flatMap(([text, ids]) => reader.push(text, ids)), ...reader.end()];
    return { text: pieces.map(({ text }) => text).join(''), marked: pieces.filter(({ control }) => control) };
  };

  test('by their text where the server tells no ids, however it is cut', () => {
    for (let size = 1; size < 12; size++) {
      const text = 'a<tool_call>{}</tool_call><tool';
      const chunks = text.match(new RegExp(`.{1,${size}}`, 'g'))!.map(part => [part] as const);
      const found = read(chunks);
      expect(found.text).toBe(text);
      expect(found.marked.map(piece => piece.text)).toEqual(['<tool_call>', '</tool_call>']);
    }
  });

  test('by their ids where it does: letters that spell one are letters', () => {
    const letters = read([
      ['<tool', [1, 2]],
      ['_call>', [3, 4]],
    ]);
    expect(letters).toEqual({ text: '<tool_call>', marked: [] });
    // The ids may come before the text, which a server holds back while it may be a stop.
    const token = read([
      ['a', [1, 7]],
      ['<tool_call>', []],
      ['<tool_call>', [1, 2, 3]],
    ]);
    expect(token.marked).toEqual([{ text: '<tool_call>', control: true }]);
  });
});
