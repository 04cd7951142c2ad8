/** A resource template as it is written in a question: each variable where it stands, with its value behind an equals sign. */
import { parseTemplate } from 'url-template';

export interface TemplateReference {
  /** Without the values. */
  readonly uriTemplate: string;
  readonly values: Readonly<Record<string, string>>;
}

const expression = /\{([+#./;?&]?)([^}]*)\}/g;

export const isTemplate = (reference: string) => reference.includes('{');

export function readTemplateReference(reference: string): TemplateReference {
  const values: Record<string, string> = {};
  const uriTemplate = reference.replace(expression, (_whole, operator: string, inside: string) => {
    // A comma parts two variables only where the name of one follows: values may have commas.
    const variables = inside.split(/,(?=[\w.%]+(?:\*|:\d+)?(?:[=,]|$))/).map(part => {
      const at = part.indexOf('=');
      if (at < 0) return part;
      values[plain(part.slice(0, at))] = part.slice(at + 1);
      return part.slice(0, at);
    });
    return `{${operator}${variables.join(',')}}`;
  });
  return { uriTemplate, values };
}

export interface Variable {
  readonly name: string;
  /** What a query leaves out may stay out. */
  readonly required: boolean;
}

export function variablesOf(uriTemplate: string): Variable[] {
  return [...uriTemplate.matchAll(expression)].flatMap(([, operator = '', inside = '']) =>
    inside.split(',').map(part => ({ name: plain(part), required: !/[;?&]/.test(operator) })),
  );
}

export function expandTemplate(uriTemplate: string, values: Readonly<Record<string, string>>): string {
  return parseTemplate(uriTemplate).expand({ ...values });
}

/** The same for all ways to write one template: with its operators and limits, and without. */
export function bareTemplate(uriTemplate: string): string {
  return uriTemplate.replace(expression, (_whole, _operator, inside: string) => {
    return `{${inside.split(',').map(plain).join(',')}}`;
  });
}

const plain = (variable: string) => variable.replace(/(?:\*|:\d+)$/, '');
