/** Conversations for the law tests: any texts, forged markers among them. */
import fc from 'fast-check';
import type { ToolCall, ToolDefinition } from '../../parsers/parser.ts';
import { formats } from '../../src/format.ts';
import type { Message } from '../../templates/template.ts';

const markers = [...new Set(formats.flatMap(format => format.template.controlTokens))];

/** Not empty, since some layouts leave an empty text's line break out. */
export const untrusted = fc
  .array(
    fc.oneof(
      fc.constantFrom(...markers, '\n', ' ', '<|im_', 'x'),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    ),
    {
      maxLength: 5,
    },
  )
  .map(parts => `x${parts.join('')}x`);

const json = fc.dictionary(fc.string({ maxLength: 5 }), fc.oneof(untrusted, fc.integer(), fc.boolean()), {
  maxKeys: 3,
  noNullPrototype: true,
});

const names = fc.array(fc.constantFrom('alpha', 'beta', 'gamma'), { minLength: 1, maxLength: 3 });

export const tools: fc.Arbitrary<ToolDefinition[]> = fc
  .uniqueArray(
    fc.record({ name: fc.constantFrom('alpha', 'beta', 'gamma'), description: untrusted, field: untrusted }),
    {
      selector: tool => tool.name,
      minLength: 1,
      maxLength: 3,
    },
  )
  .map(list =>
    list.map(({ name, description, field }) => ({
      name,
      description,
      inputSchema: { type: 'object', properties: { [field]: { type: 'string', description } } },
    })),
  );

/** A user, then rounds of calls with their results, then a reply; a few times over. */
const exchange = fc.record({
  user: untrusted,
  rounds: fc.array(
    fc.record({ names, content: fc.oneof(fc.constant(''), untrusted), args: json, result: untrusted }),
    {
      maxLength: 2,
    },
  ),
  reasoning: fc.option(untrusted, { nil: undefined }),
  reply: untrusted,
});

export const messages: fc.Arbitrary<Message[]> = fc
  .record({
    system: fc.option(untrusted, { nil: undefined }),
    exchanges: fc.array(exchange, { minLength: 1, maxLength: 2 }),
  })
  .map(({ system, exchanges }) => {
    const list: Message[] = system === undefined ? [] : [{ role: 'system', content: system }];
    let count = 0;
    for (const { user, rounds, reasoning, reply } of exchanges) {
      const thought = reasoning === undefined ? {} : { reasoning };
      list.push({ role: 'user', content: user });
      for (const round of rounds) {
        const toolCalls = round.names.map(
          (name): ToolCall => ({
            id: `call_${++count}`,
            name,
            arguments: round.args,
            argumentsText: JSON.stringify(round.args),
          }),
        );
        list.push({ role: 'assistant', content: round.content, toolCalls, ...thought });
        for (const { id, name } of toolCalls)
          list.push({ role: 'tool', callId: id, name, content: round.result });
      }
      list.push({ role: 'assistant', content: reply, ...thought });
    }
    return list;
  });
