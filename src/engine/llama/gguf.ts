/** What a GGUF file says about its chat template, read without llama.cpp and without the weights. */
import { checkFile, loadError } from './model.ts';
import { tokenType } from './vocabulary.ts';

export interface GgufTemplate {
  readonly chatTemplate?: string;
  /** The texts of its control and user-defined tokens. */
  readonly controlTokens: ReadonlySet<string>;
  readonly bosToken?: string;
  readonly eosToken?: string;
}

/** @throws RawcallError `model_not_found`, `model_not_gguf`, `model_truncated`, `model_not_loaded` */
export async function readGgufTemplate(file: string): Promise<GgufTemplate> {
  await checkFile(file);
  const { readGgufFileInfo } = await import('node-llama-cpp');
  const read = readGgufFileInfo(file, {
    sourceType: 'filesystem',
    readTensorInfo: false,
    logWarnings: false,
    ignoreKeys: ['tokenizer.ggml.merges', 'tokenizer.ggml.scores'],
  });
  const { metadata } = await read.catch((cause: unknown) => {
    throw loadError(file, [], cause);
  });
  // The library says nothing of a file that ends in its header, and types what may be absent as there.
  const { general, tokenizer } = metadata as Partial<typeof metadata>;
  if (!general) throw loadError(file, [], new Error('unexpected end of its header'));
  if (!tokenizer) return { controlTokens: new Set() };
  const { chat_template: chatTemplate, ggml } = tokenizer;
  const { tokens = [], token_type: types = [], bos_token_id: bos, eos_token_id: eos } = ggml;
  const marked = new Set<number>([tokenType.control, tokenType.userDefined]);
  const [bosToken, eosToken] = [bos, eos].map(id => (id === undefined ? undefined : tokens[id]));
  return {
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
    controlTokens: new Set(tokens.filter((_, id) => marked.has(types[id] ?? 0))),
    ...(bosToken === undefined ? {} : { bosToken }),
    ...(eosToken === undefined ? {} : { eosToken }),
  };
}
