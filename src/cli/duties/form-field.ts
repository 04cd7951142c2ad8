/** One field of a form that a server asks for: how it is put to the user, and what a typed line means in it. */
import { invalidValue } from '../../../parsers/validate.ts';
import { type Fields, isFields } from '../../../templates/check.ts';

export type FieldValue = string | number | boolean | string[];

export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly required: boolean;
  /** What may be typed: `a whole number`, `y / n`, or the choices by their numbers. */
  readonly hint: string;
  readonly choices: readonly Choice[];
  readonly preset?: FieldValue;
  /** What a line that is not empty means. */
  read(line: string): FieldReading;
}

export interface Choice {
  readonly value: string;
  readonly title: string;
}

export type FieldReading = { readonly value: FieldValue } | { readonly problem: string };

export function formFields(schema: Fields): FormField[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const properties = isFields(schema.properties) ? schema.properties : {};
  return Object.entries(properties).map(([name, property]) =>
    formField(name, isFields(property) ? property : {}, required.has(name)),
  );
}

function formField(name: string, property: Fields, required: boolean): FormField {
  const { title, description, default: preset } = property;
  const { hint, choices, parse } = kindOf(property);
  return {
    name,
    title: typeof title === 'string' ? title : name,
    ...(typeof description === 'string' ? { description } : {}),
    required,
    hint,
    choices,
    ...(preset === undefined ? {} : { preset: preset as FieldValue }),
    read(line) {
      const value = parse(line.trim());
      if (value === undefined) return { problem: `it must be ${hint}` };
      const problem = invalidValue(
        { type: 'object', properties: { [name]: property } },
        { [name]: value },
        words,
      );
      return problem === undefined ? { value } : { problem: `it must be ${hint} (${problem})` };
    },
  };
}

const words = { whole: 'the form', key: 'in the form' };

interface Kind {
  readonly hint: string;
  readonly choices: readonly Choice[];
  readonly parse: (line: string) => FieldValue | undefined;
}

function kindOf(property: Fields): Kind {
  const { type, items } = property;
  if (type === 'array' && isFields(items)) {
    const choices = choicesOf(items);
    return { hint: manyHint(property), choices, parse: line => readMany(line, choices) };
  }
  const choices = choicesOf(property);
  if (choices.length > 0)
    return { hint: 'one of them, by its number or name', choices, parse: line => readOne(line, choices) };
  switch (type) {
    case 'boolean':
      return { hint: 'y or n', choices: [], parse: readBoolean };
    case 'integer':
      return { hint: `a whole number${range(property)}`, choices: [], parse: readNumber };
    case 'number':
      return { hint: `a number${range(property)}`, choices: [], parse: readNumber };
    default:
      return { hint: textHint(property), choices: [], parse: line => line };
  }
}

/** `enum`, with the older `enumNames` beside it, or a list of constants with titles. */
function choicesOf({ enum: values, enumNames, oneOf, anyOf }: Fields): Choice[] {
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  if (Array.isArray(values)) return values.map((value, at) => choice(value, names[at]));
  const titled = [oneOf, anyOf].find(Array.isArray) ?? [];
  return titled.filter(isFields).map(({ const: value, title }) => choice(value, title));
}

function choice(value: unknown, title: unknown): Choice {
  return { value: String(value), title: typeof title === 'string' ? title : String(value) };
}

function readOne(line: string, choices: readonly Choice[]): string | undefined {
  const is = (text: string) => text.toLowerCase() === line.toLowerCase();
  const exact = choices.find(({ value }) => value === line);
  const named = choices.find(({ value, title }) => is(value) || is(title));
  // Where the values are numbers themselves, a value goes before a place in the list.
  return (exact ?? named ?? (/^\d+$/.test(line) ? choices[Number(line) - 1] : undefined))?.value;
}

function readMany(line: string, choices: readonly Choice[]): string[] | undefined {
  const read = line.split(',').map(part => readOne(part.trim(), choices));
  const known = read.filter(value => value !== undefined);
  return known.length === read.length ? [...new Set(known)] : undefined;
}

function readBoolean(line: string): boolean | undefined {
  if (/^(y|yes|true)$/i.test(line)) return true;
  return /^(n|no|false)$/i.test(line) ? false : undefined;
}

function readNumber(line: string): number | undefined {
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(line) ? Number(line) : undefined;
}

const formats: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  uri: 'an address such as https://example.com',
  date: 'a date such as 2026-03-14',
  'date-time': 'a date and time such as 2026-03-14T09:26:53Z',
};

function textHint({ format, minLength, maxLength }: Fields): string {
  const what = (typeof format === 'string' ? formats[format] : undefined) ?? 'a text';
  const bounds = between(minLength, maxLength);
  return bounds === '' ? what : `${what} of ${bounds} characters`;
}

function range({ minimum, maximum }: Fields): string {
  if (typeof minimum === 'number' && typeof maximum === 'number') return ` from ${minimum} to ${maximum}`;
  if (typeof minimum === 'number') return `, ${minimum} or more`;
  return typeof maximum === 'number' ? `, ${maximum} or less` : '';
}

function manyHint({ minItems, maxItems }: Fields): string {
  const bounds = between(minItems, maxItems);
  return `some of them${bounds === '' ? '' : ` (${bounds})`}, by numbers or names with commas between`;
}

function between(least: unknown, most: unknown): string {
  if (typeof least === 'number' && typeof most === 'number') return `${least} to ${most}`;
  if (typeof least === 'number') return `at least ${least}`;
  return typeof most === 'number' ? `at most ${most}` : '';
}
