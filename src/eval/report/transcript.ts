/** A recorded run to look into: each turn's prompt and completion, what was read in it, and what came of that. */
import { RawcallError } from '../../../parsers/error.ts';
import { type Content, html, type Markup } from '../../html/markup.ts';
import { eventDrawer } from '../../html/run-view.ts';
import { openTranscript } from '../../transcript/read-transcript.ts';

/** What cannot be read is said in its place: the page has the rest. */
export async function transcriptView(file: string): Promise<Markup> {
  const parts: Content[] = [];
  try {
    const transcript = await openTranscript(file);
    try {
      const draw = eventDrawer();
      for await (const event of transcript.events) parts.push(draw(event));
      if (transcript.cut)
        parts.push(html`<p class="bad">The transcript ends here, in the middle of a line.</p>`);
    } finally {
      await transcript.close();
    }
  } catch (error) {
    if (!RawcallError.isInstance(error)) throw error;
    parts.push(html`<p class="bad">The transcript cannot be read: ${error.message}</p>`);
  }
  return html`<div class="transcript">${parts}</div>`;
}
