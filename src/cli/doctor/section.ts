/** What the doctor says: sections of lines, each fine, worth knowing, or a thing that would not work, with what to do. */
import { RawcallError } from '../../../parsers/error.ts';

export interface Line {
  readonly what: string;
  readonly text: string;
  /** Default `fine`. */
  readonly state?: 'fine' | 'note' | 'wrong';
  readonly remedy?: string;
}

export interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
  /** The same for a program. */
  readonly data: object;
}

/** A failure's own message says what to do. */
export function failed(what: string, error: unknown): Line {
  return { what, state: 'wrong', text: error instanceof Error ? error.message : String(error) };
}

/** As a program reads it. */
export function failure(error: unknown): { readonly code: string; readonly message: string } {
  const code = RawcallError.isInstance(error) ? error.code : 'unexpected';
  return { code, message: error instanceof Error ? error.message : String(error) };
}

export function sizeText(bytes: number): string {
  const mebibytes = bytes / 1024 ** 2;
  return mebibytes < 1024 ? `${mebibytes.toFixed(1)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`;
}

export function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
