/** A recorded run to look into: each turn's prompt and completion, what was read in it, and what came of that. */
import type { Piece } from '../../parsers/parser.ts';
import { type Collected, createCollector, isParseEvent } from '../../parsers/read.ts';
import type { TimedEvent } from '../transcript/read-transcript.ts';
import { type Content, html } from './markup.ts';
import { completionPieces, plainText, promptPieces } from './pieces.ts';

/** So many characters of each text are shown: a page has hundreds of them. */
const shown = 8000;

/** Of the page that it stands in. */
export const runStyle = `
.transcript { border-left: 2px solid var(--rule); padding-left: 1rem; margin-bottom: 1.5rem; }
.transcript h4 { margin: 1rem 0 .25rem; font-size: .875rem; font-weight: 650; }
.transcript h5 { margin: .6rem 0 .2rem; font-size: .8125rem; font-weight: 500; color: var(--quiet); }
.transcript dl.facts { max-width: none; }
.transcript details, .transcript details:last-of-type { border: 0; }
.transcript summary { font-size: .8125rem; color: var(--quiet); padding: .1rem .25rem; }
.guard { font-size: .875rem; color: var(--bad); }
`;

export interface DrawerOptions {
  /** Whether the first question is drawn; else it stands over the run already. */
  readonly firstQuestion?: boolean;
}

export function eventDrawer({ firstQuestion = false }: DrawerOptions = {}): (event: TimedEvent) => Content {
  let turn = 0;
  let runs = 0;
  let collector = createCollector();
  return event => {
    if (isParseEvent(event)) {
      collector.add([event]);
      return undefined;
    }
    switch (event.type) {
      case 'run-start':
        return (runs++ > 0 || firstQuestion) && html`<h4>Question</h4>${plainText(event.question, shown)}`;
      case 'turn-start':
        turn++;
        collector = createCollector();
        return html`<h4>Turn ${turn}, ${event.purpose}</h4>
<details><summary>Prompt${event.tokens !== undefined && `, ${event.tokens.toLocaleString('en')} tokens`}</summary>${promptPieces(event.prompt, shown)}</details>`;
      case 'completion-delta':
        return completionView(', cut off', event.pieces, collector.collected);
      case 'completion-end': {
        const end = event.reason === 'stop' ? '' : `, ended by ${event.reason}`;
        return completionView(end, event.pieces, collector.collected);
      }
      case 'tool-end':
        return html`<h5>Result of ${event.call.name}${event.source !== 'tool' && ` (${event.source})`}</h5>${plainText(event.result.content, shown)}`;
      case 'guard':
        return html`<p class="guard">${event.message}</p>`;
      case 'turn-failed':
      case 'run-failed':
        return html`<p class="bad">${event.code}: ${event.message}</p>`;
      case 'run-end':
        return html`<h5>Answer${event.reason !== 'answered' && ` (${event.reason})`}</h5>${
          event.answer === '' ? html`<p class="quiet">None.</p>` : plainText(event.answer, shown)
        }`;
      default:
        return undefined;
    }
  };
}

function completionView(end: string, pieces: readonly Piece[], read: Collected): Content {
  return html`<h5>Completion${end}</h5>${
    pieces.length === 0 ? html`<p class="quiet">Nothing was written.</p>` : completionPieces(pieces, shown)
  }${readView(read)}`;
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
  return html`<h5>Read</h5><dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
