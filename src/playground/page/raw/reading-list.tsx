/** What a reader made of a completion, each thing tied to where it stands in it. */
import type { ComponentChildren } from 'preact';
import { repairs } from '../../../../parsers/repairs.ts';
import type { RawCompletion, ReadSpan } from '../../protocol.ts';
import { spanWords } from './completion-flow.ts';

interface ReadingListProps {
  readonly completion: RawCompletion;
  /** The spans that the token lies in which is looked at. */
  readonly at: readonly number[];
  readonly onPoint: (span: number | undefined) => void;
  readonly onChoose: (span: number) => void;
}

export function ReadingList({ completion, at, onPoint, onChoose }: ReadingListProps) {
  const text = completion.pieces.map(piece => piece.text).join('');
  if (completion.spans.length === 0) return <p class="quiet">Nothing was read in it.</p>;
  return (
    <ol class="reading">
      {completion.spans.map((span, number) => (
        <li key={`${span.kind} ${span.span.start} ${number}`}>
          <button
            type="button"
            class={`read-${span.kind}`}
            aria-current={at.includes(number) ? 'true' : undefined}
            onPointerEnter={() => onPoint(number)}
            onPointerLeave={() => onPoint(undefined)}
            onFocus={() => onPoint(number)}
            onBlur={() => onPoint(undefined)}
            onClick={() => onChoose(number)}
          >
            <span class="kind">{spanWords(span)}</span>
            <span class="place">
              {span.span.start}–{span.span.end}
            </span>
            <span class="made">{made(span, text)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function made(span: ReadSpan, text: string): ComponentChildren {
  switch (span.kind) {
    case 'text':
    case 'reasoning':
      return shortened(text.slice(span.span.start, span.span.end).trim());
    case 'call':
      return <code>{shortened(span.call.argumentsText)}</code>;
    case 'problem':
      return shortened(span.message);
    case 'repair':
      return repairs[span.repair];
  }
}

function shortened(text: string): string {
  return text.length > 600 ? `${text.slice(0, 400)} … ${text.slice(-150)}` : text;
}
