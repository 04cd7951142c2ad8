/** How calls are written in more than one syntax: as JSON objects, and as calls of Python. */
import type { Notation } from './call-grammar.ts';
import { empty, marker } from './expression.ts';
import { json, python, pythonArguments } from './json.ts';

/** `{"name": "f", "arguments": {…}}`, with what stands around each call. */
export function jsonCalls({
  open = '',
  close = '',
  between,
  argumentsKey = 'arguments',
}: {
  readonly open?: string;
  readonly close?: string;
  readonly between: string;
  readonly argumentsKey?: string;
}): Notation {
  return {
    between: marker(between),
    dialect: json,
    beforeName: marker(`${open}{"name": `),
    writeName: name => JSON.stringify(name),
    afterName: marker(`, "${argumentsKey}": `),
    afterArguments: marker(`}${close}`),
  };
}

/** `f(a=1, b="x"), g()` */
export const pythonCalls: Notation = {
  dialect: python,
  arguments: pythonArguments,
  between: marker(', '),
  beforeName: empty,
  // Nobody reads another name than this as one.
  writeName: name => (/^[A-Za-z_][\w.\-$]*$/.test(name) ? name : undefined),
  afterName: marker('('),
  afterArguments: marker(')'),
};
