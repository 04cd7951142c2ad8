/** Exact coercion: a value of another type that says the same thing, digit for digit. Everything else stays as it was written. */
import type { Guide } from './guide.ts';
import type { Repair } from './repairs.ts';

export interface Coerced {
  readonly json: string;
  readonly repair: Repair;
}

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const wholeDecimal = /^(-?\d+)\.0+$/;

/** A text where the schema asks for something that is no text. `parse` reads a list or an object out of it. */
export function coerceText(
  text: string,
  { types }: Guide,
  parse: (text: string) => { readonly json: string; readonly type: string } | undefined,
): Coerced | undefined {
  if (types === undefined || types.has('string')) return undefined;
  const trimmed = text.trim();
  if ((types.has('integer') || types.has('number')) && number.test(trimmed)) {
    return { json: types.has('number') ? trimmed : wholeNumber(trimmed), repair: 'coerced-number' };
  }
  if (types.has('boolean') && /^(?:true|false)$/i.test(trimmed)) {
    return { json: trimmed.toLowerCase(), repair: 'coerced-boolean' };
  }
  if (types.has('null') && /^(?:null|None)$/.test(trimmed)) return { json: 'null', repair: 'coerced-null' };
  if ((types.has('array') || types.has('object')) && /^[[{(]/.test(trimmed)) {
    const value = parse(trimmed);
    if (value && types.has(value.type)) return { json: value.json, repair: 'coerced-json' };
  }
  return undefined;
}

/** A number, as `json` and as it was `written`. */
export function coerceNumber(json: string, written: string, { types }: Guide): Coerced | undefined {
  if (types === undefined || types.has('number')) return undefined;
  if (types.has('integer')) {
    const whole = wholeNumber(json);
    return whole === json ? undefined : { json: whole, repair: 'coerced-integer' };
  }
  if (types.has('string') && /^0\d+$/.test(written)) return { json: `"${written}"`, repair: 'coerced-text' };
  return undefined;
}

function wholeNumber(json: string): string {
  return json.replace(wholeDecimal, '$1');
}
