/** Standard output and standard error: waiting for a slow reader, and what may be shown on a terminal. */
import { once } from 'node:events';

/** Resolves when the reader can take more. */
export async function writeOut(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** A reader that went away (`rawcall … | head`) is no error: what is left to do is to end. */
export function onReaderGone(leave: () => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    leave();
  });
  // Nobody is left to be told.
  process.stderr.on('error', () => {});
}

/** All that was written has left the process. */
export async function flush(): Promise<void> {
  const streams = [process.stdout, process.stderr].filter(stream => stream.writable);
  await Promise.all(streams.map(stream => new Promise(resolve => stream.write('', resolve))));
}

/** Control characters would let a text of a model, a tool or a user move the terminal's cursor or hide what was printed. */
export function visible(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    character => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** As `visible`, where it goes to a terminal; a pipe gets every byte. */
export function forOut(text: string): string {
  return process.stdout.isTTY ? visible(text) : text;
}
