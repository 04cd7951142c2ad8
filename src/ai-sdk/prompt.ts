/** The AI SDK's prompt as messages. */
import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import { refuseWith } from '../../templates/check.ts';
import { readArguments } from '../../templates/messages.ts';
import { jsonLine } from '../../templates/schema.ts';
import type { Message } from '../../templates/template.ts';
import { type History, openHistory } from '../server/history.ts';

type Part = Exclude<LanguageModelV3Message['content'], string>[number];
type Output = LanguageModelV3ToolResultPart['output'];

const refuse = refuseWith('bad_messages');

/** @throws RawcallError `bad_messages` for what is no text, and for calls without their results */
export function messagesOf(prompt: LanguageModelV3Prompt): Message[] {
  const history = openHistory();
  for (const [index, { role, content }] of prompt.entries()) {
    const place = `prompt[${index}].content`;
    if (role === 'system') history.add('system', content);
    else if (role === 'user') {
      const texts = content.map((part, at) =>
        part.type === 'text' ? part.text : noFile(part, `${place}[${at}]`),
      );
      history.add('user', texts.join('\n'));
    } else for (const [at, part] of content.entries()) readPart(part, `${place}[${at}]`, history);
  }
  return history.messages();
}

/** Of the assistant, and of the tools that it called. */
function readPart(part: Part, place: string, history: History): void {
  switch (part.type) {
    case 'text':
      history.say({ text: part.text }, place);
      break;
    case 'reasoning':
      history.say({ reasoning: part.text }, place);
      break;
    case 'tool-call': {
      const { toolCallId: id, toolName: name, input } = part;
      history.say({ call: { id, name, ...readArguments(input, `${place}.input`) } }, place);
      break;
    }
    case 'tool-result': {
      const result = resultOf(part.output, `${place}.output.value`);
      history.answer({ callId: part.toolCallId, ...result }, place);
      break;
    }
    case 'file':
      noFile(part, place);
      break;
    case 'tool-approval-response':
      // Only of calls that the provider runs, which none does here.
      break;
    default:
      part satisfies never;
  }
}

function resultOf(output: Output, place: string): { readonly content: string; readonly isError?: boolean } {
  switch (output.type) {
    case 'text':
      return { content: output.value };
    case 'error-text':
      return { content: output.value, isError: true };
    case 'json':
      return { content: jsonLine(output.value) };
    case 'error-json':
      return { content: jsonLine(output.value), isError: true };
    case 'execution-denied':
      return {
        content: `The user refused this call${output.reason ? `: ${output.reason}` : '.'}`,
        isError: true,
      };
    case 'content': {
      const texts = output.value.map((part, at) =>
        part.type === 'text' ? part.text : noFile(part, `${place}[${at}]`),
      );
      return { content: texts.join('\n') };
    }
    default:
      return output satisfies never;
  }
}

function noFile({ type }: { readonly type: string }, place: string): never {
  return refuse(`${place}.type`, type, '"text": only text can be rendered');
}
