/** Finds control words in text: those of formats that are known, and whatever else looks like one. */
import { alternatives } from '../../../parsers/alternatives.ts';

/** Words of vocabularies that no format needs, which text must not spell either. */
const common = ['<s>', '</s>', '<unk>', '<pad>', '<mask>', '<bos>', '<eos>'];
/** `<|…|>` in whatever vocabulary, and DeepSeek's with its own bars. */
const shape = '<[|｜][^<>\\s]{1,64}[|｜]>';

export interface ControlWord {
  readonly word: string;
  /** Behind its first character, where a cut leaves nothing whole. */
  readonly cut: number;
}

export type FindControlWords = (text: string) => readonly ControlWord[];

export function controlWordFinder(words: Iterable<string>): FindControlWords {
  const known = [...new Set([...words, ...common])].filter(word => [...word].length > 1);
  known.sort((left, right) => right.length - left.length);
  const pattern = new RegExp(`${alternatives(known)}|${shape}`, 'g');
  return text => {
    const found: ControlWord[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const cut = match.index + (text.codePointAt(match.index)! > 0xffff ? 2 : 1);
      found.push({ word: match[0], cut });
      // Words may overlap, so the next one may begin inside this one.
      pattern.lastIndex = cut;
    }
    return found;
  };
}

export function cutInside(text: string, words: readonly ControlWord[]): string[] {
  return [0, ...words.map(({ cut }) => cut)].map((start, index) => text.slice(start, words[index]?.cut));
}
