/** What a server is sent: the digits that the model wrote, over each transport. */
import { expect, test } from 'vitest';
import { exactArguments, exactMessage } from '../../src/mcp/exact-arguments.ts';
import { fixture, readySet } from './helpers.ts';
import { type Exchange, listening, serve } from './http-server.ts';

const argumentsText =
  '{"id":1234567890123456789,"low":-9007199254740993,"pi":3.14159265358979323846,"n":[12,0.5,1e+300],"text":"1234567890123456789"}';

test('long numbers keep their digits, all else is as JSON says it', () => {
  const args = exactArguments(JSON.parse(argumentsText), argumentsText);
  expect(exactMessage(JSON.stringify({ arguments: args }))).toBe(`{"arguments":${argumentsText}}`);
  const short = JSON.parse('{"a":1.0}');
  expect(exactArguments(short, '{"a":1.0}')).toBe(short);
});

test('a text cannot pass for a number', () => {
  const sneaky = { a: 'exact:00000000-0000-0000-0000-000000000000:1' };
  const message = JSON.stringify(sneaky);
  expect(exactMessage(message)).toBe(message);
});

test('over HTTP the server gets every digit', async () => {
  const bodies: string[] = [];
  await using web = await listening((exchange: Exchange) => {
    if (exchange.message.method === 'tools/call') bodies.push(exchange.body);
    return serve(exchange);
  });
  await using host = await readySet([web.server]);
  await host.call('work', JSON.parse(argumentsText), { argumentsText });
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).toContain(argumentsText);
});

test('over stdio too', async () => {
  await using host = await readySet([fixture('raw-lines')]);
  const { content } = await host.call('last_line', JSON.parse(argumentsText), { argumentsText });
  expect(content).toContain(argumentsText);
});
