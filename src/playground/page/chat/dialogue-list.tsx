/** The dialogues there are: to go to, to name, to delete. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { DialogueSummary } from '../../protocol.ts';
import { forgetCurrent } from '../shell/current.ts';
import { Dialog } from '../shell/dialog.tsx';
import { addressOf, go } from '../shell/route.ts';
import { attempt } from '../shell/trouble.tsx';
import { deleteDialogue, openEmptyDialogue, renameDialogue } from './actions.ts';

interface DialogueListProps {
  readonly dialogues: readonly DialogueSummary[];
  readonly current: string | undefined;
}

export function DialogueList({ dialogues, current }: DialogueListProps) {
  const renaming = useSignal<string | undefined>(undefined);
  const deleting = useSignal<DialogueSummary | undefined>(undefined);
  return (
    <>
      <button type="button" class="new" onClick={() => void attempt(openEmptyDialogue)}>
        + New dialogue
      </button>
      <ul class="list">
        {dialogues.map(dialogue => (
          <li key={dialogue.id} class={dialogue.id === current ? 'current' : ''}>
            {renaming.value === dialogue.id ? (
              <NameField
                dialogue={dialogue}
                onEnd={() => {
                  renaming.value = undefined;
                }}
              />
            ) : (
              <>
                <a
                  href={addressOf('chat', dialogue.id)}
                  aria-current={dialogue.id === current ? 'page' : undefined}
                >
                  <Mark dialogue={dialogue} />
                  {nameOf(dialogue)}
                </a>
                <button
                  type="button"
                  class="plain"
                  aria-label={`Rename ${nameOf(dialogue)}`}
                  title="Rename"
                  onClick={() => {
                    renaming.value = dialogue.id;
                  }}
                >
                  ✎
                </button>
                <button
                  type="button"
                  class="plain"
                  aria-label={`Delete ${nameOf(dialogue)}`}
                  title="Delete"
                  onClick={() => {
                    deleting.value = dialogue;
                  }}
                >
                  ✕
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      {deleting.value && (
        <Deletion
          dialogue={deleting.value}
          onEnd={() => {
            deleting.value = undefined;
          }}
        />
      )}
    </>
  );
}

function Mark({ dialogue: { running, asking } }: { readonly dialogue: DialogueSummary }) {
  if (asking)
    return <span class="mark asks" title="asks you for something" aria-label="asks you:" role="img" />;
  return running ? <span class="mark live" title="runs" aria-label="runs:" role="img" /> : null;
}

export const nameOf = ({ name }: DialogueSummary) => (name === '' ? 'New dialogue' : name);

function NameField({ dialogue, onEnd }: { readonly dialogue: DialogueSummary; readonly onEnd: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        const name = field.current!.value.trim();
        onEnd();
        if (name !== '' && name !== dialogue.name) void attempt(() => renameDialogue(dialogue.id, name));
      }}
    >
      <input
        ref={field}
        aria-label="Name"
        defaultValue={dialogue.name}
        onBlur={onEnd}
        onKeyDown={event => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onEnd();
        }}
      />
    </form>
  );
}

function Deletion({ dialogue, onEnd }: { readonly dialogue: DialogueSummary; readonly onEnd: () => void }) {
  return (
    <Dialog title="Delete the dialogue?" onClose={onEnd}>
      <p>
        “{nameOf(dialogue)}” and what was said in it are deleted from this machine. Recorded runs of it stay.
      </p>
      <div class="row">
        <button
          type="button"
          class="main"
          onClick={() => {
            onEnd();
            void attempt(async () => {
              await deleteDialogue(dialogue.id);
              forgetCurrent(dialogue.id);
              if (location.hash.includes(dialogue.id)) go('chat');
            });
          }}
        >
          Delete
        </button>
        <button type="button" onClick={onEnd}>
          Keep it
        </button>
      </div>
    </Dialog>
  );
}
