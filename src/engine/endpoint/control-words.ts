/** Finds control words in text: those of formats that are known, and whatever else looks like one. */
import { alternatives } from '../../../parsers/alternatives.ts';

/** Words of vocabularies that no format needs, which text must not spell either. */
const common = ['<s>', '</s>', '<unk>', '<pad>', '<mask>', '<bos>', '<eos>'];
/** `<|…|>` in whatever vocabulary, and DeepSeek's with its own bars. */
const shape = '<[|｜][^<>\\s]{1,64}[|｜]>';

/** Gives the places behind the first character of each control word, where a cut leaves nothing whole. */
export function controlWordCuts(words: Iterable<string>): (text: string) => readonly number[] {
  const known = [...new Set([...words, ...common])].filter(word => [...word].length > 1);
  known.sort((left, right) => right.length - left.length);
  const pattern = new RegExp(`${alternatives(known)}|${shape}`, 'g');
  return text => {
    const cuts: number[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const cut = match.index + (text.codePointAt(match.index)! > 0xffff ? 2 : 1);
      cuts.push(cut);
      // Words may overlap, so the next one may begin inside this one.
      pattern.lastIndex = cut;
    }
    return cuts;
  };
}

export function cutAt(text: string, cuts: readonly number[]): string[] {
  return [0, ...cuts].map((start, index) => text.slice(start, cuts[index]));
}
