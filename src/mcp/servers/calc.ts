/** `rawcall mcp-server calc`: arithmetic, and an echo to try things with. */
import type { BuiltInServer } from './built-in.ts';

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
};
