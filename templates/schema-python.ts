/**
 * A tool as the head of a Python function: types in the signature, everything else in the docstring, under the path of what it speaks of.
 * All lines of the tool's own are indented, in quotes or in one line, and no text of it ends the docstring.
 */
import { pythonLiteral } from '../parsers/json-text.ts';
import type { ToolDefinition } from '../parsers/parser.ts';
import { type Member, readShapes, type Shape, type Type } from './schema-shape.ts';
import { json, linesOf, nameWord, oneLine, toolWord } from './schema-words.ts';

const indent = '    ';
const words = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
  object: 'dict',
  any: 'Any',
  never: 'Never',
};

export function pythonFunction({ name, description = '', inputSchema }: ToolDefinition): string {
  const { root, named } = readShapes(inputSchema);
  const plain = root.type.kind === 'object' && !root.type.rest ? root.type.members : undefined;
  const empty = root.type.kind === 'word' && ['object', 'any'].includes(root.type.word);
  const parameters = plain
    ? plain.map(parameter).join(', ')
    : empty
      ? ''
      : `**arguments: ${typeText(root.type)}`;
  const types = named.map(({ name: alias, shape }) => `type ${alias} = ${typeText(shape.type)}\n`);
  const about = [
    ...said('', root),
    ...(plain ?? []).flatMap(member => memberWords('', member, !member.required)),
    ...named.flatMap(({ name: alias, shape }) => said(alias, shape)),
  ];
  const text = [
    ...(description.trim() === '' ? [] : [description.trim()]),
    ...(about.length === 0 ? [] : [`Args:\n${about.map(line => `${indent}${line}`).join('\n')}`]),
  ];
  return `${types.join('')}def ${toolWord(name)}(${parameters}):${docstring(text.join('\n\n'))}`;
}

/** Parameters are given by name, so that one which has to be there may follow one which has not. */
function parameter({ name, required, shape }: Member, index: number): string {
  const preset = required ? '' : ` = ${shape.default === undefined ? '...' : value(shape.default)}`;
  return `${index === 0 ? '*, ' : ''}${nameWord(name)}: ${typeText(shape.type)}${preset}`;
}

function docstring(text: string): string {
  if (text === '') return ' ...';
  const lines = linesOf(text.replace(/"{3,}/g, quotes => '\\"'.repeat(quotes.length)));
  if (lines.length === 1 && !/["\\]$/.test(text)) return `\n${indent}"""${lines[0]}"""`;
  const indented = lines.map(line => (line.trim() === '' ? '' : `${indent}${line}`));
  return `\n${indent}"""${indented.join('\n').slice(indent.length)}\n${indent}"""`;
}

/** What is said of a value and of what it is made of, a line for each that has something. */
function said(path: string, shape: Shape, presetShown = false): string[] {
  const { type, notes, description, default: preset } = shape;
  const limits = [...notes, ...(preset === undefined || presetShown ? [] : [`default ${value(preset)}`])];
  const texts = [
    ...(description === undefined ? [] : [linesOf(description).join(`\n${indent}${indent}`)]),
    ...(limits.length === 0 ? [] : [`(${limits.join(', ')})`]),
  ];
  const own = texts.length === 0 ? [] : [`${path === '' ? 'all' : path}: ${texts.join(' ')}`];
  return [...own, ...inside(path, type)];
}

function inside(path: string, type: Type): string[] {
  switch (type.kind) {
    case 'list':
      return said(`${path}[]`, type.item);
    case 'tuple':
      return [
        ...type.items.flatMap((item, index) => said(`${path}[${index}]`, item)),
        ...(type.rest ? said(`${path}[]`, type.rest) : []),
      ];
    case 'either': {
      const several = type.parts.filter(part => !isNull(part.type)).length > 1;
      return type.parts.flatMap((part, index) =>
        said(several ? `${path} (${index + 1})`.trim() : path, part),
      );
    }
    case 'both':
      return type.parts.flatMap(part => said(path, part));
    case 'object':
      return [
        ...(path === '' ? [] : type.members.flatMap(member => memberWords(`${path}.`, member))),
        ...(type.rest ? said(`${path}.*`, type.rest) : []),
      ];
    default:
      return [];
  }
}

function isNull(type: Type): boolean {
  return type.kind === 'word' && type.word === 'null';
}

function memberWords(prefix: string, { name, shape }: Member, presetShown = false): string[] {
  return said(`${prefix}${nameWord(name)}`, shape, presetShown);
}

function typeText(type: Type): string {
  switch (type.kind) {
    case 'word':
      return words[type.word];
    case 'named':
      return type.name;
    case 'values':
      return `Literal[${type.values.map(value).join(', ')}]`;
    case 'list':
      return `list[${typeText(type.item.type)}]`;
    case 'tuple': {
      const rest = type.rest ? [`*tuple[${typeText(type.rest.type)}, ...]`] : [];
      return `tuple[${[...type.items.map(item => typeText(item.type)), ...rest].join(', ')}]`;
    }
    case 'either':
      return type.parts.map(part => typeText(part.type)).join(' | ');
    case 'both':
      return type.parts.map(operand).join(' & ');
    case 'object':
      return objectText(type.members, type.rest);
  }
}

function operand({ type }: Shape): string {
  return type.kind === 'either' ? `(${typeText(type)})` : typeText(type);
}

function objectText(members: readonly Member[], rest: Shape | undefined): string {
  const others = rest && `dict[str, ${typeText(rest.type)}]`;
  if (others && members.length === 0) return others;
  const listed = members.map(({ name, required, shape }) => {
    const text = typeText(shape.type);
    return `${json(name)}: ${required ? text : `NotRequired[${text}]`}`;
  });
  return `{${[...listed, ...(others ? [`**${others}`] : [])].join(', ')}}`;
}

function value(given: unknown): string {
  return oneLine(pythonLiteral(JSON.stringify(given) ?? 'null'));
}
