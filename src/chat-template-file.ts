/** A chat template in a file of its own: `chat_template.jinja`, or a `tokenizer_config.json` with its tokens. */
import { readFile } from 'node:fs/promises';
import { RawcallError } from '../parsers/error.ts';
import { isFields } from '../templates/check.ts';
import type { ModelTemplate } from './open-format.ts';

/** @throws RawcallError `bad_file`, `bad_chat_template` */
export async function readChatTemplate(file: string): Promise<ModelTemplate & { chatTemplate: string }> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (cause) {
    const why = (cause as { code?: string }).code === 'ENOENT' ? 'there is no such file' : String(cause);
    throw new RawcallError('bad_file', `${file}: ${why}.`, { file }, cause);
  }
  const config = file.endsWith('.json') ? asObject(text) : undefined;
  if (!config) return { chatTemplate: text };
  const chatTemplate = templateOf(config.chat_template);
  if (chatTemplate === undefined)
    throw new RawcallError(
      'bad_chat_template',
      `${file} has no "chat_template". Give the file that has it.`,
      {
        file,
      },
    );
  const [bosToken, eosToken] = [tokenText(config.bos_token), tokenText(config.eos_token)];
  const added = isFields(config.added_tokens_decoder) ? Object.values(config.added_tokens_decoder) : [];
  const controlTokens = added.map(tokenText).filter(token => token !== undefined);
  return {
    chatTemplate,
    ...(controlTokens.length > 0 ? { controlTokens } : {}),
    ...(bosToken === undefined ? {} : { bosToken }),
    ...(eosToken === undefined ? {} : { eosToken }),
  };
}

function asObject(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Where a model has several by name, the one that shows tools is meant. */
function templateOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  const named = (name: string) => value.find(one => isFields(one) && one.name === name) as unknown;
  const chosen = named('tool_use') ?? named('default');
  return isFields(chosen) && typeof chosen.template === 'string' ? chosen.template : undefined;
}

/** Either its text or an object that has it. */
function tokenText(value: unknown): string | undefined {
  const text = isFields(value) ? value.content : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
