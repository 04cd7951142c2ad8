/** What in an entry looks like a secret that stands in the file itself. */
import { isFields } from '../../../templates/check.ts';
import type { Entry } from './server-file.ts';

const secretName = /key|token|secret|passw|credential|authorization|cookie/i;

/** Names of variables and headers; never their values. */
export function plainSecrets({ env, headers }: Entry): string[] {
  return [env, headers].flatMap(texts =>
    Object.entries(isFields(texts) ? texts : {}).flatMap(([name, value]) =>
      secretName.test(name) && typeof value === 'string' && value !== '' && !value.includes('${')
        ? [name]
        : [],
    ),
  );
}

export function secretNotice(file: string, server: string, names: readonly string[]): string {
  const [first = ''] = names;
  const variable = first.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  return `${names.join(', ')} of "${server}" can be read in ${file}. "\${${variable}}" instead takes it from the environment.`;
}
