/**
 * A row of tokens. Thousands of them are in sight at once and change seldom, so that they are made by hand and made anew where something
 * changes: elements that are compared with what they were would cost more than all else that is done to draw a prompt.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Flow, Range } from './flow.ts';
import type { Cell, Row } from './rows.ts';
import { isPlain, shownParts } from './shown.ts';

export interface TokenRowProps {
  /** Of the list. */
  readonly id: string;
  readonly flow: Flow;
  /** Its number in the list. */
  readonly row: number;
  readonly cells: Row;
  /** Undefined: it is in another row. */
  readonly cursor: number | undefined;
  readonly lit: Range | undefined;
}

export function TokenRow(props: TokenRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() =>
    row.current!.replaceChildren(newMargin(props), ...props.cells.map(cell => newSpan(cell, props))),
  );
  return <div ref={row} class="line" role="presentation" data-row={props.row} />;
}

export function numberOf(line: HTMLElement): number {
  return Number(line.dataset.row);
}

/** The cell of a row that an element of it shows, by its place: to write its token's number to each would take as long as to make it. */
export function cellOf(span: Element, row: Row): Cell | undefined {
  return row[[...span.parentElement!.children].indexOf(span) - 1];
}

export function spanOf(line: Element, row: Row, token: number): Element | undefined {
  const at = row.findIndex(cell => cell.token === token);
  return at === -1 ? undefined : line.children[at + 1];
}

function newMargin({ flow, cells }: TokenRowProps): HTMLElement {
  const begins = cells.find(cell => cell.first)?.token;
  const margin = document.createElement('span');
  margin.className = `margin ${flow.margin(cells.at(-1)!.token).looks}`;
  margin.ariaHidden = 'true';
  margin.textContent = begins === undefined ? '' : flow.margin(begins).words;
  return margin;
}

function newSpan({ token, text, first }: Cell, { id, flow, cursor, lit }: TokenRowProps): HTMLElement {
  const span = document.createElement('span');
  span.className = classOf(flow.tokens[token]!.looks);
  if (isPlain(text)) span.textContent = text;
  else {
    // It keeps its direction of writing to itself.
    span.classList.add('apart');
    span.append(...shownParts(text).map(part => (part.sign ? newSign(part.text) : part.text)));
  }
  if (lit && token >= lit.start && token < lit.end) span.classList.add('lit');
  if (token === cursor) span.classList.add('cursor');
  if (token === cursor && first) makeOption(span, id, flow, token);
  return span;
}

const classes = new Map<string, string>();

/** The same string for the same looks: a browser reads it once. */
function classOf(looks: string): string {
  const known = classes.get(looks);
  if (known !== undefined) return known;
  classes.set(looks, `token ${looks}`);
  return `token ${looks}`;
}

function newSign(text: string): HTMLElement {
  const sign = document.createElement('i');
  sign.textContent = text;
  return sign;
}

function makeOption(span: HTMLElement, id: string, flow: Flow, token: number): void {
  const { text, notes } = flow.facts(token);
  span.id = `${id}-${token}`;
  span.role = 'option';
  span.ariaSelected = 'true';
  span.ariaSetSize = String(flow.tokens.length);
  span.ariaPosInSet = String(token + 1);
  span.ariaLabel = [...(text === undefined ? [] : [JSON.stringify(text)]), ...notes].join(', ');
}
