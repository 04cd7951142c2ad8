/** Values to be copied into calls: `said` is how a question says it, `value` what the call must hold. */
import type { JsonValue } from '../../../parsers/parser.ts';
import { hash, type Random } from '../../practice/random.ts';
import { peopleNames, qualities, substances, things } from '../../practice/words.ts';
import { cities, countries, foreignNames, surnames } from './words.ts';

export type Share = 'training' | 'evaluation';

export interface Said {
  readonly value: JsonValue;
  readonly said: string;
}

export type Maker = (random: Random, words: Words) => Said;

/** Words of one share: an eighth of all, chosen by their hash, is never used for training. */
export interface Words {
  from(list: readonly string[]): string;
  invented(random: Random): string;
}

export function wordsOf(random: Random, share: Share): Words {
  const pools = new Map<readonly string[], readonly string[]>();
  const wanted = (word: string) => (hash(word) % 8 === 0) === (share === 'evaluation');
  return {
    from(list) {
      let pool = pools.get(list);
      if (pool === undefined) {
        pool = list.filter(wanted);
        pools.set(list, pool);
      }
      return random.pick(pool.length === 0 ? list : pool);
    },
    invented(random) {
      for (;;) {
        const made = inventedWord(random);
        if (wanted(made)) return made;
      }
    },
  };
}

const onsets = 'b c d f g h j k l m n p r s t v w z br cl dr fl gr kr pl sk st tr th sh qu x y'.split(' ');
const vowels = 'a e i o u a e i o u ai ea ou oo y'.split(' ');
const codas = 'n r l s t m k p nd rt lk sh x ck ng'.split(' ');

function inventedWord(random: Random): string {
  let word = '';
  const parts = random.int(2, 3);
  for (let part = 0; part < parts; part++)
    word += random.pick(onsets) + random.pick(vowels) + (random.chance(0.3) ? random.pick(codas) : '');
  return word;
}

export const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const characters = (random: Random, alphabet: string, count: number) =>
  Array.from({ length: count }, () => alphabet[random.int(0, alphabet.length - 1)]).join('');
const digits = '0123456789';
const letters = 'abcdefghijklmnopqrstuvwxyz';
const same = (value: string): Said => ({ value, said: value });

// Numbers

const smallNumbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const grouped = (text: string) => text.replace(/\B(?=(?:\d{3})+(?!\d))/g, ',');

export const integer =
  (low: number, high: number): Maker =>
  random => {
    const value = random.int(low, high);
    if (value >= 1 && value <= 12 && random.chance(0.2)) return { value, said: smallNumbers[value] ?? '' };
    return { value, said: value >= 1000 && random.chance(0.4) ? grouped(String(value)) : String(value) };
  };

export const year: Maker = random => {
  const value = random.int(1900, 2035);
  return { value, said: String(value) };
};

export const decimal =
  (low: number, high: number, places = 2): Maker =>
  random => {
    const whole = random.chance(0.4);
    const value = Number((low + random.next() * (high - low)).toFixed(whole ? 0 : random.int(1, places)));
    return { value, said: String(value) };
  };

export const money: Maker = random => {
  const value = random.chance(0.5)
    ? random.int(1, 200) * random.pick([5, 10, 50, 100])
    : Number((random.next() * 900 + 1).toFixed(2));
  const text = random.chance(0.5)
    ? grouped(String(Math.trunc(value))) + String(value).replace(/^\d+/, '')
    : String(value);
  return { value, said: random.pick([`$${text}`, `${text} dollars`, text, `${text} euros`]) };
};

export const percent: Maker = random => {
  const value = random.chance(0.5) ? random.int(1, 60) : Number((random.next() * 20).toFixed(1));
  return { value, said: random.pick([`${value}%`, `${value} %`, `${value} percent`]) };
};

// Words and names

export const thing: Maker = (random, words) =>
  same(random.chance(0.3) ? words.invented(random) : words.from(random.pick([things, substances])));

export const twoWords: Maker = (random, words) =>
  same(`${words.from(qualities)} ${random.chance(0.25) ? words.invented(random) : words.from(things)}`);

export const title: Maker = (random, words) => {
  const parts = Array.from({ length: random.int(1, 4) }, () =>
    random.chance(0.2) ? words.invented(random) : words.from(random.pick([things, qualities])),
  );
  return same(parts.map(capital).join(' '));
};

export const quoted =
  (make: Maker): Maker =>
  (random, words) => {
    const { value, said } = make(random, words);
    return { value, said: random.pick([`"${said}"`, `'${said}'`, `"${said}"`, said]) };
  };

/** What somebody writes to somebody: a sentence, with what JSON has to escape now and then. */
export const sentence: Maker = (random, words) => {
  const thingHere = words.from(things);
  const text = random.pick([
    `The ${thingHere} is ${words.from(qualities)}.`,
    `Please bring the ${words.from(qualities)} ${thingHere}!`,
    `See you at the ${thingHere} on ${random.pick(weekdays)}`,
    `${capital(thingHere)} & ${words.from(things)}: ${random.int(2, 90)} left`,
    `don't forget the ${thingHere}`,
    `${capital(words.invented(random))} said "${words.from(qualities)}"`,
    `I'll be ${random.int(5, 50)} minutes late`,
    `${words.from(things)} → ${words.from(things)}`,
    `Meeting moved to ${random.int(1, 12)}:${random.pick(['00', '15', '30'])}`,
    `${capital(words.from(qualities))} ${thingHere}, ${words.invented(random)} and ${words.from(things)}`,
    `Thanks for the ${thingHere} 🙂`,
    `C:\\${words.from(things)}\\${words.invented(random)}`,
  ]);
  const outer = text.includes('"') ? "'" : random.pick(['"', '"', "'"]);
  return { value: text, said: outer === "'" && text.includes("'") ? `"${text}"` : outer + text + outer };
};

export const firstName: Maker = (random, words) =>
  same(
    random.chance(0.25)
      ? capital(words.invented(random))
      : words.from(random.pick([peopleNames, foreignNames])),
  );

export const fullName: Maker = (random, words) => {
  const last = random.chance(0.3) ? capital(words.invented(random)) : words.from(surnames);
  return same(`${String(firstName(random, words).value)} ${last}`);
};

export const city: Maker = (random, words) =>
  same(random.chance(0.15) ? capital(words.invented(random)) : words.from(cities));
export const country: Maker = (_, words) => same(words.from(countries));
export const cityAndCountry: Maker = (random, words) =>
  random.chance(0.5) ? city(random, words) : same(`${words.from(cities)}, ${words.from(countries)}`);
export const street: Maker = (random, words) =>
  same(
    `${random.int(1, 250)} ${capital(words.from(things))} ${random.pick(['Street', 'Road', 'Lane', 'Avenue'])}`,
  );

// Dates and times

const weekdays = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const two = (value: number) => String(value).padStart(2, '0');

export const weekday: Maker = random => same(random.pick(weekdays));
export const month: Maker = random => same(random.pick(months));

export const date: Maker = random => {
  const [inYear, inMonth, day] = [random.int(1990, 2032), random.int(1, 12), random.int(1, 28)];
  const value = `${inYear}-${two(inMonth)}-${two(day)}`;
  const name = months[inMonth - 1] ?? '';
  return {
    value,
    said: random.pick([value, value, value, `${name} ${day}, ${inYear}`, `${day} ${name} ${inYear}`]),
  };
};

export const time: Maker = random => {
  const [hour, minute] = [random.int(0, 23), random.pick(['00', '00', '15', '30', '45', '20', '05'])];
  const value = `${two(hour)}:${minute}`;
  const inHalf = `${hour % 12 === 0 ? 12 : hour % 12}:${minute} ${hour < 12 ? 'am' : 'pm'}`;
  return { value, said: random.pick([value, value, value, inHalf]) };
};

// Strings that mean nothing, to be copied to the letter

export const email: Maker = (random, words) => {
  const name = random.chance(0.5) ? words.from(peopleNames).toLowerCase() : words.invented(random);
  const mark = random.pick(['', '', '.', '_', '-', '+']);
  const rest = mark === '' ? random.pick(['', String(random.int(1, 99))]) : mark + words.invented(random);
  const host = random.chance(0.5) ? words.invented(random) : words.from(things);
  return same(`${name}${rest}@${host}.${random.pick(['com', 'org', 'net', 'io', 'de', 'example', 'co.uk'])}`);
};

export const code: Maker = random => {
  const upper = letters.toUpperCase();
  return same(
    random.pick([
      () => `${characters(random, upper, random.int(1, 4))}-${characters(random, digits, random.int(2, 6))}`,
      () => characters(random, `${digits}abcdef`, random.int(6, 12)),
      () => characters(random, upper + digits, random.int(4, 9)),
      () => characters(random, digits, random.int(4, 10)),
      () =>
        `${characters(random, letters, random.int(2, 5))}_${characters(random, digits + letters, random.int(3, 6))}`,
      () => `#${characters(random, digits, random.int(3, 6))}`,
      () => `${characters(random, upper, 2)}/${random.int(1, 99)}/${random.int(2020, 2030)}`,
    ])(),
  );
};

export const path: Maker = (random, words) => {
  const part = () =>
    random.chance(0.4) ? words.invented(random) : words.from(random.pick([things, qualities]));
  const parts = Array.from({ length: random.int(1, 3) }, part);
  const file = random.chance(0.2) ? `${part()}_${random.int(1, 2030)}` : part();
  const end = random.pick(['txt', 'md', 'csv', 'json', 'pdf', 'log', 'png', 'py', 'tar.gz']);
  const start = random.pick(['/', '/home/', './', '~/', '', '']);
  return same(`${start}${parts.join('/')}/${file}.${end}`);
};

export const url: Maker = (random, words) =>
  same(
    `https://${random.pick(['', 'www.', 'api.'])}${words.invented(random)}.${random.pick(['com', 'org', 'dev', 'io'])}${random.pick(['', `/${words.from(things)}`, `/${words.from(things)}?id=${random.int(1, 999)}`])}`,
  );

export const phone: Maker = random =>
  same(`+${random.int(1, 99)} ${random.int(100, 999)} ${characters(random, digits, random.int(5, 7))}`);
export const version: Maker = random =>
  same(`${random.int(0, 12)}.${random.int(0, 20)}.${random.int(0, 30)}`);
export const ticker: Maker = random => same(characters(random, letters.toUpperCase(), random.int(3, 4)));
export const handle: Maker = (random, words) => {
  const name = words.invented(random);
  return same(
    random.pick([name, `${name}${random.int(1, 99)}`, `${name}_${words.from(things)}`, `@${name}`]),
  );
};
export const slug: Maker = (random, words) =>
  same(`${words.from(qualities)}-${random.chance(0.4) ? words.invented(random) : words.from(things)}`);

// Several at once

const listed = (items: readonly string[], last: string) =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')}${last}${items.at(-1)}`;

export const several =
  (make: Maker, low = 2, high = 4): Maker =>
  (random, words) => {
    const made = Array.from({ length: random.int(low, high) }, () => make(random, words));
    const said = made.map(one => one.said);
    const value = made.map(one => one.value);
    const numbers = value.every(one => typeof one === 'number');
    return {
      value,
      said:
        numbers && random.chance(0.4)
          ? `[${value.join(', ')}]`
          : listed(said, random.pick([' and ', ', ', ' and '])),
    };
  };

export const coordinates: Maker = random => {
  const [latitude, longitude] = [random.next() * 160 - 80, random.next() * 340 - 170].map(one =>
    Number(one.toFixed(2)),
  );
  return { value: { latitude: latitude ?? 0, longitude: longitude ?? 0 }, said: `${latitude}, ${longitude}` };
};

export const range: Maker = random => {
  const min = random.int(1, 50);
  const max = min + random.int(1, 200);
  return {
    value: { min, max },
    said: random.pick([`${min} to ${max}`, `${min}-${max}`, `${min} and ${max}`]),
  };
};
