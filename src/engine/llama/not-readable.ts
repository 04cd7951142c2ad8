/** A model's file that is there, and that this user may not read. */
import { RawcallError } from '../../../parsers/error.ts';

export function isForbidden(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM';
}

/** Any other error stays as it is. */
export function notReadable(file: string, error: unknown): unknown {
  if (!isForbidden(error)) return error;
  return new RawcallError(
    'model_not_readable',
    `The model ${file} cannot be read: this user may not. Let the file and the folders above it be read, or give another file.`,
    { path: file },
    error,
  );
}
