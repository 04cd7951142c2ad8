/**
 * DeepSeek: bare system text, users and replies behind a token each, results right behind the calls they answer. `deepseek` is V3 and R1,
 * `deepseek-v3.1` is V3.1. Sources: the chat templates that DeepSeek publishes with the models; V3.1's model card for its tools,
 * and llama.cpp's template for R1 for the tools of `deepseek`, since no template of DeepSeek's own renders any.
 *
 * A reply after results continues the assistant's turn, without a token of its own, as DeepSeek's templates have it; the thought
 * that R1 and V3.1 are made to begin or to skip is in the prompt only behind a user's turn. R1 is made to think unless it is told not
 * to, which is the layout of V3; V3.1 is not made to think unless it is told to, and its card has tools without thinking only.
 *
 * Where it differs: text beside calls is kept (llama.cpp's template drops it); a `</think>` in a reply's content splits nothing; results
 * stand in the order of their calls; every reply has its token, even where no user's turn stands before it. Other differences of
 * llama.cpp's template from DeepSeek's own: a token that ends a user's turn, one that ends the results, a line break before
 * the first result, no opening mark for the second results of a conversation, and the last system text alone.
 */
import { deepseek as v3Parser, deepseekV31 as v31Parser } from '../parsers/deepseek.ts';
import type { Parser, Piece, ToolDefinition } from '../parsers/parser.ts';
import { placeSchema, type SchemaPlace } from './placement.ts';
import { type PromptBuilder, promptBuilder } from './prompt.ts';
import { functionTool, jsonLine } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import type { RenderOptions, SchemaForm, Template } from './template.ts';
import { type Turn, toTurns } from './turns.ts';

const controlTokens = [
  ...['<｜begin▁of▁sentence｜>', '<｜end▁of▁sentence｜>', '<｜User｜>', '<｜Assistant｜>'],
  ...[
    '<｜tool▁calls▁begin｜>',
    '<｜tool▁calls▁end｜>',
    '<｜tool▁call▁begin｜>',
    '<｜tool▁call▁end｜>',
    '<｜tool▁sep｜>',
  ],
  ...[
    '<｜tool▁outputs▁begin｜>',
    '<｜tool▁outputs▁end｜>',
    '<｜tool▁output▁begin｜>',
    '<｜tool▁output▁end｜>',
  ],
  ...['<think>', '</think>'],
];

interface Variant {
  readonly name: string;
  readonly parser: Parser;
  /** Marks around and between all results of one turn. */
  readonly results: readonly [open: string, between: string, close: string];
  /** What a reply begins with that was made without a thought, or whose thought is left out. */
  readonly thoughtless: readonly Piece[];
  /** What a user's turn is followed by, besides the token. */
  opening(options?: RenderOptions): readonly Piece[];
  /** The tools, whether a system text stands beside them or not. */
  tools(out: PromptBuilder, tools: readonly ToolDefinition[], form: SchemaForm | undefined): void;
  readonly toolsFirst?: boolean;
}

function createDeepseek(variant: Variant): Template {
  const { name, parser, results, thoughtless } = variant;
  return {
    name,
    stops: ['<｜end▁of▁sentence｜>'],
    controlTokens,
    prefill(options, { messages, tools } = { messages: [], tools: [] }) {
      const turns = toTurns(messages);
      return continues(turns, placeSchema(tools, turns, options?.schema)) ? [] : variant.opening(options);
    },
    render({ messages, tools }, options = {}) {
      const turns = toTurns(messages);
      const place = placeSchema(tools, turns, options.schema);
      const out = promptBuilder(controlTokens);

      out.scaffold('<｜begin▁of▁sentence｜>');
      systemText();
      turns.forEach((turn, index) => {
        switch (turn.role) {
          case 'system':
            return;
          case 'user':
            out.scaffold('<｜User｜>');
            if (index === place.turn) {
              variant.tools(out, tools, options.schemaForm);
              out.scaffold('\n\n');
            }
            out.text(turn.content, 'user');
            return;
          case 'results':
            out.scaffold(results[0]);
            turn.results.forEach(({ content }, at) => {
              out.scaffold(`${at === 0 ? '' : results[1]}<｜tool▁output▁begin｜>`);
              out.text(content, 'tool');
              out.scaffold('<｜tool▁output▁end｜>');
            });
            out.scaffold(results[2]);
            return;
          case 'assistant': {
            const begins = turns[index - 1]?.role !== 'results';
            if (begins) out.scaffold('<｜Assistant｜>');
            if (turn.completion) out.pieces(turn.completion, 'assistant');
            else {
              if (begins) out.pieces(thoughtless, 'template');
              out.text(turn.content, 'assistant');
              if (turn.toolCalls?.length) out.pieces(parser.write(turn.toolCalls), 'assistant');
            }
            out.scaffold('<｜end▁of▁sentence｜>');
          }
        }
      });
      if (place.at === 'tail') {
        out.scaffold('<｜User｜>');
        variant.tools(out, tools, options.schemaForm);
      }
      if ((options.generationPrompt ?? true) && !continues(turns, place)) {
        out.scaffold('<｜Assistant｜>');
        out.pieces(variant.opening(options), 'template');
      }
      return out.build();

      /** All system texts stand together at the beginning: there is no other place for one. */
      function systemText(): void {
        const texts = turns.flatMap(turn =>
          turn.role === 'system' && turn.content !== '' ? [turn.content] : [],
        );
        if (place.at === 'system' && variant.toolsFirst) {
          variant.tools(out, tools, options.schemaForm);
          out.scaffold('\n\n');
        }
        out.text(texts.join('\n\n'), 'system');
        if (place.at === 'system' && !variant.toolsFirst) {
          if (texts.length > 0) out.scaffold('\n\n');
          variant.tools(out, tools, options.schemaForm);
        }
      }
    },
  };
}

/** Whether the next reply goes on in a turn of the assistant's that its calls began. */
function continues(turns: readonly Turn[], place: SchemaPlace): boolean {
  return turns.at(-1)?.role === 'results' && place.at !== 'tail';
}

const think: Piece = { text: '<think>', control: true };
const endThought: Piece = { text: '</think>', control: true };

function toolList(tools: readonly ToolDefinition[]): string {
  return JSON.stringify(
    tools.map(tool => functionTool(tool).function),
    null,
    2,
  );
}

function toolSections(tools: readonly ToolDefinition[]): string {
  const sections = tools.map(
    ({ name, description = '', inputSchema }) =>
      `### ${name}\nDescription: ${description}\n\nParameters: ${jsonLine(inputSchema)}`,
  );
  return sections.join('\n\n');
}

export const deepseek = createDeepseek({
  name: 'deepseek',
  parser: v3Parser,
  results: ['<｜tool▁outputs▁begin｜>', '\n', '<｜tool▁outputs▁end｜>'],
  thoughtless: [],
  opening: options => (options?.thinking === false ? [] : [think, { text: '\n' }]),
  toolsFirst: true,
  tools(out, tools, form) {
    out.scaffold("You can call any of the following function tools to satisfy the user's requests: ");
    out.text(toolsInForm(tools, form, toolList), 'tools');
    out.scaffold(
      '\n\nExample function tool call syntax:\n\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>example_function_name\n' +
        '```json\n{\n  "arg1": "some_value"\n  ...\n}\n```\n<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    );
  },
});

export const deepseekV31 = createDeepseek({
  name: 'deepseek-v3.1',
  parser: v31Parser,
  results: ['', '', ''],
  thoughtless: [endThought],
  opening: options => [options?.thinking === true ? think : endThought],
  tools(out, tools, form) {
    out.scaffold('## Tools\nYou have access to the following tools:\n');
    out.text(`\n${toolsInForm(tools, form, toolSections)}\n`, 'tools');
    out.scaffold(
      '\nIMPORTANT: ALWAYS adhere to this exact format for tool use:\n' +
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>tool_call_name<｜tool▁sep｜>tool_call_arguments<｜tool▁call▁end｜>{{additional_tool_calls}}<｜tool▁calls▁end｜>\n\n' +
        'Where:\n- `tool_call_name` must be an exact match to one of the available tools\n' +
        "- `tool_call_arguments` must be valid JSON that strictly follows the tool's Parameters Schema\n" +
        '- For multiple tool calls, chain them directly without separators or spaces',
    );
  },
});
