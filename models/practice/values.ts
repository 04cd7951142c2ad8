/**
 * Numbers, words and names for questions. Every value belongs by its hash either to training or to evaluation, so that what
 * the model is asked in an evaluation is a value that it has never seen.
 */
import { hash, type Random } from './random.ts';
import { categories, folders, peopleNames, qualities, substances, things } from './words.ts';

export type Share = 'training' | 'evaluation';

const heldOut = (value: string) => hash(value) % 8 === 0;

export function valuesOf(random: Random, share: Share) {
  const wanted = (value: string) => heldOut(value) === (share === 'evaluation');
  const pools = new Map<readonly string[], readonly string[]>();

  function from(words: readonly string[]): string {
    let pool = pools.get(words);
    if (pool === undefined) {
      pool = words.filter(wanted);
      pools.set(words, pool);
    }
    return random.pick(pool.length === 0 ? words : pool);
  }
  function retry(make: () => string): string {
    for (;;) {
      const value = make();
      if (wanted(value)) return value;
    }
  }

  const digits = (count: number) => random.int(count === 1 ? 0 : 10 ** (count - 1), 10 ** count - 1);
  /** As JSON and JavaScript write it. Single digits are everybody's. */
  function number(): string {
    if (random.chance(0.15)) return String(digits(1));
    return retry(() => {
      const whole = digits(random.pick([2, 2, 2, 2, 3, 3, 4]));
      const shape = random.next();
      if (shape < 0.02) return String(-whole);
      if (shape < 0.05) return `${whole}.${random.int(1, 9)}`;
      return String(whole);
    });
  }

  /** A word that no dictionary has; from pronounceable to any letters at all. */
  function invented(): string {
    return retry(() => {
      const length = random.int(1, 2);
      if (random.chance(0.1)) return letters(random.int(2, 5));
      let word = '';
      for (let part = 0; part < length; part++)
        word += random.pick(onsets) + random.pick(vowels) + (random.chance(0.35) ? random.pick(codas) : '');
      return word.length < 3 ? word + letters(2) : word;
    });
  }
  function letters(count: number): string {
    let word = '';
    while (word.length < count) word += String.fromCharCode(97 + random.int(0, 25));
    return word;
  }

  const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);
  function word(): string {
    const kind = random.next();
    if (kind < 0.45) return from(things);
    if (kind < 0.6) return from(qualities);
    if (kind < 0.7) return from(substances);
    return invented();
  }
  const name = () => (random.chance(0.6) ? from(peopleNames) : capital(invented()));

  function words(low: number, high: number): string {
    const parts = Array.from({ length: random.int(low, high) }, word);
    return parts.join(' ');
  }
  /** What somebody wants echoed: words, sometimes with a number, a capital or an end mark. */
  function text(): string {
    let value = words(1, 2);
    if (random.chance(0.05)) value += ` ${number()}`;
    if (random.chance(0.15)) value = capital(value);
    if (random.chance(0.05)) value += random.pick(['!', '!', '.', '?']);
    return value;
  }
  const idsOf = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => `M-${first + index}`).filter(wanted);
  // Ids beside each other, as a list of them mostly has, are far harder to tell apart than any others.
  const shelf = random.chance(0.5) ? idsOf(10 * random.int(100, 999), 10) : [];
  const materialId = () =>
    shelf.length < 3 ? retry(() => `M-${random.int(1000, 9999)}`) : random.pick(shelf);
  /** Each once, mostly in order; of a short shelf, no more than it has. */
  function materialIds(count: number): string[] {
    const ids = new Set(Array.from({ length: count }, materialId));
    return random.chance(0.7) ? [...ids].sort() : [...ids];
  }
  const material = () => {
    const base = random.chance(0.6) ? from(substances) : invented();
    return random.chance(0.3) ? capital(`${from(qualities)} ${base}`) : capital(base);
  };
  const category = () => (random.chance(0.6) ? from(categories) : `${invented()}s`);
  function uri(): string {
    const part = () => (random.chance(0.1) ? `${word()}-${word()}` : word());
    const folder = random.chance(0.5) ? from(folders) : word();
    return random.chance(0.7) ? `${folder}/${part()}.md` : `${part()}.md`;
  }
  return { number, word, words, text, name, materialId, materialIds, material, category, uri, capital };
}

export type Values = ReturnType<typeof valuesOf>;

const onsets = 'b c d f g h j k l m n p r s t v w z br cl dr fl gr kr pl sk st tr th sh qu'.split(' ');
const vowels = 'a e i o u a e i o u ai ea ou oo y'.split(' ');
const codas = 'n r l s t m k p nd rt lk sh x ck'.split(' ');
