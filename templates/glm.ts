/**
 * GLM 4.5 and 4.6, and GLM 4.7: turns that only the next one's token ends, tools as JSON in a system turn of their own before
 * everything else, calls as keys and raw values, all of them between tokens. 4.7 has no line breaks between the parts.
 * Source: the chat templates that Z.ai publishes with the models.
 *
 * Where it differs from those templates: results stand in the order of their calls, and a `</think>` in a reply's content
 * splits nothing. 4.7's option to keep earlier thoughts is not here: a reply that has its completion keeps them anyhow.
 */
import { glm47 as glm47Parser, glm as glmParser } from '../parsers/glm.ts';
import type { Parser, Piece } from '../parsers/parser.ts';
import { placeSchema } from './placement.ts';
import { promptBuilder } from './prompt.ts';
import { toolLines } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import type { AssistantMessage, RenderOptions, Template } from './template.ts';
import { lastUserTurn, toTurns } from './turns.ts';

const controlTokens = [
  ...['[gMASK]', '<sop>', '<|system|>', '<|user|>', '<|assistant|>', '<|observation|>', '<|endoftext|>'],
  ...['<tool_call>', '</tool_call>', '<arg_key>', '</arg_key>', '<arg_value>', '</arg_value>'],
  ...['<tool_response>', '</tool_response>', '<think>', '</think>', '/nothink'],
];

const schemaOpening =
  '# Tools\n\nYou may call one or more functions to assist with the user query.\n\n' +
  'You are provided with function signatures within <tools></tools> XML tags:\n<tools>';
const schemaClosing =
  '\n</tools>\n\nFor each function call, output the function name and arguments within the following XML format:\n';

interface Variant {
  readonly name: string;
  readonly parser: Parser;
  /** What stands between the parts. */
  readonly line: '\n' | '';
  /** What a user's message ends with that asks for no thoughts. */
  readonly quiet: string;
  /** How a reply begins without a thought. */
  readonly thoughtless: readonly Piece[];
  prefill(options?: RenderOptions): readonly Piece[];
}

function createGlm({ name, parser, line, quiet, thoughtless, prefill }: Variant): Template {
  const example = ['{arg-key-1}', '{arg-key-2}'].map(
    key => `<arg_key>${key}</arg_key>${line}<arg_value>${key.replace('key', 'value')}</arg_value>${line}`,
  );
  const schemaExample = `<tool_call>{function-name}${line}${example.join('')}...${line}</tool_call>`;

  return {
    name,
    stops: ['<|user|>', '<|observation|>', '<|endoftext|>'],
    controlTokens,
    prefill,
    render({ messages, tools }, options = {}) {
      const turns = toTurns(messages);
      const place = placeSchema(tools, turns, options.schema);
      const lastUser = lastUserTurn(turns);
      const out = promptBuilder(controlTokens);
      const schema = () => {
        out.scaffold(schemaOpening);
        out.text(`\n${toolsInForm(tools, options.schemaForm, toolLines)}`, 'tools');
        out.scaffold(schemaClosing + schemaExample);
      };

      out.scaffold('[gMASK]<sop>');
      if (place.at === 'system') {
        out.scaffold('<|system|>\n');
        schema();
      }
      turns.forEach((turn, index) => {
        if (turn.role === 'results') {
          out.scaffold('<|observation|>');
          for (const result of turn.results) {
            out.scaffold(`${line}<tool_response>${line}`);
            out.text(result.content, 'tool');
            out.scaffold(`${line}</tool_response>`);
          }
        } else if (turn.role === 'assistant') {
          out.scaffold('<|assistant|>');
          assistant(turn, index > lastUser);
        } else {
          out.scaffold(`<|${turn.role}|>${line}`);
          if (index === place.turn) {
            schema();
            out.scaffold('\n\n');
          }
          out.text(turn.content, turn.role);
          const asks = turn.role === 'user' && options.thinking === false;
          if (asks && !turn.content.endsWith(quiet)) out.scaffold(quiet);
        }
      });
      if (place.at === 'tail') {
        out.scaffold('<|system|>\n');
        schema();
      }
      if (options.generationPrompt ?? true) {
        out.scaffold('<|assistant|>');
        out.pieces(prefill(options), 'template');
      }
      return out.build();

      /** Thoughts are shown in the exchange that is still open and left out of earlier ones. */
      function assistant(turn: AssistantMessage, open: boolean): void {
        if (turn.completion) {
          out.pieces(turn.completion, 'assistant');
          return;
        }
        if (open && turn.reasoning) {
          out.scaffold(`${line}<think>`);
          out.text(turn.reasoning.trim(), 'assistant');
          out.scaffold('</think>');
        } else out.pieces(thoughtless, 'assistant');
        const content = turn.content.trim();
        if (content !== '') {
          out.scaffold(line);
          out.text(content, 'assistant');
        }
        const calls = turn.toolCalls ?? [];
        if (calls.length === 0) return;
        out.scaffold(line);
        out.pieces(parser.write(calls), 'assistant');
      }
    },
  };
}

const control = (text: string): Piece => ({ text, control: true });
const emptyThought = [{ text: '\n' }, control('<think>'), control('</think>')];

export const glm = createGlm({
  name: 'glm',
  parser: glmParser,
  line: '\n',
  quiet: '/nothink',
  thoughtless: emptyThought,
  prefill: options => (options?.thinking === false ? emptyThought : []),
});

export const glm47 = createGlm({
  name: 'glm4.7',
  parser: glm47Parser,
  line: '',
  quiet: '',
  thoughtless: [control('</think>')],
  prefill: options => [control(options?.thinking === false ? '</think>' : '<think>')],
});
