/** What a step adds to a prompt, in time that does not grow with the dialogue. */
import type { AssistantMessage, Conversation, Message, Prompt, RenderOptions, Template } from './template.ts';

/**
 * The pieces that stand behind the last completion: the end of its turn, the messages after it and the opening of the next
 * reply. Together with the prompt of that completion and the completion itself they are the whole conversation's prompt,
 * provided that the template only appends from there on (law 7; two of Mistral's natively don't, at a new question).
 *
 * `undefined` where no assistant message has a `completion`, or where the template does not write completions back.
 */
export function continuation(
  template: Template,
  { messages, tools }: Conversation,
  options: RenderOptions = {},
): Prompt | undefined {
  const last = messages.findLastIndex(isCompleted);
  if (last === -1) return undefined;
  const mark = [Number.NaN];
  const message = messages[last] as AssistantMessage;
  // A template may look at how the completion ended, and at nothing else of it.
  const end = message.completion?.slice(-1).filter(piece => piece.control) ?? [];
  const reply: Message = { ...message, completion: [{ text: 'completion', tokens: mark }, ...end] };
  const exchange: Message[] = [{ role: 'user', content: 'question' }, reply, ...messages.slice(last + 1)];
  const prompt = template.render({ messages: exchange, tools }, options);
  const at = prompt.findIndex(piece => piece.tokens === mark);
  return at === -1 ? undefined : prompt.slice(at + 1 + end.length);
}

function isCompleted(message: Message): boolean {
  return message.role === 'assistant' && message.completion !== undefined;
}
