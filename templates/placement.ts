/** Where the tools' schemas stand in one prompt. */
import type { ToolDefinition } from '../parsers/parser.ts';
import type { SchemaPlacement } from './template.ts';
import { lastUserTurn, type Turn } from './turns.ts';

export interface SchemaPlace {
  readonly at: 'system' | 'user' | 'tail' | 'none';
  /** For `user`: the index of the turn that carries them; -1 otherwise. */
  readonly turn: number;
}

/** A conversation without a user turn has the schemas in its system block, where they would be in the user's. */
export function placeSchema(
  tools: readonly ToolDefinition[],
  turns: readonly Turn[],
  schema: SchemaPlacement = 'native',
  native: 'system' | 'first-user' = 'system',
): SchemaPlace {
  const placement = tools.length === 0 ? 'none' : schema === 'native' ? native : schema;
  if (placement !== 'user' && placement !== 'first-user') return { at: placement, turn: -1 };
  const turn = placement === 'user' ? lastUserTurn(turns) : turns.findIndex(one => one.role === 'user');
  return { at: turn === -1 ? 'system' : 'user', turn };
}
