/** `${VAR}`, `${VAR:-default}` and `${env:VAR}` in a config's texts. Values are never part of a message. */

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Expanded {
  readonly text: string;
  /** Variables of the environment that came in, with their values. */
  readonly used: ReadonlyMap<string, string>;
  /** Names of the variables that are not set and have no default. */
  readonly missing: readonly string[];
  /** References that only another program can resolve, such as `${input:token}`. */
  readonly foreign: readonly string[];
}

const reference =
  /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\$\{(?:input|command|config|file):[^}]*\}/g;

/** `places` are names that editors give to folders; a variable of the environment goes first. */
export function expand(text: string, environment: Environment, places: Environment = {}): Expanded {
  const used = new Map<string, string>();
  const missing: string[] = [];
  const foreign: string[] = [];
  const expanded = text.replace(
    reference,
    (whole, name: string | undefined, fallback: string | undefined) => {
      if (name === undefined) {
        foreign.push(whole);
        return whole;
      }
      const value = environment[name];
      // As in a shell, a default also stands in for a variable that is empty.
      if (value !== undefined && (value !== '' || fallback === undefined)) {
        used.set(name, value);
        return value;
      }
      const given = fallback ?? places[name];
      if (given === undefined) missing.push(name);
      return given ?? '';
    },
  );
  return { text: expanded, used, missing, foreign };
}
