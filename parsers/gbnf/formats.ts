/** The `format`s of a text that a grammar can say to the letter, as patterns; and those that it says loosely. */
import { type Pattern, parsePattern } from './pattern.ts';

export interface TextFormat {
  readonly pattern: Pattern;
  /** It lets more through than the format does. */
  readonly loose: boolean;
}

const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
const date =
  `(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))` +
  `|${leapYear}-02-29)`;
const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const time = `${clock}:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-]${clock})`;
const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const hex = (count: number) => `[0-9a-fA-F]{${count}}`;

const sources: Record<string, readonly [source: string, loose?: 'loose']> = {
  date: [`^${date}$`],
  time: [`^${time}$`],
  'date-time': [`^${date}T${time}$`],
  uuid: [`^${[8, 4, 4, 4, 12].map(hex).join('-')}$`],
  ipv4: [`^${octet}(?:\\.${octet}){3}$`],
  email: ['^[^@\\s]+@[^@\\s]+$', 'loose'],
};

const formats = new Map<string, TextFormat>();

/** Undefined: nothing is said of such a text. */
export function textFormat(name: string): TextFormat | undefined {
  const [source, loose] = Object.hasOwn(sources, name) ? (sources[name] as [string, 'loose'?]) : [];
  if (source === undefined) return undefined;
  let format = formats.get(name);
  if (!format) {
    format = { pattern: parsePattern(source) as Pattern, loose: loose !== undefined };
    formats.set(name, format);
  }
  return format;
}
