/** Names that differ from a tool's in punctuation alone. */
import { expect, test } from 'vitest';
import type { ParseEvent, Parser, Piece } from '../../parsers/parser.ts';
import { formats } from '../../src/format.ts';

const inputSchema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
const tool = (name: string) => ({ name, inputSchema });
const parsers = [...new Map(formats.map(({ parser }) => [parser.name, parser])).values()];

function read(parser: Parser, pieces: readonly Piece[], names: readonly string[]): ParseEvent[] {
  const reading = parser.start({ tools: names.map(tool) });
  return [...pieces.flatMap(piece => reading.push(piece)), ...reading.end('stop')];
}

const written = (parser: Parser, name: string) =>
  parser.write([{ id: 'call_1', name, arguments: { a: 1 }, argumentsText: '{"a":1}' }]);

test.each(parsers.map(parser => [parser.name, parser] as const))('%s', (_name, parser) => {
  const pieces = written(parser, 'employee.fetch_data');
  const events = read(parser, pieces, ['employee_fetch_data', 'other']);
  expect(events.find(event => event.type === 'call-start')).toMatchObject({ name: 'employee_fetch_data' });
  expect(events.find(event => event.type === 'call-end')?.call).toMatchObject({
    name: 'employee_fetch_data',
    arguments: { a: 1 },
  });
  expect(events.filter(event => event.type === 'repaired').map(({ repair }) => repair)).toContain(
    'tool-name',
  );

  // Its own name is nothing to mend, and one that may be two tools' is none.
  const own = read(parser, pieces, ['employee.fetch_data', 'employee_fetch_data']);
  expect(own.find(event => event.type === 'call-end')?.call.name).toBe('employee.fetch_data');
  expect(own.some(event => event.type === 'repaired')).toBe(false);
  const either = read(parser, pieces, ['employee-fetch-data', 'employee_fetch_data']);
  expect(either.some(event => event.type === 'call-end')).toBe(false);
});
