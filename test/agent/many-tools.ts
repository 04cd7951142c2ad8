/** A hundred tools as five servers have them, for tests of what is offered. */
import type { ToolDefinition } from '../../parsers/parser.ts';

const subjects = {
  crm: ['account', 'contact', 'deal', 'note', 'campaign'],
  shop: ['order', 'product', 'customer', 'refund', 'coupon'],
  files: ['file', 'folder', 'archive', 'link', 'permission'],
  calendar: ['meeting', 'room', 'holiday', 'reminder', 'invitation'],
  lab: ['sample', 'reagent', 'instrument', 'protocol', 'measurement'],
} as const;
const verbs = ['search', 'create', 'update', 'delete'] as const;

export const serverNames = Object.keys(subjects);

/** `createDeal` among them, so that a name is taken apart into its words. */
export function toolsOf(server: string): ToolDefinition[] {
  return subjects[server as keyof typeof subjects].flatMap(subject =>
    verbs.map(verb => ({
      name:
        verb === 'create' ? `create${subject[0]!.toUpperCase()}${subject.slice(1)}` : `${verb}_${subject}s`,
      description: `${verb[0]!.toUpperCase()}${verb.slice(1)}s the ${subject}s that the ${server} keeps.`,
      inputSchema: {
        type: 'object',
        properties:
          verb === 'search' ? { query: { type: 'string' } } : { [`${subject}_id`]: { type: 'string' } },
      },
    })),
  );
}

export const hundredTools = serverNames.flatMap(toolsOf);
