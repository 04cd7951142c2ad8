/** A user's own format: the default export of a module, checked before anything is done with it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { RawcallError } from '../parsers/error.ts';
import type { Prompt } from '../templates/template.ts';
import type { Format } from './format.ts';

/** A name with a slash, a backslash or a script's ending is the path of a module. */
export function isFormatPath(name: string): boolean {
  return /[\\/]|\.[cm]?[jt]s$/.test(name);
}

/**
 * @param file from the working folder
 * @throws RawcallError `bad_format` (details: file, where), for a file that is not there or no module, and for each part of a
 * Format that is missing, has the wrong type, or does not do a short probe
 */
export async function loadFormatModule(file: string): Promise<Format> {
  const format = fieldsOf(await defaultExport(file), 'its default export', file);
  const name = check(format.name, 'name', 'a text that is not empty', isName, file);
  const template = fieldsOf(format.template, 'template', file);
  const parser = fieldsOf(format.parser, 'parser', file);
  check(template.name, 'template.name', 'a text that is not empty', isName, file);
  check(
    template.stops,
    'template.stops',
    'a list of the control tokens that end a reply, at least one',
    isStops,
    file,
  );
  check(template.controlTokens, 'template.controlTokens', 'a list of texts', isTexts, file);
  check(template.render, 'template.render', 'a function', isFunction, file);
  if (template.prefill !== undefined)
    check(template.prefill, 'template.prefill', 'a function, or left out', isFunction, file);
  check(parser.name, 'parser.name', 'a text that is not empty', isName, file);
  check(parser.start, 'parser.start', 'a function', isFunction, file);
  check(parser.write, 'parser.write', 'a function', isFunction, file);
  if (format.aliases !== undefined)
    check(format.aliases, 'aliases', 'a list of texts, or left out', isTexts, file);
  const checked = format as unknown as Format;
  probe(checked, file);
  return { ...checked, name };
}

type Fields = Readonly<Record<string, unknown>>;

async function defaultExport(file: string): Promise<unknown> {
  const place = path.resolve(file);
  if (!existsSync(place))
    throw bad(file, 'file', `there is no such file. Give the path of a module with a format`);
  let module: { default?: unknown };
  try {
    module = (await import(pathToFileURL(place).href)) as { default?: unknown };
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts$/.test(place))
      throw bad(
        file,
        'file',
        'this version of Node does not read TypeScript. Compile it to JavaScript, or set NODE_OPTIONS="--import tsx"',
        cause,
      );
    throw bad(
      file,
      'file',
      `it is no module that can be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    );
  }
  if (module.default === undefined)
    throw bad(
      file,
      'default',
      'it has no default export. Export a format: export default { name, template, parser }',
    );
  return module.default;
}

/** What only shows when it is used: that pieces come out, and that events do. */
function probe({ template, parser }: Format, file: string): void {
  const used = <T>(where: string, use: () => T): T => {
    try {
      return use();
    } catch (cause) {
      throw bad(
        file,
        where,
        `${where} failed for one user message: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause,
      );
    }
  };
  const prompt = used('template.render', () =>
    template.render({ messages: [{ role: 'user', content: 'Hi' }], tools: [] }),
  );
  check(prompt, 'what template.render returns', 'a list of {text, origin} and {control}', isPrompt, file);
  const written = used('parser.write', () =>
    parser.write([{ id: 'call_1', name: 'f', arguments: {}, argumentsText: '{}' }]),
  );
  check(written, 'what parser.write returns', 'a list of {text, control?}', isPieces, file);
  const reading = used('parser.start', () => parser.start());
  const { push, end } = fieldsOf(reading, 'what parser.start returns', file);
  check(push, 'what parser.start returns', 'an object with push and end', isFunction, file);
  check(end, 'what parser.start returns', 'an object with push and end', isFunction, file);
  const events: unknown = used('parser.start', () => [
    ...reading.push({ text: 'Hi' }),
    ...reading.end('stop'),
  ]);
  check(events, 'what the reading returns', 'a list of events', isEvents, file);
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isFunction = (value: unknown): value is (...args: never[]) => unknown => typeof value === 'function';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isName);
const isStops = (value: unknown): value is string[] => isTexts(value) && value.length > 0;
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isEvents = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every(one => isObject(one) && isName(one.type));
const isPieces = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every(one => isObject(one) && typeof one.text === 'string');
const isPrompt = (value: unknown): value is Prompt =>
  Array.isArray(value) &&
  value.every(
    one => isObject(one) && (isName(one.control) || (typeof one.text === 'string' && isName(one.origin))),
  );

function fieldsOf(value: unknown, where: string, file: string): Fields {
  return check(value, where, 'an object', isObject, file);
}

function check<T>(
  value: unknown,
  where: string,
  allowed: string,
  is: (value: unknown) => value is T,
  file: string,
): T {
  if (is(value)) return value;
  const found =
    value === undefined
      ? 'missing'
      : Array.isArray(value)
        ? 'another list'
        : `a ${value === null ? 'null' : typeof value}`;
  throw bad(file, where, `${where} is ${found}; it must be ${allowed}`);
}

function bad(file: string, where: string, what: string, cause?: unknown): RawcallError {
  return new RawcallError('bad_format', `${file}: ${what}.`, { file, where }, cause);
}
