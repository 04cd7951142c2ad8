/** A transcript as one page, drawn as it is read: however long it is, no more of it than an event is in memory. */
import { html, htmlText } from '../html/markup.ts';
import { pageEnd, pageStart } from '../html/page.ts';
import { eventDrawer, runStyle } from '../html/run-view.ts';
import { facts } from '../html/table.ts';
import type { Transcript } from './read-transcript.ts';

export async function* transcriptPage(transcript: Transcript): AsyncGenerator<string, void> {
  const { header } = transcript;
  const { model, settings, tools, versions } = header;
  yield pageStart({ title: `Run of ${header.startedAt}`, style: runStyle });
  yield htmlText(html`<h1>A recorded run</h1>
<p class="lead">${header.startedAt}, rawcall ${versions.rawcall}</p>
${facts([
  ['model', model.name],
  ['format', model.format],
  ['context', model.contextSize],
  ['tools', tools.map(({ name }) => name).join(', ')],
  ['sampling', JSON.stringify(settings.sampling ?? {})],
  ['policy', JSON.stringify(settings.policy ?? {})],
  ['system text', settings.system],
])}
<div class="transcript">`);
  const draw = eventDrawer({ firstQuestion: true });
  for await (const event of transcript.events) {
    const drawn = htmlText(draw(event));
    if (drawn !== '') yield `${drawn}\n`;
  }
  if (transcript.cut)
    yield htmlText(html`<p class="bad">The transcript ends here, in the middle of a line.</p>`);
  yield `</div>${pageEnd}`;
}
