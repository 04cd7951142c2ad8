/** What the server tells of itself, as it is now: model, servers, tools, knobs, and the dialogues there are. */
import { signal } from '@preact/signals';
import type { DialogueSummary, PlayNews, PlayState } from '../../protocol.ts';
import type { ApiError } from './api.ts';
import { follow } from './follow.ts';

export const playState = signal<PlayState | undefined>(undefined);
export const dialogues = signal<readonly DialogueSummary[] | undefined>(undefined);
/** Why this page gets nothing at all: it has no token. */
export const refused = signal<ApiError | undefined>(undefined);

export function followNews(): void {
  follow<PlayNews>({
    path: () => 'news',
    onLine(news) {
      if (news.type === 'state') playState.value = news.state;
      else dialogues.value = news.dialogues;
    },
    onRefused(error) {
      refused.value = error;
    },
  });
}
