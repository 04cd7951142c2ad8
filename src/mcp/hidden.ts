/** Takes out of a message what must not be shown. */

export interface Hidden {
  /** Values of variables by their names, which are shown instead. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
}

/** Shorter ones are no secrets, and would be found in half of all words. */
const shortest = 4;

export function hide(text: string, { variables = {}, secrets = [] }: Hidden): string {
  const replacements = [
    ...Object.entries(variables).map(([name, value]) => [value, `\${${name}}`] as const),
    ...secrets.map(secret => [secret, '…'] as const),
  ].filter(([value]) => value.length >= shortest);
  // The longest first: one may hold another.
  replacements.sort(([left], [right]) => right.length - left.length);
  return replacements.reduce((shown, [value, name]) => shown.replaceAll(value, () => name), text);
}
