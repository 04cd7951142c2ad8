/** llama.cpp's own library as node-llama-cpp brings it, for what node-llama-cpp does not offer. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { platformPackage } from './native.ts';

/** Nothing where there is no binary for this platform. */
export function llamaLibrary(): string | undefined {
  const name = platformPackage(process.platform, process.arch);
  if (name === undefined) return undefined;
  try {
    const beside = createRequire(createRequire(import.meta.url).resolve('node-llama-cpp'));
    const folder = path.join(path.dirname(beside.resolve(name)), '..', 'bins');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    // libllama.v0.4.0.so, libllama.metal.v0.4.0.dylib, llama.v0.4.0.dll; libllama-common.so is another.
    const file = files.find(one => /^(lib)?llama\..*(so|dylib|dll)$/.test(path.basename(one)));
    return file && path.join(folder, file);
  } catch {
    return undefined;
  }
}
