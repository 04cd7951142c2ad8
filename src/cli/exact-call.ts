/** A call as somebody must see it who is to allow it: whole, every digit as it was written, and nothing hidden. */
import { jsonMembers, spacedJson } from '../../parsers/json-text.ts';
import type { ToolCall } from '../../parsers/parser.ts';
import type { ToolOwner } from '../agent/approval.ts';

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

/**
 * Every character that a terminal would obey or not show is written as its code: control characters, those that turn the
 * direction of writing round, those of no width, line and paragraph separators, and halves of surrogate pairs.
 */
export function exactText(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu,
    character => {
      const code = character.codePointAt(0)!.toString(16);
      return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
    },
  );
}
