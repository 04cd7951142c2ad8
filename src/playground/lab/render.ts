/** Messages and tools, as each template renders them, in the loaded model's tokens where there are any. */
import { RawcallError } from '../../../parsers/error.ts';
import { parseMessages, parseTools } from '../../../templates/messages.ts';
import { withSimplifiedSchemas } from '../../../templates/simplify.ts';
import type { Conversation, RenderOptions, Template } from '../../../templates/template.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Format } from '../../format.ts';
import type { LabPrompt, LabRender, LabRendered, LabSide } from './lab-protocol.ts';

/** @throws RawcallError `bad_messages`, `bad_tools` */
export function conversationOf({ messages, tools }: Pick<LabRender, 'messages' | 'tools'>): Conversation {
  return { messages: parseMessages(messages), tools: tools === undefined ? [] : parseTools(tools) };
}

/** @param open gives the format of a name; what it throws is that format's failure */
export async function labRender(
  given: LabRender,
  open: (name: string) => Promise<Format>,
  engine: Pick<Engine, 'name' | 'tokenize'> | undefined,
): Promise<LabRendered> {
  const conversation = conversationOf(given);
  const prompts: LabPrompt[] = [];
  for (const format of given.formats) {
    try {
      const { template } = await open(format);
      const prompt = shownTemplate(template, given).render(conversation, renderOptions(given));
      const tokens = engine?.tokenize?.(prompt);
      prompts.push({ format, prompt, ...(tokens ? { tokens } : {}) });
    } catch (error) {
      if (!RawcallError.isInstance(error)) throw error;
      prompts.push({ format, failed: { code: error.code, message: error.message } });
    }
  }
  return { ...(engine?.tokenize ? { tokenizer: engine.name } : {}), prompts };
}

export function shownTemplate(template: Template, { toolSchemas }: Pick<LabSide, 'toolSchemas'>): Template {
  return withSimplifiedSchemas(template, () => toolSchemas === 'simplified');
}

export function renderOptions({
  schema,
  schemaForm,
  thinking,
  date,
  generationPrompt,
}: Pick<LabRender, 'schema' | 'schemaForm' | 'thinking' | 'date' | 'generationPrompt'>): RenderOptions {
  return {
    ...(schema ? { schema } : {}),
    ...(schemaForm ? { schemaForm } : {}),
    ...(thinking === undefined ? {} : { thinking }),
    ...(date ? { date } : {}),
    ...(generationPrompt === undefined ? {} : { generationPrompt }),
  };
}
