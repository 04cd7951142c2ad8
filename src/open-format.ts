/** A format by whatever people give for one: a name, `jinja`, or the path of a module of their own. */
import { RawcallError } from '../parsers/error.ts';
import { type Format, formatNamed } from './format.ts';
import { isFormatPath, loadFormatModule } from './format-module.ts';
import { type JinjaFormat, type JinjaOptions, jinjaFormat } from './jinja/format.ts';

/** What a model brings that `jinja` needs. */
export type ModelTemplate = Partial<Omit<JinjaOptions, 'calls'>>;

/** `notes` is for people: what a chat template cannot do. */
export type OpenedFormat = Format & Partial<Pick<JinjaFormat, 'notes'>>;

const jinja = 'jinja';

/** The format that `jinja:NAME` names for its calls; undefined for `jinja` alone; nothing else is a Jinja format. */
export function jinjaCalls(name: string): { readonly calls: string | undefined } | undefined {
  if (name === jinja) return { calls: undefined };
  return name.startsWith(`${jinja}:`) ? { calls: name.slice(jinja.length + 1) } : undefined;
}

/**
 * @param name a format's name or alias; `jinja`, or `jinja:NAME` with the format whose calls the model writes; the path of a
 * module (see docs/own-formats.md)
 * @param model for `jinja`: the chat template, and what the vocabulary says of its tokens
 * @throws RawcallError `unknown_format`, `bad_format`, `bad_chat_template`, `format_not_detected`
 */
export async function openFormat(
  name: string,
  { chatTemplate, ...model }: ModelTemplate = {},
): Promise<OpenedFormat> {
  if (isFormatPath(name)) return loadFormatModule(name);
  const own = jinjaCalls(name);
  if (!own) return formatNamed(name);
  const { calls } = own;
  if (calls !== undefined) formatNamed(calls);
  if (chatTemplate === undefined)
    throw new RawcallError(
      'bad_chat_template',
      'The format jinja needs a chat template: that of a model which brings one, or a file.',
      {},
    );
  return jinjaFormat({ ...model, chatTemplate, ...(calls === undefined ? {} : { calls }) });
}

/** For reading alone, which takes no chat template: the calls of `jinja:NAME` are those of NAME. */
export async function openReader(name: string): Promise<Format> {
  const own = jinjaCalls(name);
  if (!own) return openFormat(name);
  if (own.calls !== undefined) return formatNamed(own.calls);
  throw new RawcallError(
    'unknown_format',
    'Whose calls are they? Name the format that has them: jinja:hermes, for example.',
    { name },
  );
}
