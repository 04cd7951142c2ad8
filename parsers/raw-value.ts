/**
 * Writes a raw value as JSON. Which type it has only its schema says: text stays what it is, to the letter, and everything else
 * is read as a literal. A text goes out as it comes, and so does a list or an object where the value can be nothing else.
 */
import type { Call } from './calls.ts';
import { coerceText } from './coerce.ts';
import type { Guide } from './guide.ts';
import { type LiteralReader, literalReader, readLiteral } from './literal.ts';
import type { Repair } from './repairs.ts';
import { textStore } from './text-store.ts';

type Target = Pick<Call, 'add' | 'repaired' | 'fail'>;

/** What may still be something else than text, by its first character: the types, and how the rest looks, blanks not counted. */
const literals = [
  { first: /[[{]/, types: ['array', 'object'], rest: /^/, longest: Number.POSITIVE_INFINITY },
  { first: /"/, types: [], rest: /^/, longest: Number.POSITIVE_INFINITY },
  { first: /[-\d]/, types: ['number', 'integer'], rest: /^[-+.\deE\s]*$/, longest: Number.POSITIVE_INFINITY },
  { first: /[tfTF]/, types: ['boolean'], rest: /^[a-zA-Z\s]*$/, longest: 5 },
  { first: /[nN]/, types: ['null'], rest: /^[a-zA-Z\s]*$/, longest: 5 },
] as const;

export class RawValue {
  private readonly call: Target;
  private readonly guide: Guide;
  private state: 'begun' | 'text' | 'literal' | 'held' = 'begun';
  private readonly held = textStore();
  private length = 0;
  private looks: (typeof literals)[number] | undefined;
  private reader: LiteralReader | undefined;

  /** Not `declared` is an argument that the tool does not have: what it gets is text. */
  constructor(call: Target, guide: Guide, declared: boolean) {
    this.call = call;
    this.guide = guide;
    if (!declared || (guide.types?.size === 1 && guide.types.has('string'))) this.becomeText();
  }

  add(text: string): void {
    if (text === '') return;
    if (this.state === 'text') this.call.add(jsonInside(text));
    else if (this.state === 'literal') this.read(text);
    else {
      this.held.add(text);
      this.length += text.replace(/\s+/g, '').length;
      if (this.state === 'begun') this.begin(text);
      else if (this.looks && !this.goesOn(this.looks, text)) this.becomeText();
    }
  }

  /** The value is whole. */
  end(): void {
    if (this.state === 'text') this.call.add('"');
    else if (this.reader?.state === 'open')
      this.call.fail('bad_json', 'A list or an object was not closed before the end of its value.');
    else if (this.state !== 'literal') this.settle(this.held.toString());
  }

  private begin(text: string): void {
    const first = text.trimStart()[0];
    if (first === undefined) return;
    const { types } = this.guide;
    const looks = literals.find(one => one.first.test(first));
    const fits = types === undefined || looks?.types.some(type => types.has(type));
    this.state = 'held';
    if (types !== undefined && !types.has('string')) {
      if (fits && looks === literals[0]) this.stream();
    } else if (looks && fits && this.goesOn(looks, text)) this.looks = looks;
    else this.becomeText();
  }

  private goesOn(looks: (typeof literals)[number], text: string): boolean {
    return looks.rest.test(text) && this.length <= looks.longest;
  }

  private becomeText(): void {
    this.state = 'text';
    this.call.add(`"${jsonInside(this.held.toString())}`);
  }

  private stream(): void {
    this.state = 'literal';
    const { guide, call } = this;
    this.reader = literalReader({ read: 'value', dialect: 'json', guide, repaired: call.repaired });
    this.read(this.held.toString());
  }

  private read(text: string): void {
    const { reader } = this;
    if (!reader || reader.state === 'failed') return;
    const end = reader.state === 'open' ? reader.feed(text, 0) : 0;
    this.call.add(reader.take());
    if (reader.failure) this.call.fail(reader.failure.problem, reader.failure.message);
    else if (reader.state === 'done' && text.slice(end).trim() !== '')
      this.call.fail('bad_json', 'Expected the end of the value behind its last bracket.');
  }

  /** A short value, or one that could have been text. */
  private settle(text: string): void {
    const { guide, call } = this;
    const { types } = guide;
    const found: Repair[] = [];
    const value = readLiteral(text, { guide, repaired: repair => found.push(repair) });
    const fits =
      value &&
      (types === undefined || types.has(value.type) || (types.has('integer') && isWhole(value.json)));
    // Where text fits too, only what is JSON to the letter is no text, and the words that Python has for JSON's.
    const textFits = types === undefined || types.has('string');
    const exact = found.length === 0 || (types !== undefined && /^(?:True|False|None)$/.test(text.trim()));
    if (value && (textFits ? fits && exact && !guide.lists(text) : true)) {
      found.forEach(call.repaired);
      call.add(value.json);
      return;
    }
    const coerced = textFits
      ? undefined
      : coerceText(text, guide, inner => readLiteral(inner, { guide, repaired: call.repaired }));
    if (coerced) call.repaired(coerced.repair);
    call.add(coerced?.json ?? JSON.stringify(text));
  }
}

function isWhole(json: string): boolean {
  return /^-?\d+$/.test(json);
}

/** Text as it stands inside a JSON string. */
function jsonInside(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
