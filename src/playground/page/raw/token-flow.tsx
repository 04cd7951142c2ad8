/**
 * Tokens one after another, as exactly as a page can show them. Only the rows in sight are drawn. One of the tokens is looked at, by the
 * pointer or by the cursor that the keys move, and what is known of it stands beside it. That at the cursor is the list's option; all
 * others are no more than text and colour, so that thousands in sight are drawn at once.
 */
import { type Signal, useComputed, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Flow, Range } from './flow.ts';
import { type FlowHandle, useFlowKeys } from './flow-keys.ts';
import { layOut, type Row } from './rows.ts';
import { cellOf, numberOf, spanOf, TokenRow, type TokenRowProps } from './token-row.tsx';
import { TokenTip } from './token-tip.tsx';
import { useMeasured } from './use-measured.ts';

interface TokenFlowProps {
  /** What it is of, for whoever can't see it. */
  readonly label: string;
  readonly flow: Flow;
  /** The token that the pointer or the cursor is at; written here, and read by whoever wants to know. */
  readonly looked?: Signal<number | undefined>;
  /** What something else on the page points at. */
  readonly lit?: Range | undefined;
  readonly handle?: Signal<FlowHandle | undefined>;
  /** Its end is in sight as long as nobody scrolls away from it. */
  readonly grows?: boolean;
}

/** Rows drawn above and below those in sight, and how many scroll by before others are drawn. */
const spare = 8;

export function TokenFlow({ label, flow, looked, lit, handle, grows = false }: TokenFlowProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const { columns, rowHeight, height, ruler } = useMeasured(scroller);
  const laid = useMemo(() => layOut(columns === 0 ? [] : flow.tokens, columns), [flow, columns]);
  const top = useSignal(0);
  const from = useComputed(() => Math.max(0, spare * (Math.floor(top.value / rowHeight / spare) - 1)));
  const cursor = useSignal(0);
  const hovered = useSignal<number | undefined>(undefined);
  const focused = useSignal(false);

  useLayoutEffect(() => {
    cursor.value = Math.min(cursor.peek(), Math.max(0, flow.tokens.length - 1));
    hovered.value = undefined;
  }, [flow]);

  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const rows = scroller.current!;
    if (!grows || !atEnd.current) return;
    rows.scrollTop = rows.scrollHeight;
    top.value = rows.scrollTop;
  }, [laid]);

  const show = (token: number) => {
    const rows = scroller.current!;
    const start = laid.rowOf(token) * rowHeight;
    const above = rows.scrollTop + rowHeight - start;
    const below = start + 3 * rowHeight - rows.scrollTop - rows.clientHeight;
    if (above > 0 || below > 0) {
      // A step scrolls by as much as it takes; what was far away comes into the middle.
      const far = Math.max(above, below) > rows.clientHeight / 2;
      rows.scrollTop = far ? start - rows.clientHeight / 2 : rows.scrollTop + (above > 0 ? -above : below);
    }
    top.value = rows.scrollTop;
  };
  const keys = useFlowKeys({
    flow,
    laid,
    cursor,
    page: Math.max(1, Math.floor(height / rowHeight) - 2),
    show,
  });
  useLayoutEffect(() => {
    if (handle) handle.value = keys;
  });

  /** The token that an element shows. */
  const tokenOf = (target: EventTarget | null) => {
    const span = target instanceof Element ? target.closest('.token') : null;
    return span ? cellOf(span, laid.rows[numberOf(span.parentElement!)]!)?.token : undefined;
  };
  const elementOf = (token: number) => {
    const row = laid.rowOf(token);
    const line = scroller.current?.querySelector(`[data-row="${row}"]`);
    return line ? spanOf(line, laid.rows[row]!, token) : undefined;
  };

  const at = hovered.value ?? (focused.value ? cursor.value : undefined);
  useLayoutEffect(() => {
    if (looked) looked.value = at;
  }, [at]);

  const first = from.value;
  // What is in sight is there first, and what is around it follows.
  const around = useSignal(0);
  useEffect(() => {
    const timer = setTimeout(() => {
      around.value = 3 * spare;
    });
    return () => clearTimeout(timer);
  }, []);
  const last = Math.min(laid.rows.length, first + Math.ceil(height / rowHeight) + around.value);
  // An element that is the same as before is not drawn again: of a step through the tokens only the rows that it leaves and enters are.
  const drawn = useMemo(() => new Map<number, VNode<TokenRowProps>>(), [id, flow, laid]);
  const rows: VNode<TokenRowProps>[] = [];
  for (let row = first; row < last; row++) {
    const within = (range: Range) => touches(laid.rows[row]!, range);
    const at = within({ start: cursor.value, end: cursor.value + 1 }) ? cursor.value : undefined;
    const shine = lit && within(lit) ? lit : undefined;
    const before = drawn.get(row);
    const same = before?.props.cursor === at && before?.props.lit === shine;
    const element =
      before && same ? (
        before
      ) : (
        <TokenRow key={row} cells={laid.rows[row]!} {...{ id, flow, row, cursor: at, lit: shine }} />
      );
    drawn.set(row, element);
    rows.push(element);
  }
  return (
    <div class="flow">
      <div
        ref={scroller}
        class="rows"
        role="listbox"
        aria-label={label}
        aria-activedescendant={flow.tokens.length > 0 ? `${id}-${cursor.value}` : undefined}
        tabIndex={0}
        onScroll={event => {
          const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
          top.value = scrollTop;
          atEnd.current = scrollHeight - scrollTop - clientHeight < rowHeight;
        }}
        onKeyDown={keys.onKeyDown}
        onFocus={() => {
          focused.value = true;
          keys.take();
        }}
        onBlur={() => {
          focused.value = false;
        }}
        onPointerOver={event => {
          hovered.value = tokenOf(event.target);
        }}
        onPointerLeave={() => {
          hovered.value = undefined;
        }}
        onClick={event => {
          const token = tokenOf(event.target);
          if (token !== undefined) cursor.value = token;
        }}
      >
        <span class="ruler" aria-hidden="true" ref={ruler}>
          {'0'.repeat(64)}
        </span>
        <div class="all" role="presentation" style={{ height: `${laid.rows.length * rowHeight}px` }}>
          <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
            {rows}
          </div>
        </div>
      </div>
      <TokenTip {...{ flow, scroller, elementOf }} token={at} drawn={`${top.value} ${columns}`} />
    </div>
  );
}

function touches(row: Row, { start, end }: Range): boolean {
  return row[0]!.token < end && row.at(-1)!.token >= start;
}
