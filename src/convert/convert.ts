/** Safetensors to GGUF, through llama.cpp's own programs. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { RawcallError } from '../../parsers/error.ts';
import { commandText, type Program, runProgram } from './programs.ts';

/** What the converter itself writes, by its own word for it. */
const written: Readonly<Record<string, string>> = { F32: 'f32', F16: 'f16', BF16: 'bf16', Q8_0: 'q8_0' };

/** What llama-quantize makes of 16 bits. */
const made = [
  ...['Q2_K', 'Q3_K_S', 'Q3_K_M', 'Q3_K_L', 'IQ4_XS', 'IQ4_NL', 'Q4_0', 'Q4_1', 'Q4_K_S', 'Q4_K_M'],
  ...['Q5_0', 'Q5_1', 'Q5_K_S', 'Q5_K_M', 'Q6_K'],
];

export const quantisations: readonly string[] = [...Object.keys(written), ...made];

export const needsQuantizer = (quantisation: string) => !(quantisation in written);

export interface Conversion {
  readonly folder: string;
  readonly out: string;
  readonly quantisation: string;
  readonly converter: Program;
  /** Where the converter does not write the quantisation itself. */
  readonly quantizer?: Program;
  readonly signal: AbortSignal;
  readonly onStep: (title: string, command: string) => void;
}

/** @throws RawcallError `no_safetensors` */
export function checkFolder(folder: string): void {
  const why = whyNot(folder);
  if (why === undefined) return;
  throw new RawcallError('no_safetensors', `${folder} ${why}. It must be a model as Hugging Face has them.`, {
    folder,
  });
}

function whyNot(folder: string): string | undefined {
  if (!existsSync(folder)) return 'is not there';
  if (!statSync(folder).isDirectory()) return 'is no folder';
  if (!existsSync(path.join(folder, 'config.json'))) return 'has no config.json';
  return readdirSync(folder).some(name => name.endsWith('.safetensors')) ? undefined : 'has no *.safetensors';
}

/** What is at `out` then has not been loaded yet. @throws RawcallError `conversion_failed`; the signal's reason */
export async function convert({
  folder,
  out,
  quantisation,
  converter,
  quantizer,
  signal,
  onStep,
}: Conversion): Promise<void> {
  const whole = quantizer ? `${out}.16-bit` : out;
  const type = written[quantisation] ?? 'auto';
  try {
    const args = [folder, '--outfile', whole, '--outtype', type];
    onStep('Converting', commandText(converter, args));
    await runProgram(converter, args, signal);
    wroteOne(whole, converter);
    if (!quantizer) return;
    const quantise = [whole, out, quantisation];
    onStep('Quantising', commandText(quantizer, quantise));
    await runProgram(quantizer, quantise, signal);
    wroteOne(out, quantizer);
  } catch (error) {
    await rm(out, { force: true });
    throw error;
  } finally {
    if (quantizer) await rm(whole, { force: true });
  }
}

function wroteOne(file: string, { command }: Program): void {
  if (existsSync(file)) return;
  throw new RawcallError('conversion_failed', `${command} ended well, but did not write ${file}.`, { file });
}
