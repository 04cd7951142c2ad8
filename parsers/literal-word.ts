/** What a word without quotes means as a value: a number, a constant, or nothing that can be read without running it. */
import type { Dialect } from './literal-string.ts';
import type { Repair } from './repairs.ts';

export interface Word {
  readonly json: string;
  readonly type: 'number' | 'boolean' | 'null';
  readonly repair?: Repair;
}

const constants: Record<string, { json: string; type: 'boolean' | 'null'; python: boolean }> = {
  true: { json: 'true', type: 'boolean', python: false },
  false: { json: 'false', type: 'boolean', python: false },
  null: { json: 'null', type: 'null', python: false },
  True: { json: 'true', type: 'boolean', python: true },
  False: { json: 'false', type: 'boolean', python: true },
  None: { json: 'null', type: 'null', python: true },
};

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const looseNumber = /^([-+]?)(\d[\d_]*)?(?:(\.)(\d[\d_]*)?)?([eE][-+]?\d+)?$/;
const hexNumber = /^([-+]?)0([xXoObB])([\da-fA-F]+)$/;

export function readWord(word: string, dialect: Dialect): Word | undefined {
  if (Object.hasOwn(constants, word)) {
    const { json, type, python } = constants[word] as (typeof constants)[string];
    if (python === (dialect === 'python')) return { json, type };
    return { json, type, repair: python ? 'python-literal' : 'json-literal' };
  }
  if (jsonNumber.test(word)) return { json: word, type: 'number' };
  const number = spelledNumber(word);
  return number === undefined ? undefined : { json: number, type: 'number', repair: 'number-spelling' };
}

/** A number that Python, JavaScript or a hurried hand spells otherwise than JSON: `+1`, `.5`, `1.`, `007`, `1_000`, `0x1F`. */
function spelledNumber(word: string): string | undefined {
  const hex = hexNumber.exec(word);
  if (hex) {
    try {
      return `${hex[1] === '-' ? '-' : ''}${BigInt(`0${hex[2]?.toLowerCase()}${hex[3]}`)}`;
    } catch {
      return undefined;
    }
  }
  const parts = looseNumber.exec(word);
  if (!parts) return undefined;
  const [, sign, whole, point, fraction, exponent] = parts;
  if (whole === undefined && fraction === undefined) return undefined;
  const digits = (whole ?? '0').replaceAll('_', '').replace(/^0+(?=\d)/, '');
  const decimals = point === undefined ? '' : `.${(fraction ?? '0').replaceAll('_', '')}`;
  return `${sign === '-' ? '-' : ''}${digits}${decimals}${exponent ?? ''}`;
}
