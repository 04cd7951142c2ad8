/** The two laws of grammars: what one allows is a call that we read and that fits; and what fits is allowed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCompletion } from '../../../parsers/read.ts';
import { invalidArguments } from '../../../parsers/validate.ts';
import { textOf } from '../syntax.ts';
import { syntaxes } from '../syntaxes/index.ts';
import { readGbnf } from './gbnf.ts';
import { instancesOf } from './instances.ts';
import { matchGbnf } from './match.ts';
import { randomFrom, sampleGbnf } from './sample.ts';
import { checker, readable, toolSchemas, withoutRelaxed } from './schemas.ts';

/** One syntax for each way to write values; what the others add stands around the values. */
const thorough = ['tool-call-json', 'bracket', 'qwen-xml', 'functiongemma'];
/** `npm run fuzz` multiplies the runs. */
const times = Number(process.env.RAWCALL_FUZZ ?? 1);
const writers = syntaxes.filter(({ parser }) => parser.grammar !== undefined);

describe.each(writers)('$name', ({ name, parser, keys }) => {
  const runs = { numRuns: (thorough.includes(name) ? 150 : 10) * times };

  test('every text of a grammar is read, mended nowhere, and fits the schema but for what was relaxed', () => {
    fc.assert(
      fc.property(toolSchemas, fc.integer(), fc.boolean(), (schema, seed, parallel) => {
        const tools = [
          { name: 'first', inputSchema: schema },
          { name: 'first_two', inputSchema: { type: 'object', properties: { note: { type: 'string' } } } },
        ];
        const { gbnf, relaxed } = parser.grammar!(tools, { parallel });
        const fitting = relaxed.filter(one => one.tool === 'first');
        const guided = [{ name: 'first', inputSchema: readable(withoutRelaxed(schema, fitting)) }, tools[1]!];
        // The reader holds the arguments against the schema, so it has to be one that can be used.
        expect(invalidArguments(guided[0]!, [] as never)).toContain('must be an object');
        const grammar = readGbnf(gbnf);
        const random = randomFrom(seed);
        for (let round = 0; round < 4; round++) {
          const text = sampleGbnf(grammar, random);
          const { calls, problems, repairs, content } = readCompletion(parser, text, { tools: guided });
          expect({ text, problems, repairs, content }).toEqual({
            text,
            problems: [],
            repairs: [],
            content: '',
          });
          expect(calls.length).toBeGreaterThan(0);
          if (!parallel) expect(calls).toHaveLength(1);
        }
      }),
      runs,
    );
  });

  test('every value that a schema allows and speaks of is allowed, as we write it', () => {
    let tried = 0;
    fc.assert(
      fc.property(toolSchemas, fc.integer(), (schema, seed) => {
        const tools = [{ name: 'first', inputSchema: schema }];
        const valid = checker(schema);
        const made = instancesOf(schema, randomFrom(seed), 6);
        // A member for which there is no value is none.
        const values = (JSON.parse(JSON.stringify(made)) as typeof made).filter(
          value => valid(value) === undefined && (!keys || Object.keys(value).every(key => keys.test(key))),
        );
        if (values.length === 0) return;
        const grammar = readGbnf(parser.grammar!(tools).gbnf);
        for (const value of values) {
          tried++;
          const [call] = [
            { id: 'call_1', name: 'first', arguments: {}, argumentsText: JSON.stringify(value) },
          ];
          const text = textOf(parser.write([call!]));
          expect({ text, ...matchGbnf(grammar, text) }).toMatchObject({ text, whole: true });
        }
      }),
      runs,
    );
    expect(tried).toBeGreaterThan(runs.numRuns);
  });
});
