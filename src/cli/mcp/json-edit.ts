/**
 * Changes of a JSON file with comments that leave everything else as it stands. jsonc-parser's own `modify` lays the neighbours
 * out anew and takes their comments along.
 */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

type Path = readonly string[];

/** Puts a value there, whether or not there was one. Objects on the way that are missing are made. */
export function withValue(text: string, path: Path, value: unknown): string {
  if (text.trim() === '') return withValue('{}\n', path, value);
  const layout = layoutOf(text);
  const at = findNodeAtLocation(rootOf(text), [...path]);
  if (at) {
    const json = written(value, lineIndent(text, at.offset), layout);
    return splice(text, at.offset, at.offset + at.length, json);
  }
  let known = path.length - 1;
  while (findNodeAtLocation(rootOf(text), path.slice(0, known))?.type !== 'object') known--;
  const missing = path.slice(known);
  const inner = missing.slice(1).reduceRight((held, key) => ({ [key]: held }), value);
  return withMember(
    text,
    findNodeAtLocation(rootOf(text), path.slice(0, known))!,
    missing[0]!,
    inner,
    layout,
  );
}

/** Takes a member out with its comma, and with its lines where nothing but a comment on it stands there. */
export function withoutValue(text: string, path: Path): string {
  const member = findNodeAtLocation(rootOf(text), [...path])?.parent;
  const siblings = member?.parent?.children ?? [];
  if (!member) return text;
  const end = member.offset + member.length;
  const next = siblings[siblings.indexOf(member) + 1];
  const previous = siblings[siblings.indexOf(member) - 1];
  const comma = commaBetween(text, end, next?.offset ?? closing(member.parent!));
  const rest =
    comma === undefined
      ? splice(text, member.offset, end)
      : splice(splice(text, comma, comma + 1), member.offset, end);
  const tidy = withoutBlankLine(rest, member.offset);
  if (next || !previous || comma !== undefined) return tidy;
  // It was the last one: the comma before it would be one too many for strict readers.
  const before = commaBetween(tidy, previous.offset + previous.length, member.offset);
  return before === undefined ? tidy : splice(tidy, before, before + 1);
}

interface Layout {
  readonly unit: string;
  readonly eol: string;
}

function layoutOf(text: string): Layout {
  return { unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function withMember(text: string, object: Node, key: string, value: unknown, { unit, eol }: Layout): string {
  const members = object.children ?? [];
  const last = members.at(-1);
  const outer = lineIndent(text, object.offset);
  const first = members[0];
  const indent = first && startsLine(text, first.offset) ? lineIndent(text, first.offset) : outer + unit;
  const from = last ? last.offset + last.length : object.offset + 1;
  const tail = text.slice(from, closing(object));
  const hasComma = last !== undefined && commaBetween(text, from, closing(object)) !== undefined;
  const filled = tail.trimEnd();
  const space = tail.slice(filled.length);
  const member = `${indent}${JSON.stringify(key)}: ${written(value, indent, { unit, eol })}${hasComma ? ',' : ''}`;
  const comma = last && !hasComma ? ',' : '';
  const end = space.includes('\n') ? space.slice(space.indexOf(eol)) : `${eol}${outer}`;
  return splice(text, from, closing(object), `${comma}${filled}${eol}${member}${end}`);
}

function written(value: unknown, indent: string, { unit, eol }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

function rootOf(text: string): Node {
  return parseTree(text, [], { allowTrailingComma: true })!;
}

const closing = (object: Node) => object.offset + object.length - 1;

const splice = (text: string, from: number, to: number, put = '') =>
  text.slice(0, from) + put + text.slice(to);

/** Between two members there are blanks, comments and a comma. */
function commaBetween(text: string, from: number, to: number): number | undefined {
  for (const { 0: token, index } of text.slice(from, to).matchAll(/\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,/g))
    if (token === ',') return from + index;
  return undefined;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))![0];
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

function withoutBlankLine(text: string, offset: number): string {
  const start = lineStart(text, offset);
  const end = text.indexOf('\n', offset) + 1;
  const isBlank = end > 0 && /^\s*(?:\/\/.*|\/\*[^\n]*\*\/)?\s*$/.test(text.slice(start, end));
  return isBlank ? splice(text, start, end) : text;
}
