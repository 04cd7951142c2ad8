import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Authorize } from '../../../src/mcp/oauth/by-person.ts';
import type { LoginStore } from '../../../src/mcp/oauth/login-store.ts';
import { systemLogins } from '../../../src/mcp/oauth/system-logins.ts';
import type { HttpServer, ServerAuth } from '../../../src/mcp/servers.ts';

export interface Place {
  readonly env: { readonly RAWCALL_DATA: string; readonly RAWCALL_KEYRING: 'off' };
  readonly logins: LoginStore;
  /** The only file with a login. */
  readonly file: string;
  readonly files: readonly string[];
}

/** A place for logins of its own, in files. */
export function ownPlace(): Place {
  const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-logins-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { RAWCALL_DATA: folder, RAWCALL_KEYRING: 'off' } as const;
  const inner = path.join(folder, 'logins');
  const files = () => readdirSync(inner).map(name => path.join(inner, name));
  return {
    env,
    logins: systemLogins(env),
    get file() {
      return files()[0] ?? '';
    },
    get files() {
      return files();
    },
  };
}

export function httpServer(url: string, auth?: ServerAuth): HttpServer {
  return { name: 'protected', url, headers: {}, ...(auth ? { auth } : {}) };
}

export interface Browser {
  readonly authorize: Authorize;
  /** What it showed at the end of each visit. */
  readonly pages: Promise<string>[];
}

/** Opens what it is given and follows where it leads, as a user's browser does. `change` edits the address it is sent back to. */
export function browser(change: (address: URL) => void = () => {}): Browser {
  const pages: Promise<string>[] = [];
  return {
    pages,
    authorize({ address }) {
      pages.push(visit(address, change));
    },
  };
}

async function visit(address: string, change: (address: URL) => void): Promise<string> {
  const first = await fetch(address, { redirect: 'manual' });
  const location = first.headers.get('location');
  if (location === null) return first.text();
  const back = new URL(location);
  change(back);
  return (await fetch(back)).text();
}
