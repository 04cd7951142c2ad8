/** What somebody asked for and did not get, said at the foot of the page until it is dismissed; and that the server is gone. */
import { signal } from '@preact/signals';
import { lost } from './follow.ts';

const trouble = signal<string | undefined>(undefined);

/** Runs what a button or a key asks the server for; where it fails, that is told. */
export async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
    trouble.value = undefined;
  } catch (error) {
    trouble.value = error instanceof Error ? error.message : String(error);
  }
}

export function Trouble() {
  const message = trouble.value;
  return (
    <div class="troubles" role="alert">
      {lost.value && <p class="trouble">{lost.value.message} It is tried again.</p>}
      {message !== undefined && (
        <p class="trouble">
          <span>{message}</span>
          <button
            type="button"
            class="plain"
            aria-label="Dismiss"
            onClick={() => {
              trouble.value = undefined;
            }}
          >
            ✕
          </button>
        </p>
      )}
    </div>
  );
}
