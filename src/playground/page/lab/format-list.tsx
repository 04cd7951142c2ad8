/** Which formats to try: all, none, or some of them. */
import type { Signal } from '@preact/signals';
import { playState } from '../shell/news.ts';

interface FormatListProps {
  /** Nothing: those of `usual`. */
  readonly chosen: Signal<readonly string[] | null>;
  readonly usual: readonly string[];
  /** Whether the chat template of the model itself is one of them. */
  readonly own?: boolean;
}

/** `jinja` is no parser: a chat template renders, and does not read. */
export const jinja = 'jinja';

export function formatNames(own = false): readonly string[] {
  const names = (playState.value?.formats ?? []).filter(name => name !== jinja);
  return own ? [...names, jinja] : names;
}

export function FormatList({ chosen, usual, own = false }: FormatListProps) {
  const names = formatNames(own);
  const some = names.filter(name => (chosen.value ?? usual).includes(name));
  const choose = (next: readonly string[]) => {
    chosen.value = next;
  };
  return (
    <details class="formats">
      <summary>
        Formats <span class="quiet">{some.length === names.length ? 'all' : some.join(', ') || 'none'}</span>
      </summary>
      <fieldset>
        <legend class="sr">Formats</legend>
        <div class="row-of">
          <button type="button" onClick={() => choose(names)}>
            All
          </button>
          <button type="button" onClick={() => choose([])}>
            None
          </button>
        </div>
        <div class="checks">
          {names.map(name => (
            <label key={name}>
              <input
                type="checkbox"
                checked={some.includes(name)}
                onChange={({ currentTarget: { checked } }) =>
                  choose(names.filter(one => (one === name ? checked : some.includes(one))))
                }
              />
              {name === jinja ? "jinja (the model's own chat template)" : name}
            </label>
          ))}
        </div>
      </fieldset>
    </details>
  );
}
