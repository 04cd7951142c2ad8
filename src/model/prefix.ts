/** What the prompts of every dialogue with the same system text and tools begin with. */
import type { Conversation, Message, Prompt, RenderOptions, Template } from '../../templates/template.ts';

/** Those of a dialogue's kinds of turns; whatever else was asked for before is not coming back soon. */
const remembered = 4;

/** As `fixedPrefix`; a model's own chat template takes up to 80 ms for twenty tools, so it is not asked at each turn. */
export function prefixFinder(
  template: Template,
): (conversation: Conversation, render?: RenderOptions) => Prompt {
  const known = new Map<string, Prompt>();
  return (conversation, render) => {
    const key = JSON.stringify([systemOf(conversation), conversation.tools, render]);
    const found = known.get(key);
    if (found) return found;
    if (known.size >= remembered) known.clear();
    const prefix = fixedPrefix(template, conversation, render);
    known.set(key, prefix);
    return prefix;
  };
}

/**
 * The common beginning of two dialogues that differ from their first question on: wherever a format and a schema placement put the
 * system text and the tools, what stands before the question is in it, and what stands behind is not.
 *
 * A text at its end loses its white space, which would be one token with what a question begins with.
 */
export function fixedPrefix(template: Template, conversation: Conversation, render?: RenderOptions): Prompt {
  const system = systemOf(conversation);
  const { tools } = conversation;
  const [left, right] = ['0', 'x'].map(content =>
    template.render({ messages: [...system, { role: 'user', content }], tools }, render),
  ) as [Prompt, Prompt];
  let length = 0;
  while (length < left.length && same(left[length], right[length])) length++;
  const common = left.slice(0, length);
  const last = common.at(-1);
  if (!last || 'control' in last) return common;
  const text = last.text.trimEnd();
  return [...common.slice(0, -1), ...(text === '' ? [] : [{ ...last, text }])];
}

function systemOf({ messages }: Conversation): readonly Message[] {
  const first = messages.findIndex(message => message.role !== 'system');
  return messages.slice(0, first === -1 ? messages.length : first);
}

function same(left: Prompt[number] | undefined, right: Prompt[number] | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
