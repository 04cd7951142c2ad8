/** Follows the log of a dialogue. Events are applied once a frame, however many came. */
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { PlayEvent } from '../../protocol.ts';
import type { ApiError } from '../shell/api.ts';
import { follow } from '../shell/follow.ts';
import { createDialogueLog, type DialogueLog } from './log.ts';

export interface OpenDialogue {
  readonly id: string;
  readonly log: DialogueLog;
  /** Such as that there is no such dialogue, or no longer. */
  readonly refused: ReadonlySignal<ApiError | undefined>;
  close(): void;
}

/** The dialogue of this id, from its first event on; nothing where none is named. */
export function useDialogue(id: string | undefined): OpenDialogue | undefined {
  const [open, setOpen] = useState<OpenDialogue | undefined>();
  // Not an effect, which waits for a frame.
  useLayoutEffect(() => {
    if (id === undefined) return;
    const opened = openDialogue(id);
    setOpen(opened);
    return opened.close;
  }, [id]);
  return open?.id === id ? open : undefined;
}

function openDialogue(id: string): OpenDialogue {
  const log = createDialogueLog();
  const refused = signal<ApiError | undefined>(undefined);
  let waiting: PlayEvent[] = [];
  let frame = 0;

  function flush(): void {
    frame = 0;
    const events = waiting;
    waiting = [];
    batch(() => {
      for (const event of events) log.apply(event);
    });
  }

  const stop = follow<PlayEvent>({
    path() {
      const last = waiting.at(-1);
      return `dialogues/${encodeURIComponent(id)}/events?from=${last ? last.seq + 1 : log.next}`;
    },
    onLine(event) {
      waiting.push(event);
      if (frame === 0) frame = requestAnimationFrame(flush);
    },
    onRefused(error) {
      refused.value = error;
    },
  });
  return {
    id,
    log,
    refused,
    close() {
      stop();
      cancelAnimationFrame(frame);
    },
  };
}
