/**
 * A tool as a signature in the manner of TypeScript, all descriptions in comments. Nothing of the tool's stands at the beginning of a line
 * but its name: lines of a description follow `//`, members are indented, and everything else is quoted or in one line.
 */
import type { ToolDefinition } from '../parsers/parser.ts';
import { type Member, readShapes, type Shape, type Type } from './schema-shape.ts';
import { inline, json, linesOf, nameWord, toolWord } from './schema-words.ts';

export function toolSignature({ name, description = '', inputSchema }: ToolDefinition): string {
  const { root, named } = readShapes(inputSchema);
  const comment = description.trim() === '' ? '' : comments(description, '');
  const args = described(root, '');
  const types = named.map(one => `\ntype ${one.name} = ${described(one.shape, '')}`);
  return `${comment}${toolWord(name)}(${anything.includes(args) ? '' : args})${types.join('')}`;
}

/** Arguments of which nothing is said. */
const anything = ['{}', 'object', 'any'];

/** A line of comment for each line, a line break behind each. */
function comments(text: string, indent: string): string {
  return linesOf(text)
    .map(line => `${indent}// ${line}`.trimEnd())
    .map(line => `${line}\n`)
    .join('');
}

/** The type with everything that is said of it, in a comment behind it. */
function described({ type, notes, description, default: value }: Shape, indent: string): string {
  const words = [
    ...notes,
    ...(value === undefined ? [] : [`default ${json(value)}`]),
    ...(description === undefined ? [] : [inline(description)]),
  ];
  return `${typeText(type, indent)}${aside(words)}`;
}

function aside(words: readonly string[]): string {
  // An escaped slash is the same in a JSON text, and in prose it is plain enough.
  return words.length === 0 ? '' : ` /* ${words.join(', ').replaceAll('*/', '*\\/')} */`;
}

/** `indent` is that of the line on which the type begins. */
function typeText(type: Type, indent: string): string {
  switch (type.kind) {
    case 'word':
      return type.word;
    case 'named':
      return type.name;
    case 'values':
      return type.values.map(json).join(' | ');
    case 'list':
      return `${operand(type.item, indent)}[]`;
    case 'tuple': {
      const rest = type.rest ? [`...${operand(type.rest, indent)}[]`] : [];
      return `[${[...type.items.map(item => described(item, indent)), ...rest].join(', ')}]`;
    }
    case 'either':
      return type.parts.map(part => operand(part, indent, 'either')).join(' | ');
    case 'both':
      return type.parts.map(part => operand(part, indent)).join(' & ');
    case 'object':
      return objectText(type.members, type.rest, indent);
  }
}

/** In brackets where it would be read otherwise. */
function operand(shape: Shape, indent: string, within?: 'either'): string {
  const text = described(shape, indent);
  const { kind } = shape.type;
  const chosen = kind === 'either' || (kind === 'values' && shape.type.values.length > 1);
  const noted = text.endsWith('*/');
  const loose = within === 'either' ? chosen && noted : chosen || noted || kind === 'both';
  return loose ? `(${text})` : text;
}

/** In one line where it is short of words, else a member a line. */
function objectText(members: readonly Member[], rest: Shape | undefined, indent: string): string {
  const inner = `${indent} `;
  const open = rest ? [`[key: string]: ${described(rest, inner)}`] : [];
  const plain = members.map(member => memberText(member, inner));
  const spoken = members.some(({ shape }) => shape.description !== undefined);
  if (!spoken && ![...plain, ...open].some(text => text.includes('\n')))
    return `{${[...plain, ...open].join(', ')}}`;
  const lines = members.map((member, index) => {
    const { description } = member.shape;
    const text = `${inner}${plain[index]}`;
    if (description === undefined) return `${text}\n`;
    const oneLine = linesOf(description).length === 1 && !text.includes('\n');
    return oneLine ? `${text} // ${description.trim()}\n` : `${comments(description, inner)}${text}\n`;
  });
  return `{\n${lines.join('')}${open.map(text => `${inner}${text}\n`).join('')}${indent}}`;
}

function memberText({ name, required, shape }: Member, indent: string): string {
  const { type, notes, default: value } = shape;
  const preset = value === undefined ? '' : ` = ${json(value)}`;
  return `${nameWord(name)}${required ? '' : '?'}: ${typeText(type, indent)}${aside(notes)}${preset}`;
}
