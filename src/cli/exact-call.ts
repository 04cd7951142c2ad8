/** A call as somebody must see it who is to allow it: whole, every digit as it was written, and nothing hidden. */
import { jsonMembers, spacedJson } from '../../parsers/json-text.ts';
import type { ToolCall } from '../../parsers/parser.ts';
import type { ToolOwner } from '../agent/approval.ts';
import { exactText } from '../exact-text.ts';

/** `materials/flag_material(id="M-1002", reason="…")`: the server, its own name for the tool, and the exact arguments. */
export function exactCall({ name, argumentsText }: ToolCall, owner: ToolOwner | undefined): string {
  const tool = owner ? `${word(owner.server)}/${word(owner.tool)}` : word(name);
  const members = jsonMembers(argumentsText).map(([key, value]) => `${word(key)}=${spacedJson(value)}`);
  return exactText(`${tool}(${members.join(', ')})`);
}

/** In quotes where it could be taken for more than one name. */
function word(name: string): string {
  return /^[\p{L}\p{N}_.$-]+$/u.test(name) ? name : JSON.stringify(name);
}
