/** What the readers of people's JSON share: shapes, and errors that name the place. */
import { RawcallError } from '../parsers/error.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws an error that says where, what stands there and what may. */
export type Refuse = (where: string, value: unknown, allowed: string) => never;

export function refuseWith(code: 'bad_messages' | 'bad_tools'): Refuse {
  return (where, value, allowed) => {
    throw new RawcallError(code, `${where} is ${shown(value)}; it must be ${allowed}.`, { where, value });
  };
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const json = JSON.stringify(value) ?? String(value);
  return json.length <= 80 ? json : `${json.slice(0, 79)}…`;
}

export function list(value: unknown, where: string, refuse: Refuse): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(where, value, 'an array');
}

export function fields(value: unknown, where: string, refuse: Refuse): Fields {
  return isFields(value) ? value : refuse(where, value, 'an object');
}

export function filledText(value: unknown, where: string, refuse: Refuse): string {
  return typeof value === 'string' && value !== '' ? value : refuse(where, value, 'a text that is not empty');
}
