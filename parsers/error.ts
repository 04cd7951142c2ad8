/**
 * Everything that rawcall throws on purpose. Bad output of a model is data (a problem event), never one of these.
 *
 * `code` is stable and meant for programs; `message` says what, where and what to do, for people; `details` carries
 * the values that the message speaks of (paths, counts, raw text).
 */
const marker = Symbol.for('rawcall.error');

export class RawcallError extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly [marker] = true;

  constructor(code: string, message: string, details: Record<string, unknown> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'RawcallError';
    this.code = code;
    this.details = details;
  }

  /** True for a RawcallError of any copy of this package, which `instanceof` is not. */
  static isInstance(value: unknown): value is RawcallError {
    return value instanceof Error && (value as { [marker]?: boolean })[marker] === true;
  }
}
