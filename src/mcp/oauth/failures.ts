/** What is said of a login that is missing or went wrong, and what to do. No secret may get into it. */
import { RawcallError } from '../../../parsers/error.ts';

export function failed(server: string, why: string): RawcallError {
  return new RawcallError('mcp_login_failed', `The login to ${server} failed: ${why}.`, { server });
}

export function loginNeeded(server: string, why: string, scope?: string): RawcallError {
  const command = commandFor('login', server, ...(scope === undefined ? [] : ['--scope', scope]));
  return new RawcallError('mcp_login_needed', `${why}. Log in: ${command}`, { server, command });
}

/** A command for the user to type. */
export function commandFor(command: 'login' | 'logout', server: string, ...more: readonly string[]): string {
  return ['rawcall', 'mcp', command, server, ...more].map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const maxLength = 300;

/** A stranger's words on one line of a terminal. */
export function strangersWords(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return plain.length <= maxLength ? plain : `${plain.slice(0, maxLength)}…`;
}
