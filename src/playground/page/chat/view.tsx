/** Chat: the dialogues at the left, one of them in the middle, its knobs at the right. */
import { useEffect } from 'preact/hooks';
import { current, setCurrent } from '../shell/current.ts';
import { dialogues } from '../shell/news.ts';
import { go, type ViewProps } from '../shell/route.ts';
import { attempt } from '../shell/trouble.tsx';
import { openEmptyDialogue } from './actions.ts';
import { DialogueList } from './dialogue-list.tsx';
import { DialogueView } from './dialogue-view.tsx';
import { useDialogue } from './open-dialogue.ts';
import { Panel, useViewKeys } from './panels.tsx';

export function ChatView({ path: [id] }: ViewProps) {
  const known = dialogues.value;
  const open = useDialogue(id);
  useEffect(() => {
    if (id !== undefined) setCurrent(id);
    else if (known) void attempt(() => openSome(known.map(dialogue => dialogue.id)));
  }, [id, known === undefined]);
  useViewKeys(id);
  const refused = open?.refused.value;
  return (
    <div class="chat">
      <Panel side="dialogues" title="Dialogues">
        <DialogueList dialogues={known ?? []} current={id} />
      </Panel>
      {refused ? (
        <p class="note bad">{refused.message}</p>
      ) : open ? (
        <DialogueView key={open.id} open={open} />
      ) : (
        <div class="dialogue" />
      )}
    </div>
  );
}

/** The one of before, while it is there. */
async function openSome(ids: readonly string[]): Promise<void> {
  const last = current.peek();
  if (last !== undefined && ids.includes(last)) go('chat', last);
  else await openEmptyDialogue();
}
