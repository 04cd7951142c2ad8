/** Notices that a text has begun to repeat itself without end. */

export interface RepetitionWatch {
  /** True once the text, this piece included, ends in enough repetitions. */
  push(text: string): boolean;
}

/** The longest unit that is noticed, in UTF-16 units, and how often it must stand at the end; short ones more often. */
const longestUnit = 150;
const times = 8;
const shortest = 240;
const checkedEvery = 32;

export function repetitionWatch(): RepetitionWatch {
  let tail = '';
  let fresh = 0;
  return {
    push(text) {
      tail = (tail + text).slice(-longestUnit * times);
      fresh += text.length;
      if (fresh < checkedEvery) return false;
      fresh = 0;
      for (let unit = 1; unit <= longestUnit; unit++) {
        if (repeated(tail, unit) >= Math.max(unit * times, shortest)) return true;
      }
      return false;
    },
  };
}

/** How many characters at the end are repetitions of the last `unit` ones, those included. */
function repeated(text: string, unit: number): number {
  let at = text.length - 1;
  while (at >= unit && text[at] === text[at - unit]) at--;
  return text.length - 1 - at + unit;
}
