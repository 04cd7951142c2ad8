/**
 * Another app's entry as one of ours. Whatever cannot be said in ours is told and left out; that an app trusted a server is no
 * reason for us to.
 */
import path from 'node:path';
import { type Fields, isFields } from '../../../templates/check.ts';
import {
  enablingKeys,
  mostSeconds,
  otherNames,
  ownKeys,
  secondsKeys,
  toolLists,
  unusedKeys,
} from '../../mcp/foreign-keys.ts';
import type { Entry } from './server-file.ts';

export interface Translation {
  /** Absent: there is no way to start it or to reach it. */
  readonly entry?: Entry;
  /** What was changed or left out, for people. */
  readonly notes: readonly string[];
}

export interface Source {
  readonly app: string;
  readonly home: string;
  readonly workspace?: string;
  /** VS Code's: what it asks the user for, by their ids. */
  readonly inputs: ReadonlyMap<string, Fields>;
}

/** Consent is for whoever gave it to give again. */
const consent: readonly string[] = ['trust', 'approval', 'alwaysAllow', 'autoApprove'];

export function translate(given: unknown, source: Source): Translation {
  const notes: string[] = [];
  const theirs = flattened(isFields(given) ? given : {});
  const ours: Record<string, unknown> = {};
  const tools: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(theirs)) {
    const own =
      ownKeys.find(one => one === key) ?? (Object.hasOwn(otherNames, key) ? otherNames[key] : undefined);
    const list = Object.hasOwn(toolLists, key) ? toolLists[key] : undefined;
    if (consent.includes(key)) notes.push(`"${key}" is left out: whom rawcall trusts is said anew`);
    else if (own !== undefined) ours[own] ??= withoutVariables(value, key, source, notes);
    else if (list !== undefined) tools[list] = value;
    else if (enablingKeys.includes(key)) ours.disabled = value === false;
    else if (unusedKeys[key] !== '')
      notes.push(`"${key}" is left out: ${unusedKeys[key] ?? 'rawcall has no such key'}`);
  }
  if (ours.disabled === false) delete ours.disabled;
  if (Object.keys(tools).length > 0) ours.tools = tools;
  const inSeconds = secondsKeys.some(key => Object.hasOwn(theirs, key));
  if (inSeconds && typeof ours.timeout === 'number' && ours.timeout <= mostSeconds) ours.timeout *= 1000;
  if (typeof ours.cwd === 'string' && source.workspace !== undefined)
    ours.cwd = path.resolve(source.workspace, ours.cwd);
  const reachable = typeof ours.command === 'string' || typeof ours.url === 'string';
  return reachable ? { entry: ours, notes } : { notes: [...notes, 'it has neither a command nor a URL'] };
}

/** Zed had the command as an object once. */
function flattened(entry: Fields): Fields {
  if (!isFields(entry.command)) return entry;
  const { path: command, args, env } = entry.command;
  return {
    ...entry,
    command,
    ...(args === undefined ? {} : { args }),
    ...(env === undefined ? {} : { env }),
  };
}

function withoutVariables(value: unknown, key: string, source: Source, notes: string[]): unknown {
  if (typeof value === 'string') return withoutVariablesIn(value, key, source, notes);
  if (Array.isArray(value)) return value.map(one => withoutVariables(one, key, source, notes));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withoutVariables(one, key, source, notes)]),
  );
}

/** Apps have variables besides those of the environment. */
function withoutVariablesIn(text: string, key: string, source: Source, notes: string[]): string {
  const { app, home, workspace } = source;
  const places: Readonly<Record<string, string | undefined>> = {
    userHome: home,
    workspaceFolder: workspace,
    workspaceFolderBasename: workspace === undefined ? undefined : path.basename(workspace),
    pathSeparator: path.sep,
    '/': path.sep,
  };
  const known = text.replaceAll(/\$\{([^}]*)\}/g, (whole, name: string) => {
    if (name.startsWith('input:')) return asked(name.slice('input:'.length), source, notes);
    const place = Object.hasOwn(places, name) ? places[name] : undefined;
    if (place !== undefined) return place;
    if (Object.hasOwn(places, name) || !/^(?:env:)?[A-Za-z_]\w*(?::-.*)?$/s.test(name))
      notes.push(`${whole} in its ${key} means nothing to rawcall; write what it stands for`);
    return whole;
  });
  // Gemini's short form.
  const short = app === 'gemini' && (key === 'env' || key === 'headers');
  return short ? known.replaceAll(/\$([A-Za-z_]\w*)/g, (_whole, name: string) => reference(name)) : known;
}

/** What VS Code asks the user for is taken from the environment. */
function asked(id: string, { app, inputs }: Source, notes: string[]): string {
  const { default: fallback, description } = inputs.get(id) ?? {};
  const name = id
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d)/, '_');
  if (typeof fallback === 'string' && !fallback.includes('}')) return reference(`${name}:-${fallback}`);
  const what = typeof description === 'string' ? ` (${description})` : '';
  notes.push(`set ${name} in the environment${what}, which ${app} asks for`);
  return reference(name);
}

const reference = (inner: string) => `\${${inner}}`;
