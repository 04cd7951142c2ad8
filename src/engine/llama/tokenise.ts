/** A prompt to token ids, such that no text becomes a marker. */
import { RawcallError } from '../../../parsers/error.ts';
import type { Piece } from '../../../parsers/parser.ts';
import { promptOf } from '../../../templates/prompt.ts';
import type { Control, Origin, Prompt } from '../../../templates/template.ts';
import type { PromptToken } from '../engine.ts';
import { decode, joinBytes, unfinishedBytes } from './bytes.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Ids that stand together, and the texts that they spell. */
interface Run {
  readonly ids: readonly number[];
  readonly texts: readonly { readonly text: string; readonly origin: Origin }[];
}

export type Encode = (prompt: Prompt) => readonly number[];

/** The ids of prompts. Each is tokenised once: it is counted, then generated from, and a prefix stays the same for many turns. */
export function promptEncoder(vocabulary: Vocabulary): Encode {
  const known = new WeakMap<Prompt, readonly number[]>();
  return prompt => {
    let ids = known.get(prompt);
    if (!ids) {
      ids = opened(runs(prompt, vocabulary), vocabulary).flatMap(run => run.ids);
      known.set(prompt, ids);
    }
    return ids;
  };
}

/** The ids of a part of a completion. */
export function pieceIds(pieces: readonly Piece[], vocabulary: Vocabulary): number[] {
  return runs(promptOf(pieces, 'assistant'), vocabulary).flatMap(run => run.ids);
}

function runs(prompt: Prompt, vocabulary: Vocabulary): Run[] {
  const found: Run[] = [];
  let joined: Run['texts'][number][] = [];
  const add = (ids: readonly number[], text: string, origin: Origin) => {
    flush();
    found.push({ ids, texts: [{ text, origin }] });
  };
  function flush() {
    if (joined.length === 0) return;
    found.push({ ids: textIds(joined.map(({ text }) => text).join(''), vocabulary), texts: joined });
    joined = [];
  }

  for (const piece of prompt) {
    if ('control' in piece) {
      const id = ownMarker(piece, vocabulary) ?? vocabulary.markerId(piece.control);
      if (id !== undefined) add([id], piece.control, 'template');
      else joined.push({ text: piece.control, origin: 'template' });
    } else if (piece.tokens && ownTokens(piece.text, piece.tokens, vocabulary)) {
      add(piece.tokens, piece.text, piece.origin);
    } else joined.push(piece);
  }
  flush();
  return found;
}

/** Several markers may spell the same: an id that the piece brings says which. */
function ownMarker({ control, tokens }: Control, vocabulary: Vocabulary): number | undefined {
  const [id] = tokens ?? [];
  if (id === undefined || tokens?.length !== 1 || !vocabulary.isMarker(id)) return undefined;
  return decode(vocabulary.bytes(id)) === control ? id : undefined;
}

/** @throws RawcallError `unknown_token` */
export function promptOfIds(ids: readonly number[], vocabulary: Vocabulary): Prompt {
  const prompt: Prompt[number][] = [];
  let plain: number[] = [];
  const flush = () => {
    if (plain.length === 0) return;
    prompt.push({ text: decode(joinBytes(plain.map(vocabulary.bytes))), origin: 'user', tokens: plain });
    plain = [];
  };
  for (const id of ids) {
    if (!Number.isInteger(id) || id < 0 || id >= vocabulary.size)
      throw new RawcallError(
        'unknown_token',
        `There is no token ${id}: this model's vocabulary has 0 to ${vocabulary.size - 1}.`,
        { token: id, size: vocabulary.size },
      );
    if (!vocabulary.isMarker(id)) plain.push(id);
    else {
      flush();
      prompt.push({ control: decode(vocabulary.bytes(id)), tokens: [id] });
    }
  }
  flush();
  return prompt;
}

/** With the token that this model's prompts begin with. */
function opened(prompt: Run[], { bos, bytes }: Vocabulary): Run[] {
  if (bos === undefined || prompt[0]?.ids[0] === bos) return prompt;
  return [{ ids: [bos], texts: [{ text: decode(bytes(bos)), origin: 'template' }] }, ...prompt];
}

/** Ids that a piece brings are used if they spell its text: those of another model or a forged recording don't. */
function ownTokens(text: string, ids: readonly number[], vocabulary: Vocabulary): boolean {
  if (ids.some(id => vocabulary.isMarker(id))) return false;
  return decode(joinBytes(ids.map(vocabulary.bytes))) === text;
}

/** Cuts the text inside each marker that it spells, and tokenises the parts apart. */
export function textIds(text: string, vocabulary: Vocabulary): number[] {
  const parts: string[] = [];
  const { markerPattern } = vocabulary;
  let start = 0;
  markerPattern.lastIndex = 0;
  for (let match = markerPattern.exec(text); match; match = markerPattern.exec(text)) {
    const cut = match.index + (text.codePointAt(match.index)! > 0xffff ? 2 : 1);
    parts.push(text.slice(start, cut));
    start = cut;
    // Markers may overlap, so the next one may begin inside this one.
    markerPattern.lastIndex = cut;
  }
  parts.push(text.slice(start));
  return parts.flatMap(part => safeIds(part, vocabulary));
}

function safeIds(part: string, vocabulary: Vocabulary): readonly number[] {
  const ids = vocabulary.encode(part);
  if (!ids.some(id => vocabulary.isMarker(id))) return ids;
  const apart = [...part].flatMap(character => vocabulary.encode(character));
  const forged = apart.find(id => vocabulary.isMarker(id));
  if (forged === undefined) return apart;
  throw new RawcallError(
    'forged_control_token',
    `The text ${JSON.stringify(part.slice(0, 80))} can't be written in this model's vocabulary without its control token ${forged}. Take the character out, or use another model.`,
    { text: part, token: forged },
  );
}

/** For people: each token, what it spells and where it came from. A character over several tokens is shown at its last one. */
export function promptTokens(prompt: Prompt, vocabulary: Vocabulary): PromptToken[] {
  return opened(runs(prompt, vocabulary), vocabulary).flatMap(({ ids, texts }) => {
    let held = new Uint8Array();
    let offset = 0;
    return ids.map(id => {
      const origin = originAt(texts, offset);
      const bytes = joinBytes([held, vocabulary.bytes(id)]);
      const whole = bytes.length - unfinishedBytes(bytes);
      const text = decode(bytes.subarray(0, whole));
      held = bytes.slice(whole);
      offset += text.length;
      return { id, text, control: vocabulary.isMarker(id), origin };
    });
  });
}

function originAt(texts: Run['texts'], offset: number): Origin {
  let end = 0;
  for (const { text, origin } of texts) {
    end += text.length;
    if (offset < end) return origin;
  }
  return texts.at(-1)!.origin;
}
