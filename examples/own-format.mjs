/**
 * A format of one's own, for a model whose turns are `<turn:user>…<end>` and which calls by `<call>{"name": …, "args": {…}}</call>`.
 * docs/own-formats.md goes through it; `rawcall render`, `parse`, `check` and `run` take it by `--format examples/own-format.mjs`.
 */
import { callBlock, createParser, placeSchema, promptBuilder, toolsInForm, toTurns } from 'rawcall';

const parser = createParser(
  {
    name: 'own',
    blocks: [callBlock({ open: '<call>', close: '</call>', form: 'object' })],
    argumentsKey: 'args',
    stops: ['<end>'],
    results: ['<turn:result>'],
    thinking: { open: '<think>', close: '</think>' },
  },
  calls =>
    calls.flatMap(({ name, argumentsText }) => [
      { text: '<call>', control: true },
      { text: `{"name": ${JSON.stringify(name)}, "args": ${argumentsText}}` },
      { text: '</call>', control: true },
    ]),
);

const controlTokens = [
  '<turn:system>',
  '<turn:user>',
  '<turn:model>',
  '<turn:result>',
  '<end>',
  '<call>',
  '</call>',
];

const toolLines = tools =>
  tools
    .map(({ name, description, inputSchema }) =>
      JSON.stringify({ name, description, parameters: inputSchema }),
    )
    .join('\n');

const template = {
  name: 'own',
  stops: ['<end>'],
  controlTokens,
  render({ messages, tools }, { schema, schemaForm, generationPrompt = true } = {}) {
    const turns = toTurns(messages);
    const place = placeSchema(tools, turns, schema);
    const out = promptBuilder(controlTokens);

    const showTools = () => {
      out.scaffold('Call a tool by <call>{"name": …, "args": {…}}</call>. The tools:\n');
      out.text(`${toolsInForm(tools, schemaForm, toolLines)}\n`, 'tools');
    };
    const toolsTurn = () => {
      out.scaffold('<turn:system>');
      showTools();
      out.scaffold('<end>\n');
    };

    if (place.at === 'system') toolsTurn();
    turns.forEach((turn, index) => {
      if (turn.role === 'results') {
        for (const { content } of turn.results) {
          out.scaffold('<turn:result>');
          out.text(content, 'tool');
          out.scaffold('<end>\n');
        }
        return;
      }
      out.scaffold(turn.role === 'assistant' ? '<turn:model>' : `<turn:${turn.role}>`);
      if (index === place.turn) showTools();
      if (turn.role === 'assistant' && turn.completion) out.pieces(turn.completion, 'assistant');
      else {
        out.text(turn.content, turn.role);
        if (turn.role === 'assistant') out.pieces(parser.write(turn.toolCalls ?? []), 'assistant');
      }
      out.scaffold('<end>\n');
    });
    if (place.at === 'tail') toolsTurn();
    if (generationPrompt) out.scaffold('<turn:model>');
    return out.build();
  },
};

export default { name: 'own', template, parser };
