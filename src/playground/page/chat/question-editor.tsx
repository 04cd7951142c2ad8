/** A question of before, to be asked in other words. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

interface QuestionEditorProps {
  readonly question: string;
  readonly onAsk: (question: string) => void;
  readonly onCancel: () => void;
}

export function QuestionEditor({ question, onAsk, onCancel }: QuestionEditorProps) {
  const text = useSignal(question);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const send = () => {
    if (text.value.trim() !== '') onAsk(text.value);
  };
  return (
    <form
      class="question editing"
      onSubmit={event => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        aria-label="Question"
        value={text.value}
        rows={Math.min(12, question.split('\n').length + 1)}
        onInput={event => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={event => {
          if (event.key === 'Escape') onCancel();
          else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send();
          else return;
          event.preventDefault();
        }}
      />
      <div class="row">
        <button type="submit" class="main">
          Ask anew
        </button>
        <button type="button" onClick={onCancel}>
          Leave it
        </button>
        <span class="quiet small">What follows it is cut off.</span>
      </div>
    </form>
  );
}
