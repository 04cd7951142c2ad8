/** Where a question is written. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface ComposerProps {
  readonly busy: boolean;
  readonly onAsk: (question: string) => Promise<boolean>;
  readonly onStop: () => void;
}

export function Composer({ busy, onAsk, onStop }: ComposerProps) {
  const text = useSignal('');
  const field = useRef<HTMLTextAreaElement>(null);
  // As high as what is in it.
  useLayoutEffect(() => {
    const area = field.current!;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight + 2, innerHeight / 3)}px`;
  }, [text.value]);

  async function send(): Promise<void> {
    const question = text.value;
    if (busy || question.trim() === '') return;
    text.value = '';
    // What was not sent is not lost.
    if (!(await onAsk(question)) && text.value === '') text.value = question;
  }

  return (
    <form
      class="composer"
      onSubmit={event => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={field}
        id="question"
        rows={1}
        aria-label="Question"
        placeholder="Ask something"
        value={text.value}
        onInput={event => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      {busy ? (
        <button type="button" class="stop" onClick={onStop} title="Stop (Escape)">
          Stop
        </button>
      ) : (
        <button type="submit" class="main" title="Send (Enter)">
          Ask
        </button>
      )}
    </form>
  );
}
