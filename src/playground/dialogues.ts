/** All dialogues: those that were kept, and those that begin. */
import { randomUUID } from 'node:crypto';
import { refuse } from '../server/api-error.ts';
import { type Dialogue, type DialogueOptions, openDialogue } from './dialogue.ts';
import { openLog } from './dialogue-log.ts';
import type { DialogueStore } from './dialogue-store.ts';
import { endInterrupted } from './interrupted.ts';
import type { DialogueSummary } from './protocol.ts';

export interface Dialogues {
  /** The newest first. */
  readonly summaries: readonly DialogueSummary[];
  /** @throws RawcallError `api_error` (404) */
  get(id: string): Dialogue;
  create(name?: string): Dialogue;
  remove(id: string): Promise<void>;
  watch(changed: () => void): () => void;
  /** Ends all runs. */
  close(): Promise<void>;
}

export interface DialoguesOptions extends Omit<DialogueOptions, 'log' | 'onChange'> {
  readonly store: DialogueStore;
  readonly now: () => number;
}

export function openDialogues({ store, now, ...options }: DialoguesOptions): Dialogues {
  const watchers = new Set<() => void>();
  const dialogues = new Map<string, Dialogue>();
  for (const content of store.kept) {
    const log = openLog(content, store.keeper(content.id), now);
    endInterrupted(log);
    add(log);
  }

  function onChange(): void {
    for (const watcher of watchers) watcher();
  }

  function add(log: ReturnType<typeof openLog>): Dialogue {
    const dialogue = openDialogue({ ...options, log, onChange });
    dialogues.set(log.id, dialogue);
    return dialogue;
  }

  function get(id: string): Dialogue {
    return (
      dialogues.get(id) ??
      refuse({
        status: 404,
        type: 'invalid_request_error',
        code: 'unknown_dialogue',
        message: `There is no dialogue "${id}"; it may have been deleted.`,
      })
    );
  }

  return {
    get summaries() {
      const all = [...dialogues.values()].map(({ summary }) => summary);
      return all.sort((left, right) => right.createdAt - left.createdAt);
    },
    get,
    create(name) {
      const id = randomUUID().slice(0, 8);
      const createdAt = now();
      const keep = store.keeper(id);
      keep({ type: 'dialogue', version: 1, id, createdAt });
      const log = openLog({ id, createdAt, events: [], prompts: [], snapshots: [] }, keep, now);
      const dialogue = add(log);
      if (name !== undefined) dialogue.rename(name);
      else onChange();
      return dialogue;
    },
    async remove(id) {
      const dialogue = get(id);
      dialogues.delete(id);
      await dialogue.stop();
      dialogue.log.events.close();
      store.remove(id);
      onChange();
    },
    watch(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    async close() {
      await Promise.all([...dialogues.values()].map(dialogue => dialogue.stop()));
    },
  };
}
