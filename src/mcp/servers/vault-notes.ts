/**
 * The notes of a vault: which there are, and the text of one. This is the only place that touches the disk, and the only
 * one that knows where the vault lies: URIs are relative, and no error tells more than the URI that was asked for.
 */
import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { RawcallError } from '../../../parsers/error.ts';
import { refusal } from './arguments.ts';

export const maxListed = 1000;
const maxFound = 20_000;
const maxDepth = 32;
const maxBytes = 512 * 1024;

export interface Notes {
  /** The URIs of all notes, in the order of their letters. */
  list(): Promise<readonly string[]>;
  /** @throws RawcallError `tool_refused`, with a message for the model */
  read(uri: string): Promise<string>;
}

/** @throws RawcallError `bad_mcp_server_arguments` */
export async function openNotes(folder: string): Promise<Notes> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined || !(await stat(root)).isDirectory()) {
    const message = `The vault "${folder}" is not a folder. Give the folder that holds the notes.`;
    throw new RawcallError('bad_mcp_server_arguments', message, { folder });
  }

  /** The real place of a relative URI, or nothing where it is no note of this vault: outside, hidden, or not Markdown. */
  async function placeOf(uri: string): Promise<string | undefined> {
    if (uri.includes('\0') || uri.split(/[\\/]/).some(hidden)) return undefined;
    const place = await realpath(join(root!, uri)).catch(() => undefined);
    if (place === undefined) return undefined;
    const parts = relative(root!, place).split(sep);
    return parts.some(hidden) || !isNote(place) ? undefined : place;
  }

  async function read(uri: string): Promise<string> {
    const wanted = uri.trim().replace(/^note:\/\/\//, '');
    if (/^([\\/]|[a-z]:|[a-z]+:\/\/)/i.test(wanted) || wanted.split(/[\\/]/).includes('..'))
      throw refusal('A note has a relative URI such as garden/roses.md. list_notes gives them all.');
    // An Obsidian link leaves the ending out, and a resource's URI is percent-encoded.
    for (const spelling of new Set([wanted, `${wanted}.md`, decoded(wanted)])) {
      const place = await placeOf(spelling);
      const text = place === undefined ? undefined : await textOf(place);
      if (text !== undefined) return text;
    }
    throw refusal(`There is no note "${wanted}". list_notes gives the URIs of all notes.`);
  }

  async function list(): Promise<string[]> {
    const found: string[] = [];
    const folders: { uri: string; depth: number }[] = [{ uri: '', depth: 0 }];
    // Folders are not followed through links, so the walk ends; a link to a note of this vault is a note.
    for (let at = folders.pop(); at !== undefined && found.length < maxFound; at = folders.pop()) {
      const { uri, depth } = at;
      const entries = await readdir(join(root!, uri), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const inner = uri === '' ? entry.name : `${uri}/${entry.name}`;
        if (hidden(entry.name)) continue;
        if (entry.isDirectory() && depth < maxDepth) folders.push({ uri: inner, depth: depth + 1 });
        else if (isNote(entry.name) && (entry.isFile() || (entry.isSymbolicLink() && (await placeOf(inner)))))
          found.push(inner);
      }
    }
    return found.sort();
  }

  return { list, read };
}

const isNote = (name: string): boolean => /\.(md|markdown)$/i.test(name);
/** Also `..`, which is how a path leaves the vault. */
const hidden = (name: string): boolean => name.startsWith('.');

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** Opened without following a link, so that one put there since the check is not followed either; a pipe does not block. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function textOf(place: string): Promise<string | undefined> {
  const file = await open(place, openFlags).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const status = await file.stat();
    if (!status.isFile()) return undefined;
    const { size } = status;
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    return size > maxBytes ? `${text}\n[… ${size - maxBytes} bytes left out …]` : text;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
