/** Law 5: the native layout equals the model's own chat template, byte for byte. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatNamed } from '../../src/format.ts';
import { promptText } from '../../templates/prompt.ts';
import { type Dialogue, dialogues } from './dialogues.ts';
import { qwen3Config } from './qwen3.ts';
import { renderOfficial } from './reference.ts';
import { references } from './references/index.ts';

const render = (format: string, { messages, tools = [], options }: Dialogue) =>
  promptText(formatNamed(format).template.render({ messages, tools }, options));

describe.each(references)('$format', reference => {
  const file = path.join(import.meta.dirname, reference.format, 'native.jsonl');
  const lines: { dialogue: string; text: string }[] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const covered = dialogues.filter(reference.covers);

  test('the fixtures are those of the dialogues', () => {
    expect(lines.map(line => line.dialogue)).toEqual(covered.map(dialogue => dialogue.id));
  });

  test.each(covered)('$id', dialogue => {
    const official = lines.find(line => line.dialogue === dialogue.id)?.text;
    expect(render(reference.format, dialogue)).toBe(official);
  });
});

test.each(dialogues)('qwen, as its published configuration renders $id', dialogue => {
  const reference = references.find(one => one.format === 'qwen')!;
  expect(render('qwen', dialogue)).toBe(renderOfficial(qwen3Config().chat_template, reference, dialogue));
});
