/** Which format a model speaks, by what its chat template renders and not by its name. */
import { RawcallError } from '../parsers/error.ts';
import { type Detection, recognise } from './detection/recognise.ts';
import { renderChat } from './detection/render.ts';
import { type ChatTemplate, compileChatTemplate } from './jinja/compile.ts';

export interface ModelMetadata {
  /** GGUF's `tokenizer.chat_template`. */
  readonly chatTemplate?: string;
  /** The texts of the vocabulary's control tokens. */
  readonly tokens?: ReadonlySet<string>;
}

export type { Detection };

export async function detectFormat({ chatTemplate, tokens }: ModelMetadata): Promise<Detection> {
  if (!chatTemplate) return unknown('the model brings no chat template');
  let template: ChatTemplate;
  try {
    template = await compileChatTemplate(chatTemplate);
  } catch (error) {
    if (!RawcallError.isInstance(error)) throw error;
    return unknown(`its chat template is no Jinja: ${String(error.details.why)}`);
  }
  const { format, reason } = recognise(renderChat(template));
  const [stop = ''] = format?.template.stops ?? [];
  if (format && tokens && !tokens.has(stop))
    return unknown(`${reason}, but ${stop} is no token of its vocabulary`);
  return { format, reason };
}

const unknown = (reason: string): Detection => ({ format: undefined, reason });
