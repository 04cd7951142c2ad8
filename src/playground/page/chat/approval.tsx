/** Whether a call may run: what would run is shown above it, whole. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { exactText } from '../../../exact-text.ts';
import { announce } from '../shell/announcer.tsx';
import { useShortcuts } from '../shell/shortcuts.ts';
import type { CallState } from './items.ts';
import { useAnswer } from './use-answer.ts';

interface ApprovalProps {
  readonly state: CallState & { readonly phase: 'asking' };
  readonly dialogue: string;
}

export function Approval({ state, dialogue }: ApprovalProps) {
  const { ask, call, server, tool } = state;
  const reason = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  const { answered, answer } = useAnswer(dialogue, ask);
  const reject = () =>
    answer({ approved: false, ...(reason.value.trim() === '' ? {} : { reason: reason.value.trim() }) });

  const keys = useMemo(
    () => [
      { key: 'a', does: 'approve the call', run: () => answer({ approved: true }) },
      { key: 'r', does: 'reject it: to its reason', run: () => field.current?.focus() },
    ],
    [ask],
  );
  useShortcuts(keys);
  useEffect(() => announce(`${call.name} needs your approval. A approves, R rejects.`), [call.name]);

  return (
    <form
      class="approval"
      aria-label={`Approval of ${call.name}`}
      onSubmit={event => {
        event.preventDefault();
        reject();
      }}
    >
      <p class="small">
        {tool === undefined ? (
          'It runs only if you approve.'
        ) : (
          <>
            <code>{exactText(tool)}</code> of the server <code>{exactText(server ?? '')}</code> runs with
            exactly these arguments, if you approve.
          </>
        )}
      </p>
      <div class="row">
        <button
          type="button"
          class="main"
          disabled={answered.value}
          onClick={() => answer({ approved: true })}
        >
          Approve
        </button>
        <button
          type="button"
          disabled={answered.value}
          title="This call, and later calls of this tool in this dialogue"
          onClick={() => answer({ approved: true, always: true })}
        >
          Always
        </button>
        <span class="grow" />
        <input
          ref={field}
          class="reason"
          aria-label="Reason, which the model reads"
          placeholder="reason (the model reads it)"
          value={reason.value}
          onInput={event => {
            reason.value = event.currentTarget.value;
          }}
        />
        <button type="submit" disabled={answered.value}>
          Reject
        </button>
      </div>
    </form>
  );
}
