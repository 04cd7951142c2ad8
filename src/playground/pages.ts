/** The page's files, and the headers that keep it to itself. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Hono } from 'hono';
import { RawcallError } from '../../parsers/error.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** No other origin is asked for anything, nothing stands in for a script, and no page frames this one. */
const policy = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'font-src', 'connect-src'].map(kind => `${kind} 'self'`),
  ...['base-uri', 'form-action', 'frame-ancestors'].map(kind => `${kind} 'none'`),
  "require-trusted-types-for 'script'",
].join('; ');

export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Only what is in the folder now is ever given out.
 *
 * @throws RawcallError `no_playground_page`
 */
export function addPages(app: Hono, folder: string): void {
  const files = readFiles(folder);
  app.get('/', context => context.redirect('/play/'));
  app.get('/play', context => context.redirect('/play/'));
  app.get('/play/*', (context, next) => {
    const name = context.req.path.slice('/play/'.length);
    const body = files.get(name === '' ? 'index.html' : name);
    if (!body) return next();
    // The names of all others hold a hash of what is in them.
    const isIndex = name === '' || name === 'index.html';
    return context.body(body, 200, {
      'content-type': types[path.extname(name === '' ? 'index.html' : name)] ?? 'application/octet-stream',
      'cache-control': isIndex ? 'no-cache' : 'public, max-age=31536000, immutable',
    });
  });
}

function readFiles(folder: string): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter(entry => entry.isFile())
      .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)));
    const read = files.map(
      name =>
        [name.split(path.sep).join('/'), new Uint8Array(readFileSync(path.join(folder, name)))] as const,
    );
    if (files.includes('index.html')) return new Map(read);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  throw new RawcallError(
    'no_playground_page',
    `${folder}: the playground's page is not there. Build it with npm run build, or install rawcall anew.`,
    { folder },
  );
}
