/** What a screen reader says of what happens elsewhere on the page. What is written token by token is not told so. */
import { signal } from '@preact/signals';

const said = signal('');

export function announce(text: string): void {
  // The same words again are told again only where they are a new text.
  said.value = said.value === text ? `${text}\u00a0` : text;
}

export function Announcer() {
  return (
    <p class="sr" role="status">
      {said}
    </p>
  );
}
