/** What one can do first, by what there is. */
import { smallCaller } from '../../catalog/small-caller.ts';
import { bytesText } from '../../store/bytes-text.ts';
import type { Values } from '../settings.ts';
import type { Found } from './found.ts';

export type Choice = { readonly text: string } & (
  | { readonly does: 'chat'; readonly values: Values }
  | { readonly does: 'find' }
  | { readonly does: 'configure' }
);

/** The questions of this server are what the practice model knows. */
export const practiceServer = { mcpCommand: 'rawcall', mcpArgs: 'mcp-server calc' } as const;

export function choicesFor({ catalog, chosen, stored, elsewhere, servers, configFile }: Found): Choice[] {
  const small = smallCaller(catalog);
  const tools = servers.length === 0 ? practiceServer : {};
  const models = chosen === undefined ? [...stored, ...elsewhere.map(({ name }) => name)] : [];
  return [
    ...(chosen === undefined
      ? [
          {
            text: 'chat on the practice model, which knows little but how to call the calculator',
            does: 'chat' as const,
            values: practiceServer,
          },
        ]
      : [{ text: `chat with ${chosen}`, does: 'chat' as const, values: {} }]),
    ...models.slice(0, 3).map(model => ({
      text: `chat with ${model}, which is here`,
      does: 'chat' as const,
      values: { model, ...tools },
    })),
    ...(small
      ? [
          {
            text: `chat with ${small.model.title} and the adapter ${small.adapter.name}, the smallest that calls any tools (${bytesText(small.file.size.bytes)})`,
            does: 'chat' as const,
            values: {
              model: `${small.model.name}:${small.file.quantisation}`,
              lora: [small.adapter.name],
              ...tools,
            },
          },
        ]
      : []),
    { text: 'find the model that serves best on this machine, and pull it', does: 'find' },
    ...(configFile === undefined
      ? [{ text: 'write a rawcall.json here, to go on from', does: 'configure' as const }]
      : []),
  ];
}
