/** A server's form (a flat JSON Schema) as fields of a page, and what is filled in as the values that it asks for. */

export type FieldValue = string | number | boolean | string[];

export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly kind: 'text' | 'number' | 'boolean' | 'one' | 'many';
  /** Of `one` and `many`. */
  readonly choices: readonly Choice[];
  readonly preset: FieldValue | undefined;
  /** Attributes of the input: what the browser itself checks. */
  readonly limits: Readonly<Record<string, string | number>>;
}

export interface Choice {
  readonly value: string;
  readonly title: string;
}

type Fields = Readonly<Record<string, unknown>>;

export function formFields({ properties, required }: Fields): FormField[] {
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isFields(properties) ? properties : {}).map(([name, given]) => {
    const property = isFields(given) ? given : {};
    const { title, description, default: preset, items, type } = property;
    const many = type === 'array' && isFields(items);
    const choices = choicesOf(many ? items : property);
    const kind = many ? 'many' : choices.length > 0 ? 'one' : kindOf(type);
    return {
      name,
      title: textOf(title) ?? name,
      description: textOf(description),
      required: needed.has(name),
      kind,
      choices,
      preset: preset as FieldValue | undefined,
      limits: kind === 'text' || kind === 'number' ? limitsOf(property) : {},
    };
  });
}

/** Undefined: nothing was filled in. */
export function readField({ kind, name }: FormField, form: FormData): FieldValue | undefined {
  if (kind === 'boolean') return form.get(name) === 'on';
  if (kind === 'many') return form.getAll(name).map(String);
  const value = String(form.get(name) ?? '');
  if (value === '') return undefined;
  return kind === 'number' ? Number(value) : value;
}

function kindOf(type: unknown): FormField['kind'] {
  if (type === 'boolean') return 'boolean';
  return type === 'number' || type === 'integer' ? 'number' : 'text';
}

/** `enum`, with the older `enumNames` beside it, or a list of constants with titles. */
function choicesOf({ enum: values, enumNames, oneOf, anyOf }: Fields): Choice[] {
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  if (Array.isArray(values)) return values.map((value, at) => choice(value, names[at]));
  const titled: readonly unknown[] = [oneOf, anyOf].find(Array.isArray) ?? [];
  return titled.filter(isFields).map(({ const: value, title }) => choice(value, title));
}

const choice = (value: unknown, title: unknown) => ({
  value: String(value),
  title: textOf(title) ?? String(value),
});

/** Of JSON Schema's formats, those that a browser has a field for. */
const inputs: Readonly<Record<string, string>> = { email: 'email', uri: 'url', date: 'date' };

function limitsOf(property: Fields): FormField['limits'] {
  const { type, format, minimum, maximum, minLength, maxLength, pattern } = property;
  const given = {
    type: type === 'number' || type === 'integer' ? 'number' : (inputs[String(format)] ?? 'text'),
    step: type === 'integer' ? 1 : type === 'number' ? 'any' : undefined,
    min: minimum,
    max: maximum,
    minLength,
    maxLength,
    pattern,
    placeholder: format === 'date-time' ? '2026-03-14T09:26:53Z' : undefined,
  };
  return Object.fromEntries(
    Object.entries(given).filter(
      (entry): entry is [string, string | number] =>
        typeof entry[1] === 'string' || typeof entry[1] === 'number',
    ),
  );
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
