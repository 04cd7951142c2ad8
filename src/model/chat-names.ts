/** Names of tools as a chat API takes them (letters, digits, `_` and `-`, 64 at most), and the way back: no name is lost. */
import type { Conversation } from '../../templates/template.ts';

export interface ChatNames {
  toApi(name: string): string;
  fromApi(name: string): string;
}

const allowed = /^[A-Za-z0-9_-]{1,64}$/;

/** A name that is allowed stays as it is; another gets one that no other tool of the conversation has. */
export function chatNames({ tools, messages }: Conversation): ChatNames {
  const called = messages.flatMap(message =>
    message.role === 'assistant' ? (message.toolCalls ?? []).map(({ name }) => name) : [],
  );
  const names = [...new Set([...tools.map(({ name }) => name), ...called])];
  const sent = new Map<string, string>();
  const taken = new Set(names.filter(name => allowed.test(name)));
  for (const name of names) {
    if (allowed.test(name)) continue;
    const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 60) || 'tool';
    let other = plain;
    for (let count = 2; taken.has(other); count++) other = `${plain}_${count}`;
    taken.add(other);
    sent.set(name, other);
  }
  const back = new Map([...sent].map(([name, other]) => [other, name]));
  return {
    toApi: name => sent.get(name) ?? name,
    fromApi: name => back.get(name) ?? name,
  };
}
