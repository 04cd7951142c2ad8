/** The keyring of the system: Keychain, Credential Manager, or the Secret Service of a Linux desktop. */

/** Where no keyring answers, or it refuses, nothing is found and nothing is kept. */
export interface Keyring {
  read(account: string): Promise<string | undefined>;
  /** True where it is kept. */
  write(account: string, secret: string): Promise<boolean>;
  /** True where there was something. */
  remove(account: string): Promise<boolean>;
}

const service = 'rawcall';
/** Milliseconds. It may have to ask the user to unlock it. */
const patience = 20_000;

export function systemKeyring(): Keyring {
  // An optional dependency, in native code: it may be missing, or made for no machine like this.
  const loading = import('@napi-rs/keyring').catch(() => undefined);

  async function ask<T>(
    account: string,
    question: (entry: import('@napi-rs/keyring').AsyncEntry) => Promise<T>,
  ): Promise<T | undefined> {
    const keyring = await loading;
    if (!keyring) return undefined;
    try {
      // Without this a Linux without a desktop would get the kernel's keyring, which forgets at the next start.
      const options = { linux: { store: 'secret-service' } } as const;
      return await inTime(question(new keyring.AsyncEntry(service, account, options)));
    } catch {
      return undefined;
    }
  }

  return {
    read: async account => (await ask(account, entry => entry.getPassword())) ?? undefined,
    write: async (account, secret) =>
      (await ask(account, entry => entry.setPassword(secret).then(() => true))) === true,
    remove: async account => (await ask(account, entry => entry.deleteCredential())) === true,
  };
}

async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, patience, undefined);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}
