import { jsonMembers, spacedJson } from '../../parsers/json-text.ts';
import type { ToolCall } from '../../parsers/parser.ts';
import { visible } from './output.ts';

/** `add(a=31, b=11)`: a call as people read it, with the values as the model wrote them. */
export function callText({ name, argumentsText }: ToolCall): string {
  const members = jsonMembers(argumentsText).map(([key, value]) => `${key}=${spacedJson(value)}`);
  return visible(`${name}(${members.join(', ')})`);
}
