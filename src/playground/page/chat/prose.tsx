/** What a model wrote: as Markdown, or as it stands. */
import { signal } from '@preact/signals';
import { Markdown } from '../markdown/markdown.tsx';

/** For all texts on the page, and until the page is closed. */
export const asWritten = signal(false);

export function Prose({ text, live }: { readonly text: string; readonly live: boolean }) {
  return asWritten.value ? <div class="as-is">{text}</div> : <Markdown text={text} live={live} />;
}
