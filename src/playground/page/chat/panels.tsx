/** The panels beside a dialogue. On a wide window they stand there; on a narrow one they come over it, and go again. */
import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { dialogues } from '../shell/news.ts';
import { go } from '../shell/route.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { attempt } from '../shell/trouble.tsx';
import { openEmptyDialogue, stopRun } from './actions.ts';

export type Side = 'dialogues' | 'knobs';

/** As in style/chat.css. */
const widths = { dialogues: '(min-width: 48rem)', knobs: '(min-width: 68rem)' } as const;

export const shown: Readonly<Record<Side, Signal<boolean>>> = {
  dialogues: signal(matchMedia(widths.dialogues).matches),
  knobs: signal(matchMedia(widths.knobs).matches),
};

for (const side of ['dialogues', 'knobs'] as const)
  matchMedia(widths[side]).addEventListener('change', ({ matches }) => {
    shown[side].value = matches;
  });

export function toggle(side: Side): void {
  shown[side].value = !shown[side].value;
}

interface PanelProps {
  readonly side: Side;
  readonly title: string;
  readonly children: ComponentChildren;
}

export function Panel({ side, title, children }: PanelProps) {
  return (
    <aside class={`panel ${side}`} id={`panel-${side}`} aria-label={title} hidden={!shown[side].value}>
      <button type="button" class="plain close" aria-label={`Close ${title}`} onClick={() => toggle(side)}>
        ✕
      </button>
      {children}
    </aside>
  );
}

export function PanelButton({
  side,
  children,
}: {
  readonly side: Side;
  readonly children: ComponentChildren;
}) {
  return (
    <button
      type="button"
      class="plain"
      aria-expanded={shown[side].value}
      aria-controls={`panel-${side}`}
      onClick={() => toggle(side)}
    >
      {children}
    </button>
  );
}

/** A panel that covers the dialogue. */
function covering(): Side | undefined {
  return (['dialogues', 'knobs'] as const).find(
    side => shown[side].value && !matchMedia(widths[side]).matches,
  );
}

export function useViewKeys(id: string | undefined): void {
  const keys = useMemo(() => {
    const step = (by: number) => {
      const ids = dialogues.value?.map(dialogue => dialogue.id) ?? [];
      const next = ids[ids.indexOf(id ?? '') + by];
      if (next !== undefined) go('chat', next);
    };
    return [
      { key: 'i', does: 'write a question', run: () => document.getElementById('question')?.focus() },
      { key: 'n', does: 'new dialogue', run: () => void attempt(openEmptyDialogue) },
      { key: '[', does: 'the dialogue above', run: () => step(-1) },
      { key: ']', does: 'the dialogue below', run: () => step(1) },
      { key: 'j', does: 'the next question', run: () => moveFocus(1) },
      { key: 'k', does: 'the question before', run: () => moveFocus(-1) },
      { key: 'e', does: 'edit the question with the focus, or the last', run: editFocused },
      { key: 'd', does: 'dialogues, there or not', run: () => toggle('dialogues') },
      { key: 'K', does: 'knobs, there or not', run: () => toggle('knobs') },
      {
        key: 'Escape',
        does: 'close a panel that covers, or stop the run',
        run: () => {
          const side = covering();
          if (side) return toggle(side);
          if (id !== undefined && dialogues.value?.find(dialogue => dialogue.id === id)?.running)
            return void attempt(() => stopRun(id));
          return false;
        },
      },
    ];
  }, [id]);
  useShortcuts(keys);
}

const exchanges = () => [...document.querySelectorAll<HTMLElement>('.exchange')];

function moveFocus(by: number): void {
  const all = exchanges();
  const at = all.findIndex(one => one.contains(document.activeElement));
  const next = at === -1 ? all.at(-1) : all[at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'start' });
}

function editFocused(): void {
  const all = exchanges();
  const one = all.find(exchange => exchange.contains(document.activeElement)) ?? all.at(-1);
  one?.querySelector<HTMLButtonElement>('[data-does=edit]')?.click();
}
