/** Where `--log-chats` writes: standard error, or a file that nobody else can read, for it holds whole conversations. */
import { open } from 'node:fs/promises';
import { RawcallError } from '../../parsers/error.ts';
import { jsonLine } from '../json.ts';
import type { ChatRecord } from '../server/watch.ts';
import type { Lifetime } from './lifetime.ts';
import { notice } from './show.ts';

/** @param file `true`: standard error. @throws RawcallError `bad_file` */
export async function openChatLog(
  file: string | true,
  lifetime: Lifetime,
): Promise<(record: ChatRecord) => void> {
  if (file === true) return record => void process.stderr.write(`${jsonLine(record)}\n`);
  const handle = await open(file, 'a', 0o600).catch((error: Error) => {
    throw new RawcallError('bad_file', `${file}: it cannot be written: ${error.message}`, { file }, error);
  });
  // One that was there already may be open to others.
  await handle.chmod(0o600);
  let written = Promise.resolve();
  lifetime.closeAtEnd(async () => {
    await written;
    await handle.close();
  });
  return record => {
    written = written
      .then(() => handle.appendFile(`${jsonLine(record)}\n`))
      .catch((error: Error) => notice(`${file}: a chat was not logged: ${error.message}`));
  };
}
