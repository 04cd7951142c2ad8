/** `rawcall mcp-server calc`: arithmetic, and an echo to try things with. */
import { numberArgument, refusal, stringArgument } from './arguments.ts';
import type { BuiltInServer, Handler } from './built-in.ts';

const number = { type: 'number' };
const operands = { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] };
const annotations = { readOnlyHint: true, openWorldHint: false };

export const calc: BuiltInServer = {
  name: 'calc',
  tools: [
    { name: 'add', description: 'Add two numbers.', inputSchema: operands, annotations },
    { name: 'subtract', description: 'Subtract b from a.', inputSchema: operands, annotations },
    { name: 'multiply', description: 'Multiply two numbers.', inputSchema: operands, annotations },
    { name: 'divide', description: 'Divide a by b.', inputSchema: operands, annotations },
    {
      name: 'echo',
      description: 'Repeat a text.',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      annotations,
    },
  ],
  start: () => ({
    handlers: {
      add: arithmetic((a, b) => a + b),
      subtract: arithmetic((a, b) => a - b),
      multiply: arithmetic((a, b) => a * b),
      divide: arithmetic((a, b) => {
        if (b === 0) throw refusal('Cannot divide by zero.');
        return a / b;
      }),
      echo: args => (args.text === '' ? '' : stringArgument(args, 'text')),
    },
  }),
};

function arithmetic(compute: (a: number, b: number) => number): Handler {
  return args => {
    const result = compute(numberArgument(args, 'a'), numberArgument(args, 'b'));
    if (!Number.isFinite(result)) throw refusal('The result is too large.');
    return plain(result);
  };
}

/** As a person writes it: 15 significant digits are all that a double holds for certain, so 0.1 + 0.2 is 0.3. */
function plain(value: number): string {
  const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
  return String(rounded === 0 ? 0 : rounded);
}
