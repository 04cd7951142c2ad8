/** `${VAR}`, `${VAR:-default}` and `${env:VAR}` in a config's texts. Values are never part of a message. */

export type Environment = Readonly<Record<string, string | undefined>>;

const reference = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

export interface Expanded {
  readonly text: string;
  /** Names of the variables that are not set and have no default. */
  readonly missing: readonly string[];
}

export function expand(text: string, environment: Environment): Expanded {
  const missing: string[] = [];
  const expanded = text.replace(reference, (_whole, name: string, fallback: string | undefined) => {
    const value = environment[name];
    // As in a shell, a default also stands in for a variable that is empty.
    if (value !== undefined && (value !== '' || fallback === undefined)) return value;
    if (fallback === undefined) missing.push(name);
    return fallback ?? '';
  });
  return { text: expanded, missing };
}
