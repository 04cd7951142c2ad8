/**
 * Reads calls that are written in tags: the block, what names the call, its arguments one by one, the closing tags. Closing tags
 * may be missing where what follows shows that the call was whole.
 */
import { callBlock, emptyBlock } from './blocks.ts';
import type { Call } from './calls.ts';
import { fill, type Mark, markerHere, readSpace, type Steps } from './input.ts';
import { literalReader } from './literal.ts';
import { cutMessage } from './object-call.ts';
import { RawValue } from './raw-value.ts';
import { type Block, readInto, type Session } from './session.ts';
import { type Closed, TaggedValue } from './tagged-value.ts';
import { found, type Head, type TagKind, type Tags } from './tags.ts';

/** The blocks of a syntax: calls in their tag and, where calls have one of their own, calls without the tag around them. */
export function taggedBlocks(tags: Tags): Block[] {
  const { block, 'block-end': close, call } = tags.texts;
  const inTag: Block = {
    open: block,
    close,
    read: (session, mark) => new TaggedBlock(session, tags, mark, false).read(),
  };
  if (call === undefined) return [inTag];
  return [
    inTag,
    { open: call, read: (session, mark) => new TaggedBlock(session, tags, mark, true).readBare() },
  ];
}

class TaggedBlock {
  private readonly session: Session;
  private readonly tags: Tags;
  private readonly mark: Mark;
  /** The tag around the calls is missing. */
  private readonly bare: boolean;
  /** Closing tags that were consumed in the search for the end of a value. */
  private ahead: readonly Closed[] = [];
  /** Where what belongs to the calls ends, so far. */
  private end = 0;
  private doubled = false;
  private readonly expected: string;

  constructor(session: Session, tags: Tags, mark: Mark, bare: boolean) {
    this.session = session;
    this.tags = tags;
    this.mark = mark;
    this.bare = bare;
    this.expected = `Expected ${tags.texts.argument}… or the end of the call.`;
  }

  /** Reads from behind the tag of the block. False: it was a word of the text. */
  *read(): Steps<boolean> {
    const { session, tags, mark } = this;
    const { block: open, 'block-end': close } = tags.texts;
    let next = yield* this.next();
    while (next === 'block') {
      this.take(next);
      this.doubled = true;
      next = yield* this.next();
    }
    if (next === 'text' && this.stands(/[[{]/))
      return yield* callBlock({ open, close, form: 'python' }).read(session, mark);
    let head: Head | 'cut' | 'broken' | undefined;
    if (next === 'call') {
      this.take(next);
      head = (yield* tags.head(session)) ?? 'broken';
    } else if (next === 'text' && tags.texts.call === undefined) head = yield* tags.head(session);
    else if (next === 'argument') head = { name: undefined };
    if (head === undefined) return yield* emptyBlock(session, mark, { open, close });
    yield* this.calls(head);
    return true;
  }

  /** Reads from behind a call's own tag. Prose may speak of that tag, so a known tool must be named, and more must follow. */
  *readBare(): Steps<boolean> {
    const { session, tags } = this;
    if (!session.prose.lineIsBlank) return false;
    const head = yield* tags.head(session);
    if (head === undefined || head === 'cut' || !session.calls.known(head.name ?? '')) return false;
    const next = yield* this.next();
    if (next !== 'argument' && next !== 'call-end' && !this.stands(/\{/)) return false;
    yield* this.calls(head);
    return true;
  }

  private *calls(first: Head | 'cut' | 'broken'): Steps {
    const { session, tags, mark, bare } = this;
    const { input, calls, prose } = session;
    let head = first;
    let { start } = mark;
    for (;;) {
      const from = start;
      const call = calls.open(from);
      if (session.everyCall) call.repaired(session.everyCall);
      if (this.doubled) call.repaired('doubled-marker');
      if (bare) call.repaired('missing-open');
      yield* this.one(call, head);
      const next = call.cut ? 'end' : yield* this.next();
      if (next === 'block-end') this.take(next);
      else if (next !== 'call' && !bare) call.repaired('missing-close');
      const { end } = this;
      call.end(end, () => input.since(mark).slice(from - mark.start, end - mark.start));
      start = end;
      this.doubled = false;
      if (next !== 'call' || bare) break;
      this.take(next);
      head = (yield* tags.head(session)) ?? 'broken';
    }
    input.release(mark);
    prose.block();
  }

  private *one(call: Call, head: Head | 'cut' | 'broken'): Steps {
    this.end = this.session.input.position();
    if (head === 'cut') this.cut(call);
    else if (head === 'broken') yield* this.broken(call, 'Expected the name of a tool.');
    else {
      if (head.name !== undefined) call.named(head.name);
      else call.fail('missing_name', 'The call does not say which tool it is for.');
      if (head.argument !== undefined) call.repaired('missing-open');
      if (head.strays) yield* this.broken(call, this.expected);
      else yield* this.arguments(call, head.argument);
    }
  }

  /** Reads the arguments, and the tag that closes the call where calls have one. */
  private *arguments(call: Call, first: string | undefined): Steps {
    const { session, tags } = this;
    const given = new Set<string>();
    let asJson = false;
    let name = first;
    for (;;) {
      if (name === undefined) {
        const next = yield* this.next();
        if (next === 'end') return this.cut(call);
        if (next === 'argument-end') {
          this.take(next);
          call.repaired('orphan-close');
          continue;
        }
        if (next === 'text') {
          if (given.size > 0 || asJson || !this.stands(/\{/)) return yield* this.broken(call, this.expected);
          asJson = true;
          yield* this.json(call);
          if (call.cut) return;
          continue;
        }
        if (next !== 'argument') {
          if (given.size > 0) call.add('}');
          if (next === 'call-end') this.take(next);
          else {
            if (given.size === 0 && !asJson && next !== 'block-end')
              call.fail('bad_json', 'The call was not closed before the next one.');
            if (tags.texts['call-end'] !== undefined) call.repaired('missing-close');
          }
          return;
        }
        this.take(next);
        name = yield* tags.argumentName(session, call.repaired);
        if (name === undefined) return yield* this.broken(call, 'Expected the name of an argument.');
        if (asJson) return yield* this.broken(call, 'Expected the end of the call behind its arguments.');
      }
      name = yield* this.argument(call, name, given);
      if (call.cut) return;
    }
  }

  /** Reads one value. Returns the name of the argument that follows where nothing closed this one. */
  private *argument(call: Call, name: string, given: Set<string>): Steps<string | undefined> {
    const { session, tags, bare } = this;
    const { guide } = call;
    call.add(`${given.size === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    if (given.has(name) && guide.has(name)) call.repaired('repeated-argument');
    given.add(name);
    const value = new RawValue(call, guide.member(name), guide.has(name) !== false);
    const ended = yield* new TaggedValue(session, tags, {
      add: text => value.add(text),
      isNext: next => guide.has(next) === true && !given.has(next),
      bare,
    }).read();
    this.end = session.input.position();
    if (ended === undefined) {
      this.cut(call);
      return undefined;
    }
    value.end();
    this.ahead = ended.closed;
    if (ended.unclosed) call.repaired('missing-close');
    return ended.argument;
  }

  /** Arguments in one JSON object, as other formats have them. */
  private *json(call: Call): Steps {
    const { session } = this;
    call.repaired('foreign-call');
    const reader = literalReader({
      read: 'value',
      dialect: 'json',
      guide: call.guide,
      repaired: repair => call.repaired(repair),
    });
    let first = '';
    yield* readInto(session, reader, json => {
      first ||= json[0] ?? '';
      call.add(json);
    });
    this.end = session.input.position();
    if (reader.failure) call.fail(reader.failure.problem, reader.failure.message);
    else if (reader.state === 'open') this.cut(call);
    else if (first !== '{') call.fail('bad_arguments', 'The arguments must be a JSON object.');
  }

  private cut(call: Call): void {
    call.fail('truncated', cutMessage);
    call.cut = true;
    this.end = this.session.input.position();
  }

  /** Goes on where the call may end. */
  private *broken(call: Call, message: string): Steps {
    const { input, stops } = this.session;
    const { texts } = this.tags;
    if (!(yield* fill(input))) return this.cut(call);
    call.fail('bad_json', message);
    const own = this.bare && texts['call-end'] !== undefined ? texts['call-end'] : texts['block-end'];
    const ends = [texts.block, texts['block-end'], own, ...stops];
    while (yield* fill(input)) {
      const marker = yield* markerHere(input, ends);
      if (marker !== undefined) {
        if (marker === own && marker !== texts['block-end']) input.at += marker.length;
        break;
      }
      input.at++;
    }
    this.end = input.position();
  }

  /** What comes next. It is not consumed, but for closing tags that were before. */
  private *next(): Steps<TagKind | 'text' | 'end'> {
    const [closed] = this.ahead;
    if (closed) return closed.kind;
    yield* readSpace(this.session.input);
    return yield* found(this.session, this.tags);
  }

  private take(kind: TagKind): void {
    const { input } = this.session;
    const [closed, ...rest] = this.ahead;
    this.ahead = rest;
    if (!closed) input.at += this.tags.texts[kind]?.length ?? 0;
    this.end = closed?.end ?? input.position();
  }

  private stands(character: RegExp): boolean {
    const { input } = this.session;
    return character.test(input.text[input.at] ?? '');
  }
}
