/** Logins in the system's keyring, and where none answers in a file each. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { RawcallError } from '../../../parsers/error.ts';
import { dataFolder } from '../../user-folders.ts';
import { commandFor } from './failures.ts';
import { systemKeyring } from './keyring.ts';
import { alone } from './lock.ts';
import { readPrivate, removePrivate, writePrivate } from './login-file.ts';
import type { LoginStore, Whose } from './login-store.ts';
import { type Login, loginText, readLogin } from './stored-login.ts';

/** `RAWCALL_KEYRING=off` leaves the keyring alone, `RAWCALL_DATA` is another folder for the files. */
export function systemLogins(env: NodeJS.ProcessEnv = process.env): LoginStore {
  const folder = path.join(dataFolder(env), 'logins');
  const keyring = env.RAWCALL_KEYRING === 'off' ? undefined : systemKeyring();
  const fileOf = ({ url }: Whose) => path.join(folder, `${nameFor(url)}.json`);

  async function read(whose: Whose): Promise<Login | undefined> {
    const account = addressOf(whose);
    const secret = await keyring?.read(account);
    if (secret !== undefined)
      return checked(readLogin(secret, account), whose, `the keyring's entry "rawcall", "${account}"`);
    const file = fileOf(whose);
    const text = await readPrivate(file);
    if (text === undefined) return undefined;
    return checked(typeof text === 'string' ? readLogin(text, account) : text.refused, whose, file);
  }

  return {
    read,
    async write(whose, login) {
      const text = loginText({ ...login, server: addressOf(whose) });
      // A keyring may refuse what is too long for it. What it still has of before would be read first.
      if (await keyring?.write(addressOf(whose), text)) await removePrivate(fileOf(whose));
      else {
        await keyring?.remove(addressOf(whose));
        await writePrivate(fileOf(whose), text);
      }
    },
    async remove(whose) {
      const [inKeyring, inFile] = await Promise.all([
        keyring?.remove(addressOf(whose)),
        removePrivate(fileOf(whose)),
      ]);
      return inKeyring === true || inFile;
    },
    alone: (whose, work) => alone(path.join(folder, `${nameFor(whose.url)}.lock`), work),
    async place(whose) {
      const secret = await keyring?.read(addressOf(whose));
      return secret === undefined ? fileOf(whose) : 'the system keyring';
    },
  };
}

/** One address however it is written. */
function addressOf({ url }: Pick<Whose, 'url'>): string {
  const address = new URL(url);
  address.hash = '';
  return address.href;
}

function nameFor(url: string): string {
  const host = new URL(url).hostname.replace(/[^a-z0-9.-]/gi, '_').slice(0, 60);
  const digest = createHash('sha256').update(addressOf({ url })).digest('hex').slice(0, 16);
  return `${host}-${digest}`;
}

function checked(login: Login | string, { name }: Whose, place: string): Login {
  if (typeof login !== 'string') return login;
  const message = `The stored login cannot be used: ${place}: ${login}. Log in again, which replaces it: ${commandFor('login', name)}`;
  throw new RawcallError('bad_stored_login', message, { server: name, place });
}
