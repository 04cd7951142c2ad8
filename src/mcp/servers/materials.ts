/** `rawcall mcp-server materials`: five records of a stock list, some of them broken, to try a task with. */
import { optionalString, refusal, stringArgument } from './arguments.ts';
import type { BuiltInServer, RunningServer } from './built-in.ts';

const id = { type: 'string', description: 'Such as M-1001.' };
const readOnly = { readOnlyHint: true, openWorldHint: false };

export const materials: BuiltInServer = {
  name: 'materials',
  tools: [
    {
      name: 'search_materials',
      description: 'Find materials by category or words.',
      inputSchema: {
        type: 'object',
        properties: { category: { type: 'string' }, query: { type: 'string' } },
      },
      annotations: readOnly,
    },
    {
      name: 'get_material',
      description: 'Read one material.',
      inputSchema: { type: 'object', properties: { id }, required: ['id'] },
      annotations: readOnly,
    },
    {
      name: 'flag_material',
      description: 'Flag a material as broken.',
      inputSchema: {
        type: 'object',
        properties: { id, reason: { type: 'string' } },
        required: ['id', 'reason'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    },
  ],
  start,
};

/** What is broken: M-1002 and M-1005 have no hazard class, M-1003 has no weight, and M-1005 weighs nothing. */
const records = [
  { id: 'M-1001', name: 'Acetone', category: 'chemicals', weight_kg: 12.5, hazard_class: 'flammable' },
  { id: 'M-1002', name: 'Sulfuric acid', category: 'chemicals', weight_kg: 30, hazard_class: null },
  { id: 'M-1003', name: 'Copper wire', category: 'metals', weight_kg: null, hazard_class: 'none' },
  { id: 'M-1004', name: 'Steel bolts', category: 'metals', weight_kg: 8.4, hazard_class: 'none' },
  { id: 'M-1005', name: 'Ethanol', category: 'chemicals', weight_kg: 0, hazard_class: null },
] as const;

function start(): RunningServer {
  const flags = new Map<string, string>();
  // A flag is a field of the record that it was put on, so that a reader sees it in the next search.
  const shown = (record: (typeof records)[number]) => {
    const flag = flags.get(record.id);
    return JSON.stringify(flag === undefined ? record : { ...record, flag });
  };
  return {
    handlers: {
      search_materials: args => {
        const category = optionalString(args, 'category')?.trim().toLowerCase();
        const words = optionalString(args, 'query')?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
        const found = records.filter(
          record =>
            (category === undefined || record.category === category) &&
            words.every(word =>
              `${record.id} ${record.name} ${record.category}`.toLowerCase().includes(word),
            ),
        );
        const categories = [...new Set(records.map(record => record.category))].join(', ');
        return found.length > 0
          ? found.map(shown).join('\n')
          : `No material found. The categories are: ${categories}.`;
      },
      get_material: args => shown(recordOf(stringArgument(args, 'id'))),
      flag_material: args => {
        const { id } = recordOf(stringArgument(args, 'id'));
        const reason = stringArgument(args, 'reason');
        flags.set(id, reason);
        return `Flagged ${id}: ${reason}`;
      },
    },
  };
}

function recordOf(id: string): (typeof records)[number] {
  const record = records.find(one => one.id === id.trim().toUpperCase());
  if (record) return record;
  throw refusal(`There is no material "${id}". The ids are: ${records.map(one => one.id).join(', ')}.`);
}
