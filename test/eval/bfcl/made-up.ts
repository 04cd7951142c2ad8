/** Questions in the leaderboard's form, of our own making. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

export interface Files {
  readonly [name: string]: readonly (object | string)[];
}

const boil = {
  name: 'kitchen.boil',
  description: 'Boils eggs.',
  parameters: {
    type: 'dict',
    properties: {
      eggs: { type: 'integer', description: 'How many.' },
      minutes: { type: 'float', description: 'How long.' },
      salt: { type: 'boolean', optional: true },
    },
    required: ['eggs'],
  },
};

export const question = (id: string, content: string, functions: readonly object[] = [boil]) => ({
  id,
  question: [[{ role: 'user', content }]],
  function: functions,
});

export const madeUp: Files = {
  'BFCL_v4_simple_python.json': [question('simple_python_0', 'Boil six eggs for four minutes.')],
  'BFCL_v4_parallel.json': [
    question('parallel_0', 'Boil two eggs and then three.'),
    question('parallel_1', 'Boil four eggs and then five.'),
    question('parallel_2', 'Boil six eggs and then seven.'),
  ],
  'BFCL_v4_irrelevance.json': [question('irrelevance_0', 'Who wrote Hamlet?')],
  'possible_answer/BFCL_v4_simple_python.json': [
    '{"id": "simple_python_0", "ground_truth": [{"kitchen.boil": {"eggs": [6], "minutes": [4.0, 4.5], "salt": ["", true]}}]}',
  ],
  'possible_answer/BFCL_v4_parallel.json': [2, 4, 6].map((eggs, index) => ({
    id: `parallel_${index}`,
    ground_truth: [eggs, eggs + 1].map(count => ({
      'kitchen.boil': { eggs: [count], minutes: [''], salt: [''] },
    })),
  })),
};

/** A folder with them, such as the wheel has. */
export function bfclFolder(files: Files = madeUp): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-bfcl-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const data = path.join(folder, 'bfcl_eval', 'data');
  mkdirSync(path.join(data, 'possible_answer'), { recursive: true });
  for (const [name, lines] of Object.entries(files)) {
    const texts = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line)));
    writeFileSync(path.join(data, name), `${texts.join('\n')}\n`);
  }
  return folder;
}
