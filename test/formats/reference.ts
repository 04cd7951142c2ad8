/**
 * A dialogue as a model's official chat template renders it, by @huggingface/jinja.
 *
 * What an official template cannot say is asked of it in a form that it can (an *equivalent input*) or mended in its output
 * (a *named replacement*); every such step is a function below, and the template's header comment in templates/ says why.
 */
import { Template } from '@huggingface/jinja';
import type { ToolCall, ToolDefinition } from '../../parsers/parser.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../templates/template.ts';
import type { Dialogue } from './dialogues.ts';

export interface Reference {
  /** The format, and the folder of its fixtures. */
  readonly format: string;
  /** The files in the source package; all of them must render alike. */
  readonly files: readonly string[];
  /** Where the files are, if the source package does not have them. */
  readonly elsewhere?: string;
  /** True where the official template has a form for this dialogue. */
  covers(dialogue: Dialogue): boolean;
  /** The calls as content, where the template has no form for calls like these. */
  callsAsContent?(message: AssistantMessage): string | undefined;
  /** The beginning-of-text token, where ours writes it too. */
  readonly bos?: string;
  /** The token that ends a turn, where the template asks for it. */
  readonly eos?: string;
  /** Equivalent input: the dialogue in a form that the template can say. */
  equivalent?(dialogue: Dialogue): Dialogue;
  /** The mark around strings, where it is not JSON's quote. */
  readonly quote?: string;
  /** Equivalent input: a result as the template takes it. */
  result?(message: ToolMessage): unknown;
  readonly quotesResults?: boolean;
  readonly describesReturn?: boolean;
  /** Named replacements in the template, where it cannot be rendered as it is; each must be found. */
  readonly corrections?: readonly (readonly [wrong: string, right: string])[];
  /** Named replacements in the output. */
  mend?(text: string, dialogue: Dialogue): string;
}

const tojson = new Template('{{ value | tojson }}');

export function renderOfficial(source: string, reference: Reference, original: Dialogue): string {
  const dialogue = reference.equivalent?.(original) ?? original;
  const exact: string[] = [];
  const keep = (text: string) => `@@${exact.push(text) - 1}@@`;
  const { date, thinking, schema, generationPrompt = true } = dialogue.options ?? {};
  // Equivalent input: 3.2 asks the clock for a date, ours keeps 3.1's unless it is told one.
  const shownDate = date ?? (source.includes('strftime_now') ? '26 Jul 2024' : undefined);
  const tools = dialogue.tools?.map(tool => officialTool(tool, reference));
  const rendered = new Template(corrected(source, reference)).render({
    bos_token: reference.bos ?? '',
    ...(reference.eos === undefined ? {} : { eos_token: reference.eos }),
    messages: inCallOrder(dialogue.messages).map(message => officialMessage(message, reference, keep)),
    add_generation_prompt: generationPrompt,
    ...(tools || reference.format !== 'hermes' ? {} : { tools: [] }),
    ...(tools ? { tools } : {}),
    ...(shownDate === undefined ? {} : { date_string: shownDate }),
    // Llama's own switch; the others have one place only.
    ...(schema === 'system' ? { tools_in_user_message: false } : {}),
    ...(thinking === undefined ? {} : { enable_thinking: thinking }),
  });
  const quote = (reference.quote ?? '"').replaceAll('|', '\\|');
  const kept = new RegExp(`(?:${quote})?@@(\\d+)@@(?:${quote})?`, 'g');
  const whole = rendered.replace(kept, (_, index) => exact[Number(index)] ?? '');
  return reference.mend?.(whole, original) ?? whole;
}

function corrected(source: string, { corrections = [] }: Reference): string {
  return corrections.reduce((text, [wrong, right]) => {
    if (!text.includes(wrong)) throw new Error(`The template does not hold ${wrong}`);
    return text.replaceAll(wrong, right);
  }, source);
}

/** Equivalent input: formats without call ids get the results in the order of the calls. */
function inCallOrder(messages: readonly Message[]): Message[] {
  const order = messages
    .flatMap(one => (one.role === 'assistant' ? (one.toolCalls ?? []) : []))
    .map(one => one.id);
  const sorted = messages.filter((one): one is ToolMessage => one.role === 'tool');
  sorted.sort((a, b) => order.indexOf(a.callId) - order.indexOf(b.callId));
  return messages.map(one => (one.role === 'tool' ? sorted.shift()! : one));
}

function officialTool(
  { name, description, inputSchema, outputSchema }: ToolDefinition,
  reference: Reference,
) {
  const described = description ?? (reference.format === 'hermes' ? '' : undefined);
  return {
    type: 'function',
    function: {
      name,
      ...(described === undefined ? {} : { description: described }),
      parameters: inputSchema,
      ...(reference.describesReturn && outputSchema !== undefined ? { return: outputSchema } : {}),
    },
  };
}

function officialMessage(message: Message, reference: Reference, keep: (text: string) => string) {
  if (message.role === 'tool') {
    const content = reference.quotesResults ? keep(message.content) : message.content;
    return {
      role: 'tool',
      tool_call_id: message.callId,
      name: message.name,
      content: reference.result?.(message) ?? content,
    };
  }
  if (message.role !== 'assistant') return message;
  const { content, reasoning, toolCalls } = message;
  const base = {
    role: 'assistant',
    content,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
  };
  if (!toolCalls) return base;
  const asContent = reference.callsAsContent?.(message);
  if (asContent !== undefined) return { ...base, content: asContent };
  return {
    ...base,
    tool_calls: toolCalls.map(call => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: exactNumbers(call, keep) },
    })),
  };
}

/** Named replacement: Python's `tojson` keeps every digit of a number, the JavaScript one cannot. */
function exactNumbers(call: ToolCall, keep: (text: string) => string): unknown {
  const kept = call.argumentsText.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, token =>
    token.startsWith('"') ? token : JSON.stringify(keep(token)),
  );
  return JSON.parse(kept);
}

/** Arguments by the official printer, for calls that are given as content. */
export const printed = (call: ToolCall) => tojson.render({ value: call.arguments });

export const whole = () => true;
