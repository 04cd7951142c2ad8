/** What an answer to a server's form or page must be, whoever of the user's programs it comes from. */
import { invalidValue } from '../../parsers/validate.ts';
import { type Fields, isFields } from '../../templates/check.ts';
import type { ElicitationAnswer } from './features.ts';

/** Why an address is shown to nobody, if it is none of the web. */
export function badAddress(url: string): string | undefined {
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  return protocol === 'https:' || protocol === 'http:' ? undefined : 'its address is none of the web';
}

/** What is wrong with the whole of a form, if anything is. */
export function invalidForm(schema: Fields, content: unknown): string | undefined {
  return invalidValue(schema, content, { whole: 'the content', key: 'in the form' });
}

/**
 * Reads `{"action": "accept", "content": {…}}`. What is no answer declines, and says why.
 *
 * @param form the schema that an accepted answer's content must fit
 */
export function readElicitationAnswer(given: unknown, form: Fields | undefined): ElicitationAnswer {
  const decline = (reason: string): ElicitationAnswer => ({ action: 'decline', reason });
  if (!isFields(given)) return decline('the answer was no JSON object');
  const { action, content, reason } = given;
  if (action === 'cancel') return { action };
  if (action === 'decline') return typeof reason === 'string' ? { action, reason } : { action };
  if (action !== 'accept') return decline('the answer had no "action": accept, decline or cancel');
  if (!form) return { action };
  const values = withPresets(form, isFields(content) ? content : {});
  const wrong = invalidForm(form, values);
  if (wrong !== undefined) return decline(`the content of the answer was not what was asked for: ${wrong}`);
  return { action, content: values };
}

type Values = Record<string, string | number | boolean | string[]>;

function withPresets(form: Fields, content: Fields): Values {
  const properties = isFields(form.properties) ? form.properties : {};
  const presets = Object.entries(properties).flatMap(([name, property]) =>
    isFields(property) && property.default !== undefined ? [[name, property.default]] : [],
  );
  return { ...Object.fromEntries(presets), ...content } as Values;
}
