/** JSON as values that are equal where the JSON says the same: `1` is `1.0`, and no digit of a long number is lost. */
import { stringOrNumber } from '../../parsers/json-text.ts';
import type { JsonValue } from '../../parsers/parser.ts';

export function exactValue(json: string): JsonValue {
  // Up to 15 digits a double tells every number from every other one.
  const doubtful = /\d[\d.]{15}|\d[eE]|-0/.test(json);
  return JSON.parse(doubtful ? json.replace(stringOrNumber, exactToken) : json) as JsonValue;
}

function exactToken(token: string): string {
  if (token.startsWith('"')) return token;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(token) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  if (digits === '') return '0';
  const power = Number(exponent) - fraction.length + (all.length - digits.length);
  if (digits.length <= 15 && Math.abs(power) < 250) return `${sign}${digits}e${power}`;
  // As a text that no model writes.
  return JSON.stringify(`\u0000${sign}${digits}e${power}`);
}

/** What `exactValue` gave, as JSON for people. */
export function exactJson(value: JsonValue | undefined): string {
  return JSON.stringify(value ?? null).replace(
    /"\\u0000(-?\d+)e(-?\d+)"/g,
    (_, digits: string, power: string) => {
      const zeros = Number(power);
      return zeros >= 0 && zeros < 40 ? digits + '0'.repeat(zeros) : `${digits}e${power}`;
    },
  );
}
