/** Which dialogue and which of its turns is shown, and which one it is compared with. */
import { addressOf, go } from '../shell/route.ts';
import type { TurnEntry } from './turns.ts';

export interface Chosen {
  readonly dialogue: string;
  readonly turn: number;
  /** The turn that it is compared with. */
  readonly other: number | undefined;
}

interface TurnBarProps {
  readonly chosen: Chosen;
  readonly dialogues: readonly { readonly id: string; readonly name: string }[];
  readonly turns: readonly TurnEntry[];
}

export function show({ dialogue, turn, other }: Chosen): void {
  go('raw', dialogue, turn, ...(other === undefined ? [] : [other]));
}

export function TurnBar({ chosen, dialogues, turns }: TurnBarProps) {
  const at = turns.findIndex(({ turn }) => turn === chosen.turn);
  const step = (to: number) => turns[to] && show({ ...chosen, turn: turns[to].turn, other: undefined });
  return (
    <div class="turns" role="toolbar" aria-label="Turn">
      <select
        aria-label="Dialogue"
        value={chosen.dialogue}
        onChange={event => go('raw', event.currentTarget.value)}
      >
        {dialogues.map(({ id, name }) => (
          <option key={id} value={id}>
            {name || 'New dialogue'}
          </option>
        ))}
      </select>
      <span class="group">
        <button
          type="button"
          aria-label="Turn before"
          title="["
          disabled={at <= 0}
          onClick={() => step(at - 1)}
        >
          ‹
        </button>
        <select
          aria-label="Turn"
          value={chosen.turn}
          onChange={event => show({ ...chosen, turn: Number(event.currentTarget.value), other: undefined })}
        >
          {turns.map(entry => (
            <option key={entry.turn} value={entry.turn}>
              {turnWords(entry)}
            </option>
          ))}
        </select>
        <button
          type="button"
          aria-label="Next turn"
          title="]"
          disabled={at === -1 || at === turns.length - 1}
          onClick={() => step(at + 1)}
        >
          ›
        </button>
      </span>
      <select
        aria-label="Compare with"
        value={chosen.other ?? ''}
        disabled={turns.length < 2}
        onChange={event => {
          const other = event.currentTarget.value;
          show({ ...chosen, other: other === '' ? undefined : Number(other) });
        }}
      >
        <option value="">Compare with …</option>
        {turns
          .filter(({ turn }) => turn !== chosen.turn)
          .map(entry => (
            <option key={entry.turn} value={entry.turn}>
              Against {turnWords(entry)}
            </option>
          ))}
      </select>
      <span class="grow" />
      <a href={addressOf('chat', chosen.dialogue)}>Chat</a>
    </div>
  );
}

function turnWords({ turn, purpose, tokens, question }: TurnEntry): string {
  const size = tokens === undefined ? '' : `, ${tokens.toLocaleString('en')} tokens`;
  const asked = question.length > 32 ? `${question.slice(0, 30)}…` : question;
  return `turn ${turn}, ${purpose}${size}: ${asked}`;
}
