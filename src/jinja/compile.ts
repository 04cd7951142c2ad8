/** A model's own chat template, compiled. The one place that loads @huggingface/jinja. */
import { RawcallError } from '../../parsers/error.ts';
import { boundInterpreter, longestTemplate, withinBounds } from './bounds.ts';

export interface ChatTemplate {
  readonly source: string;
  /** @throws RawcallError `chat_template_failed`; `details.refused` is true where the template itself raised. */
  render(values: Readonly<Record<string, unknown>>): string;
}

/** @throws RawcallError `bad_chat_template` for a text that is no Jinja */
export async function compileChatTemplate(source: string): Promise<ChatTemplate> {
  // Loaded here alone: rendering and parsing in the built-in formats do without it.
  const { Interpreter, Template } = await import('@huggingface/jinja');
  boundInterpreter(Interpreter);
  // Jinja's own error does not tell a template that says no from one that cannot be rendered.
  const named = source.replace(/\braise_exception\b/g, 'rawcall_refuse');
  let template: InstanceType<typeof Template>;
  try {
    if (source.length > longestTemplate)
      throw new Error(`it has ${source.length} characters, and ${longestTemplate} are the most that is read`);
    template = new Template(named);
  } catch (cause) {
    const why = messageOf(cause);
    throw new RawcallError(
      'bad_chat_template',
      `The chat template is no Jinja that can be read: ${why}. Give another file, or a format by its name.`,
      { why },
      cause,
    );
  }
  return {
    source,
    render(values) {
      let said: string | undefined;
      const refuse = (words: unknown) => {
        said = String(words);
        throw new Error(said);
      };
      try {
        return withinBounds(values, () => template.render({ ...values, rawcall_refuse: refuse }));
      } catch (cause) {
        const refused = said !== undefined;
        const why = said ?? messageOf(cause);
        const what = refused
          ? `The model's chat template refuses this conversation: ${why}`
          : `The model's chat template cannot be rendered for this conversation: ${why}`;
        throw new RawcallError('chat_template_failed', what, { why, refused }, cause);
      }
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
