/** What a user does with dialogues, as requests. Each throws `ApiError`. */
import type { Answer, DialogueSummary, Knobs, Question, Renaming } from '../../protocol.ts';
import { ask } from '../shell/api.ts';
import { dialogues } from '../shell/news.ts';
import { go, route } from '../shell/route.ts';

const place = (id: string, ...rest: string[]) => ['dialogues', id, ...rest].map(encodeURIComponent).join('/');

/** Goes to a dialogue in which nothing was asked yet: one that is there, or a new one. */
export async function openEmptyDialogue(): Promise<void> {
  const empty = dialogues.value?.find(({ questions, name }) => questions === 0 && name === '');
  const { id } = empty ?? (await ask<DialogueSummary>('dialogues', { method: 'POST', body: {} }));
  // Who has gone to another view meanwhile is not called back.
  if (route.peek().view === 'chat') go('chat', id);
}

export function renameDialogue(id: string, name: string): Promise<DialogueSummary> {
  const body: Renaming = { name };
  return ask(place(id), { method: 'PATCH', body });
}

export function deleteDialogue(id: string): Promise<void> {
  return ask(place(id), { method: 'DELETE' });
}

/** @param at the exchange that it stands in place of, with all that came after */
export function askQuestion(id: string, question: string, knobs: Knobs, at?: number): Promise<void> {
  const body: Question = { question, knobs, ...(at === undefined ? {} : { at }) };
  return ask(place(id, 'ask'), { method: 'POST', body });
}

export function stopRun(id: string): Promise<void> {
  return ask(place(id, 'stop'), { method: 'POST' });
}

export function answerAsk(id: string, askId: string, body: Answer): Promise<void> {
  return ask(place(id, 'answers', askId), { method: 'POST', body });
}
