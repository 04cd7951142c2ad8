/** The keys that move the cursor through a flow of tokens. */
import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Shortcut } from '../shell/shortcuts.ts';
import type { Flow } from './flow.ts';
import type { Rows } from './rows.ts';

export interface FlowHandle {
  readonly cursor: number;
  /** Moves the cursor there, and shows it. */
  go(token: number): void;
  /** To the next place that one may look for, or the last one before. */
  landmark(way: 1 | -1): void;
  /** The keys of the whole view are this flow's from now on. */
  take(): void;
  onKeyDown(event: KeyboardEvent): void;
}

interface FlowKeys {
  readonly flow: Flow;
  readonly laid: Rows;
  readonly cursor: Signal<number>;
  /** In rows. */
  readonly page: number;
  readonly show: (token: number) => void;
}

/** The flow that was looked at last. */
const current = signal<FlowHandle | undefined>(undefined);

export const flowKeys: readonly Shortcut[] = [
  { key: 'n', does: 'next part or change', run: () => current.value?.landmark(1) },
  { key: 'p', does: 'part or change before', run: () => current.value?.landmark(-1) },
  // A list of tokens that has the focus takes these itself; here they are only told of.
  ...[
    { key: 'ArrowRight', does: 'next token' },
    { key: 'ArrowDown', does: 'token below' },
    { key: 'PageDown', does: 'a page further' },
    { key: 'Ctrl+End', does: 'last token' },
  ].map(key => ({ ...key, run: () => false })),
];

export function useFlowKeys({ flow, laid, cursor, page, show }: FlowKeys): FlowHandle {
  const last = flow.tokens.length - 1;
  const handle: FlowHandle = {
    get cursor() {
      return cursor.value;
    },
    go(token) {
      cursor.value = Math.max(0, Math.min(last, token));
      show(cursor.value);
    },
    landmark(way) {
      const { landmarks } = flow;
      const at = cursor.value;
      const next = way === 1 ? landmarks.find(token => token > at) : landmarks.findLast(token => token < at);
      if (next !== undefined) handle.go(next);
    },
    take() {
      current.value = handle;
    },
    onKeyDown(event) {
      if (event.altKey || event.metaKey || last < 0) return;
      const to = destination(event);
      if (to === undefined) return;
      event.preventDefault();
      handle.go(to);
    },
  };
  useEffect(() => {
    current.value ??= handle;
    return () => {
      current.value = undefined;
    };
  }, []);

  function destination({ key, ctrlKey }: KeyboardEvent): number | undefined {
    const at = cursor.value;
    const row = laid.rowOf(at);
    switch (key) {
      case 'ArrowLeft':
        return at - 1;
      case 'ArrowRight':
        return at + 1;
      case 'ArrowUp':
        return inRow(row - 1);
      case 'ArrowDown':
        return inRow(row + 1);
      case 'PageUp':
        return inRow(row - page);
      case 'PageDown':
        return inRow(row + page);
      case 'Home':
        return ctrlKey ? 0 : laid.rows[row]?.[0]?.token;
      case 'End':
        return ctrlKey ? last : laid.rows[row]?.at(-1)?.token;
      default:
        return undefined;
    }
  }

  /** The token that stands closest to below or above the cursor. */
  function inRow(wanted: number): number | undefined {
    const row = laid.rows[Math.max(0, Math.min(laid.rows.length - 1, wanted))];
    if (!row) return undefined;
    let column = columnOf(laid, cursor.value);
    for (const cell of row) {
      if (column < cell.text.length) return cell.token;
      column -= cell.text.length;
    }
    return row.at(-1)?.token;
  }

  return handle;
}

function columnOf(laid: Rows, token: number): number {
  let column = 0;
  for (const cell of laid.rows[laid.rowOf(token)] ?? []) {
    if (cell.token === token) break;
    column += cell.text.length;
  }
  return column;
}
