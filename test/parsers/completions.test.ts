/** Completions of each format and what they come to, at every piece size. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject, StopReason } from '../../parsers/parser.ts';
import { readCompletion } from '../../parsers/read.ts';
import { formats } from '../../src/format.ts';
import { tools } from './tools.ts';

interface Fixture {
  readonly id: string;
  readonly completion: string;
  readonly prefill?: string;
  readonly reason?: StopReason;
  readonly bareCalls?: 'anywhere';
  readonly expected: {
    readonly calls: readonly [name: string, args: JsonObject][];
    readonly content: string;
    readonly reasoning: string;
    readonly problems: readonly string[];
    readonly repairs: readonly string[];
  };
}

const fixtureFile = (name: string) => new URL(`../formats/${name}/completions.jsonl`, import.meta.url);

describe.each(formats.filter(({ name }) => existsSync(fixtureFile(name))))('$name', ({ name, parser }) => {
  const lines = readFileSync(fixtureFile(name), 'utf8').trim().split('\n');
  const fixtures = lines.map(line => JSON.parse(line) as Fixture);

  test.each(fixtures)('$id', ({ completion, expected, reason = 'stop', prefill, bareCalls }) => {
    const context = {
      tools,
      ...(prefill === undefined ? {} : { prefill }),
      ...(bareCalls ? { bareCalls } : {}),
    };
    for (const size of [completion.length, 1, 2, 3, 5, 8, 13]) {
      const read = readCompletion(parser, pieces(completion, size), context, reason);
      expect({
        calls: read.calls.map(call => [call.name, call.arguments]),
        content: read.content.trim(),
        reasoning: read.reasoning,
        problems: read.problems.map(problem => problem.problem),
        repairs: [...read.repairs].sort(),
      }).toEqual(expected);
    }
  });
});

function pieces(text: string, size: number) {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => ({
    text: text.slice(at * size, (at + 1) * size),
  }));
}
