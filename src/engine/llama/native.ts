/** node-llama-cpp itself: imported when the first model is opened, once for each kind of GPU. */
import type { Llama } from 'node-llama-cpp';
import { RawcallError } from '../../../parsers/error.ts';
import { type NativeLog, nativeLog } from './log.ts';

export type Gpu = 'auto' | 'metal' | 'cuda' | 'vulkan' | 'off';
type Library = typeof import('node-llama-cpp');

export interface Native {
  readonly library: Library;
  readonly llama: Llama;
  readonly log: NativeLog;
}

const opened = new Map<Gpu, Promise<Native>>();

/**
 * One that is open already serves `off` too, with no layers on its GPU: after a second instance in the process the
 * library lets llama.cpp log to standard error.
 *
 * @throws RawcallError `no_native_binary`, `gpu_unavailable`
 */
export function openNative(gpu: Gpu): Promise<Native> {
  let native = opened.get(gpu) ?? (gpu === 'off' ? opened.values().next().value : undefined);
  if (!native) {
    native = load(gpu);
    opened.set(gpu, native);
    native.catch(() => opened.delete(gpu));
  }
  return native;
}

async function load(gpu: Gpu): Promise<Native> {
  const log = nativeLog();
  try {
    const library = await import('node-llama-cpp');
    const llama = await library.getLlama({
      gpu: gpu === 'off' ? false : gpu,
      // Anything else unpacks llama.cpp and compiles it for minutes where no binary fits.
      build: 'never',
      progressLogs: false,
      logLevel: library.LlamaLogLevel.info,
      logger: (level, message) => log.add(level, message),
    });
    // Asked for one that this platform never has, the library takes the CPU and says nothing. It isn't disposed here:
    // that ends the logging of every later instance in this process, which then goes to standard error.
    if (gpu === 'auto' || gpu === 'off' || llama.gpu === gpu) return { library, llama, log };
    throw new Error(`the library chose ${llama.gpu || 'the CPU'}`);
  } catch (cause) {
    throw nativeError(gpu, cause, log.all());
  }
}

export function nativeError(gpu: Gpu, cause: unknown, lines: readonly string[] = []): RawcallError {
  const { platform, arch } = process;
  const details = { gpu, platform, arch, log: lines };
  if (gpu === 'auto' || gpu === 'off') {
    const wanted = platformPackage(platform, arch);
    const remedy = wanted
      ? `Install it with: npm install ${wanted} (npm leaves it out with --omit=optional)`
      : 'node-llama-cpp publishes none: use rawcall with a server instead (rawcall ask --url)';
    return new RawcallError(
      'no_native_binary',
      `No llama.cpp binary for ${platform} ${arch} was found beside node-llama-cpp. ${remedy}.`,
      details,
      cause,
    );
  }
  return new RawcallError(
    'gpu_unavailable',
    `The GPU "${gpu}" can't be used on this machine (${platform} ${arch}): no device, no driver, or the package with its binary is not installed. Use gpu "auto" or "off".`,
    details,
    cause,
  );
}

/** The package of node-llama-cpp with the binary that needs no other GPU than the platform always has. */
export function platformPackage(platform: string, arch: string): string | undefined {
  const names: Record<string, string> = {
    'linux-x64': 'linux-x64',
    'linux-arm64': 'linux-arm64',
    'linux-arm': 'linux-armv7l',
    'darwin-arm64': 'mac-arm64-metal',
    'darwin-x64': 'mac-x64',
    'win32-x64': 'win-x64',
    'win32-arm64': 'win-arm64',
  };
  const name = names[`${platform}-${arch}`];
  return name && `@node-llama-cpp/${name}`;
}
