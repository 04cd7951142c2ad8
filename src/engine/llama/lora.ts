/** LoRA adapters on top of a model. llama.cpp says no more than that one can't be loaded; here it is said why, before it tries. */
import { stat } from 'node:fs/promises';
import type { GgufFileInfo, LlamaModel } from 'node-llama-cpp';
import { RawcallError } from '../../../parsers/error.ts';
import { checkFile } from './model.ts';
import type { Native } from './native.ts';

export interface LoraAdapter {
  /** Path of a GGUF file. */
  readonly path: string;
  /** How much of it is added to the weights. Default 1. */
  readonly scale?: number;
}

/** What the adapters change is the same for every context of the model. */
export async function checkAdapters(
  native: Native,
  model: LlamaModel,
  adapters: readonly LoraAdapter[],
): Promise<void> {
  for (const { path, scale = 1 } of adapters) {
    if (!Number.isFinite(scale))
      throw new RawcallError('bad_lora_scale', `The scale of ${path} is ${scale}: give a finite number.`, {
        path,
        scale: String(scale),
      });
    checkBase(path, await readAdapter(native, path), model.fileInfo);
  }
}

/** @throws RawcallError `lora_not_found`, `lora_not_adapter`, `model_truncated`, `model_damaged` */
async function readAdapter({ library }: Native, path: string): Promise<GgufFileInfo> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile())
    throw new RawcallError(
      'lora_not_found',
      `The adapter ${path} ${found ? 'is a folder, not a file' : 'does not exist'}. Give the path of a LoRA adapter (.gguf).`,
      { path },
    );
  await checkFile(path).catch((error: unknown) => {
    if (RawcallError.isInstance(error) && error.code === 'model_not_gguf')
      throw notAdapter(path, 'no GGUF file: convert it with convert_lora_to_gguf.py', error);
    throw error;
  });
  const file = await library.readGgufFileInfo(path, { sourceType: 'filesystem', logWarnings: false });
  const { general, adapter } = file.metadata as {
    general?: { type?: string };
    adapter?: { type?: string };
  };
  if (general?.type !== 'adapter')
    throw notAdapter(path, 'a whole model: give it with --model, or name a LoRA adapter');
  if (adapter?.type !== 'lora')
    throw notAdapter(path, `an adapter of the kind "${adapter?.type}", and only "lora" is known`);
  return file;
}

const notAdapter = (path: string, what: string, cause?: unknown) =>
  new RawcallError('lora_not_adapter', `${path} is no LoRA adapter but ${what}.`, { path }, cause);

type Shape = readonly [columns: number, rows: number];

/** Each pair of its matrices makes one of the shape of a tensor of the model. */
function checkBase(path: string, adapter: GgufFileInfo, model: GgufFileInfo): void {
  const other = (what: string, remedy = '') =>
    new RawcallError(
      'lora_other_base',
      `${path} is an adapter of another model: ${what}. Give the model that it was trained on, or leave the adapter out.${remedy}`,
      { path },
    );
  const [made, loaded] = [adapter, model].map(({ metadata }) => metadata.general.architecture);
  if (made !== loaded) throw other(`it is for the architecture "${made}", and the model is "${loaded}"`);
  const shapes = shapesOf(adapter);
  const ofModel = shapesOf(model);
  const names = new Set([...shapes.keys()].map(name => name.replace(/\.lora_[ab]$/, '')));
  if (names.size === 0) throw notAdapter(path, 'a file without tensors: make it again');
  for (const name of names) {
    const [a, b] = [shapes.get(`${name}.lora_a`), shapes.get(`${name}.lora_b`)];
    if (!a || !b || a[1] !== b[0]) throw notAdapter(path, `a file whose ${name} is not a pair of matrices`);
    const whole = ofModel.get(name);
    if (!whole) throw other(`it changes ${name}, which the model does not have`);
    // Of a table of embeddings, which is looked up and not multiplied, the two have changed places.
    const [columns, rows] = name === 'token_embd.weight' ? [b[1], a[0]] : [a[0], b[1]];
    if (columns !== whole[0] || rows !== whole[1])
      throw other(`its ${name} is ${columns} × ${rows}, and the model's ${whole[0]} × ${whole[1]}`);
  }
}

function shapesOf({ fullTensorInfo = [] }: GgufFileInfo): ReadonlyMap<string, Shape> {
  return new Map(
    fullTensorInfo.map(({ name, dimensions: [columns = 1, rows = 1] }) => [
      name,
      [Number(columns), Number(rows)],
    ]),
  );
}
