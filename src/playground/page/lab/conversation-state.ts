/** The messages and tools in the lab, which are rendered and which a model is run on. */
import { playState } from '../shell/news.ts';
import { jsonOf } from './json-field.tsx';
import { kept } from './kept.ts';

export const messages = kept(
  'messages',
  JSON.stringify(
    [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is 31 plus 11?' },
    ],
    null,
    2,
  ),
);

const number = { type: 'number' };
const add = {
  name: 'add',
  description: 'Add two numbers.',
  inputSchema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
};

export const tools = kept('tools', JSON.stringify([add], null, 2));

/** What of both is JSON; undefined: there is nothing to render yet. */
export function conversation(): { readonly messages: unknown; readonly tools?: unknown } | undefined {
  const [said, offered] = [jsonOf(messages.value), jsonOf(tools.value)];
  if ('fault' in said || said.value === undefined || 'fault' in offered) return undefined;
  return { messages: said.value, ...(offered.value === undefined ? {} : { tools: offered.value }) };
}

/** Those that the playground's own servers offer. */
export function takeTools(): void {
  const own = playState.value?.tools ?? [];
  tools.value = JSON.stringify(
    own.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    null,
    2,
  );
}
