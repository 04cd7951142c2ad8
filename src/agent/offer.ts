/** Notices that a dialogue's decisions see other tools than before, and says what that costs. */
import type { ToolDefinition } from '../../parsers/parser.ts';
import type { Model, TurnPrompt } from '../model/model.ts';

export interface ToolsChanged {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Of the same name, and with another description or schema. */
  readonly changed: readonly string[];
  /**
   * How many tokens the prompt has from the first on that would be another one with the tools as they were: whatever the KV
   * cache held of them is evaluated anew. Absent where the model has no tokenizer.
   */
  readonly tokens?: number;
}

/** Asked before each decision turn; the first has nothing before it. */
export function offerWatch(model: Model): (prompt: TurnPrompt) => ToolsChanged | undefined {
  let last: readonly ToolDefinition[] | undefined;
  return prompt => {
    const before = last;
    const now = prompt.conversation.tools;
    last = now;
    if (before === undefined || same(before, now)) return undefined;
    const earlier = new Map(before.map(tool => [tool.name, tool]));
    const names = new Set(now.map(({ name }) => name));
    const tokens = evaluatedAnew(model, prompt, before);
    return {
      added: now.flatMap(({ name }) => (earlier.has(name) ? [] : [name])),
      removed: before.flatMap(({ name }) => (names.has(name) ? [] : [name])),
      changed: now.flatMap(tool => {
        const old = earlier.get(tool.name);
        return old && !same(old, tool) ? [tool.name] : [];
      }),
      ...(tokens === undefined ? {} : { tokens }),
    };
  };
}

function evaluatedAnew(
  model: Model,
  { conversation, render, size }: TurnPrompt,
  tools: readonly ToolDefinition[],
): number | undefined {
  return size && size.tokens - size.shared(model.render({ ...conversation, tools }, render).prompt);
}

function same(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
