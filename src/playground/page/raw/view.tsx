/** The raw view: any turn of any dialogue, token by token, alone or against another one. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { DialogueSummary } from '../../protocol.ts';
import { useDialogue } from '../chat/open-dialogue.ts';
import { current, setCurrent } from '../shell/current.ts';
import { dialogues } from '../shell/news.ts';
import { addressOf, go, type ViewProps } from '../shell/route.ts';
import { type Shortcut, useShortcuts } from '../shell/shortcuts.ts';
import { ComparedPart } from './compared-part.tsx';
import { flowKeys } from './flow-keys.ts';
import { type Chosen, show, TurnBar } from './turn-bar.tsx';
import { CompletionPart, PromptPart } from './turn-view.tsx';
import { type TurnEntry, turnsOf } from './turns.ts';
import { useRawTurn } from './use-raw-turn.ts';
import { useWritten } from './use-written.ts';

export function RawView({ path: [id, turn, other] }: ViewProps) {
  const some = dialogues.value && likely(dialogues.value);
  useEffect(() => {
    if (id !== undefined) setCurrent(id);
    else if (some !== undefined) go('raw', some);
  }, [id, some]);
  if (id !== undefined) return <DialogueTurns id={id} turn={numberOf(turn)} other={numberOf(other)} />;
  return some === undefined && dialogues.value ? <Nothing /> : null;
}

/** The one that was last looked at, or else the newest in which something was asked. */
function likely(all: readonly DialogueSummary[]): string | undefined {
  const one = all.find(({ id }) => id === current.peek()) ?? all.find(({ questions }) => questions > 0);
  return one?.id;
}

interface DialogueTurnsProps {
  readonly id: string;
  readonly turn: number | undefined;
  readonly other: number | undefined;
}

function DialogueTurns({ id, turn: wanted, other }: DialogueTurnsProps) {
  const open = useDialogue(id);
  const turns = open ? turnsOf(open.log.exchanges.value) : [];
  const number = wanted ?? turns.at(-1)?.turn;
  const chosen = useMemo(
    () => (number === undefined ? undefined : { dialogue: id, turn: number, other }),
    [id, number, other],
  );
  const entryOf = (turn: number | undefined) => turns.find(entry => entry.turn === turn);
  // Before the dialogue is known, a turn that was named is asked for as one that has ended, which most have.
  const runs = entryOf(number)?.runs ?? false;
  const asked = useRawTurn(id, number, runs);
  const written = useWritten(id, number, runs);
  const against = useRawTurn(id, other, entryOf(other)?.runs ?? false);
  useShortcuts(useViewKeys(chosen, turns));

  if (open?.refused.value) return <p class="raw-note bad">{open.refused.value.message}</p>;
  // The turn and the log come each by itself, and what is there of them is shown.
  if (!chosen || (turns.length === 0 && !asked.turn))
    return dialogues.value?.find(dialogue => dialogue.id === id)?.questions === 0 ? (
      <Nothing dialogue={id} />
    ) : null;
  const failure = asked.failure ?? against.failure;
  const cutOff = asked.turn && open && open.log.next > asked.turn.seq && !entryOf(chosen.turn);
  return (
    <div class="raw">
      <h1 class="sr">Turn {chosen.turn}, raw</h1>
      <TurnBar chosen={chosen} dialogues={dialogues.value ?? []} turns={turns} />
      {failure !== undefined && <p class="bad">{failure}</p>}
      {cutOff && (
        <p class="quiet">
          This dialogue has no turn {chosen.turn}: it was cut off when a question was asked anew.
        </p>
      )}
      {asked.turn &&
        (other !== undefined && against.turn ? (
          <ComparedPart before={against.turn} after={asked.turn} />
        ) : (
          <PromptPart turn={asked.turn} />
        ))}
      {asked.turn && <CompletionPart turn={asked.turn} written={written} />}
    </div>
  );
}

function useViewKeys(chosen: Chosen | undefined, turns: readonly TurnEntry[]): readonly Shortcut[] {
  const shown = useRef({ chosen, turns });
  shown.current = { chosen, turns };
  return useMemo(() => {
    /** So many turns further than the one that is shown. */
    const turnAt = (distance: number) => {
      const { chosen, turns } = shown.current;
      return turns[turns.findIndex(({ turn }) => turn === chosen?.turn) + distance]?.turn;
    };
    const step = (distance: number) => {
      const { chosen } = shown.current;
      const turn = turnAt(distance);
      if (chosen && turn !== undefined) show({ ...chosen, turn, other: undefined });
    };
    const compare = () => {
      const { chosen } = shown.current;
      const before = turnAt(-1);
      if (chosen && (chosen.other ?? before) !== undefined)
        show({ ...chosen, other: chosen.other === undefined ? before : undefined });
    };
    return [
      { key: '[', does: 'turn before', run: () => step(-1) },
      { key: ']', does: 'next turn', run: () => step(1) },
      { key: 'd', does: 'compare with the turn before', run: compare },
      ...flowKeys,
    ];
  }, []);
}

function Nothing({ dialogue }: { readonly dialogue?: string }) {
  return (
    <p class="raw-note quiet">
      Nothing was asked yet. Ask something in the{' '}
      <a href={dialogue === undefined ? addressOf('chat') : addressOf('chat', dialogue)}>chat</a>: here you
      then see the exact prompt of each turn, token by token, and what the model wrote.
    </p>
  );
}

function numberOf(part: string | undefined): number | undefined {
  return part !== undefined && /^\d+$/.test(part) ? Number(part) : undefined;
}
