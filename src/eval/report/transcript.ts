/** A recorded run to look into: each turn's prompt and completion, what was read in it, and what came of that. */
import { RawcallError } from '../../../parsers/error.ts';
import { type Collected, createCollector } from '../../../parsers/read.ts';
import { type Content, html, type Markup } from '../../html/markup.ts';
import { completionPieces, plainText, promptPieces } from '../../html/pieces.ts';
import { openTranscript, type TimedEvent } from '../../transcript/read-transcript.ts';

/** So many characters of each text are shown: a page has hundreds of them. */
const shown = 8000;

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

function eventDrawer(): (event: TimedEvent) => Content {
  let turn = 0;
  let runs = 0;
  let collector = createCollector();
  return event => {
    switch (event.type) {
      case 'run-start':
        // The first question stands over the transcript already.
        return runs++ > 0 && html`<h5>Question</h5>${plainText(event.question, shown)}`;
      case 'turn-start':
        turn++;
        collector = createCollector();
        return html`<h5>Turn ${turn}, ${event.purpose}</h5>
<details><summary>Prompt${event.tokens !== undefined && `, ${event.tokens.toLocaleString('en')} tokens`}</summary>${promptPieces(event.prompt, shown)}</details>`;
      case 'text-delta':
      case 'reasoning-delta':
      case 'call-start':
      case 'call-delta':
      case 'call-end':
      case 'call-failed':
      case 'repaired':
        collector.add([event]);
        return undefined;
      case 'completion-end':
        return html`<h6>Completion${event.reason !== 'stop' && `, ended by ${event.reason}`}</h6>${
          event.pieces.length === 0
            ? html`<p class="quiet">Nothing was written.</p>`
            : completionPieces(event.pieces, shown)
        }${readView(collector.collected)}`;
      case 'tool-end':
        return html`<h6>Result of ${event.call.name}${event.source !== 'tool' && ` (${event.source})`}</h6>${plainText(event.result.content, shown)}`;
      case 'guard':
        return html`<p class="guard">${event.message}</p>`;
      case 'turn-failed':
      case 'run-failed':
        return html`<p class="bad">${event.code}: ${event.message}</p>`;
      case 'run-end':
        return html`<h6>Answer${event.reason !== 'answered' && ` (${event.reason})`}</h6>${
          event.answer === '' ? html`<p class="quiet">None.</p>` : plainText(event.answer, shown)
        }`;
      default:
        return undefined;
    }
  };
}

/** What the parser made of a completion. */
function readView({ content, reasoning, ended, problems, repaired }: Collected): Content {
  const rows: (readonly [string, Content])[] = [
    ...(reasoning.trim() === '' ? [] : [['thought', plainText(reasoning.trim(), shown)] as const]),
    ...(content.trim() === '' ? [] : [['text', plainText(content.trim(), shown)] as const]),
    ...ended.map(({ call }) => ['call', plainText(`${call.name} ${call.argumentsText}`, shown)] as const),
    ...problems.map(
      ({ problem, message }) => ['problem', html`<span class="bad">${problem}</span>: ${message}`] as const,
    ),
    ...(repaired.length === 0
      ? []
      : [['repaired', [...new Set(repaired.map(({ repair }) => repair))].join(', ')] as const]),
  ];
  if (rows.length === 0) return html`<p class="quiet">Nothing was read in it.</p>`;
  return html`<h6>Read</h6><dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
