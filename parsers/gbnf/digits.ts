/** Numbers between two bounds, digit by digit. */
import { range } from './char-set.ts';
import {
  choice,
  type Expression,
  empty,
  letters,
  never,
  oneOf,
  optional,
  repeat,
  sequence,
} from './expression.ts';
import { type Bound, type Bounds, bounds } from './facets.ts';
import { type Nodes, type Report, reportAll } from './schema.ts';

/** No whole number has more digits than this: 64 bits need 20, and a model that has begun to count does not stop. */
const maxDigits = 20;
const maxDecimals = 15;

const digit = oneOf(range('09'));
const digits = (min: number, max = min) => repeat(digit, min, max);
const zeros = (min: number, max: number) => repeat(letters('0'), min, max);
const positive = oneOf(range('19'));
const largest = 10n ** BigInt(maxDigits) - 1n;

/** The numbers that schemas allow. A bound that can't be said is reported, and the other one kept. */
export function numberOf(all: Nodes, fractions: boolean, report: Report): Expression {
  const { min, max } = bounds(all, report);
  if (!fractions) return integers({ min, max });
  const both = numbers({ min, max });
  if (both) return both;
  const [above, below] = [numbers({ min, max: undefined }), numbers({ min: undefined, max })];
  if (!above) reportAll(all, ['minimum', 'exclusiveMinimum'], report);
  if (!below) reportAll(all, ['maximum', 'exclusiveMaximum'], report);
  return above ?? below ?? free;
}

/** Whole numbers, as they are written: no leading zeros, no `-0`. */
function integers({ min, max }: Bounds): Expression {
  const low = min === undefined ? -largest : wholeBound(min, 1);
  const high = max === undefined ? largest : wholeBound(max, -1);
  return choice(
    low <= -1n ? sequence(letters('-'), naturals(high < -1n ? -high : 1n, -low)) : never,
    high >= 0n ? naturals(low > 0n ? low : 0n, high) : never,
  );
}

/** The outermost whole number that a bound allows, and that a double tells from the bound. */
function wholeBound({ value, exclusive }: Bound, sign: 1 | -1): bigint {
  const rounded = BigInt(sign > 0 ? Math.ceil(value) : Math.floor(value));
  if (!exclusive || Number(rounded) !== value) return rounded;
  let step = 1n;
  while (Number(rounded + step * BigInt(sign)) === value) step *= 2n;
  return rounded + step * BigInt(sign);
}

function naturals(low: bigint, high: bigint): Expression {
  if (low > high) return never;
  const [first, last] = [String(low), String(high)];
  if (first.length === last.length) return sameLength(first, last);
  const full = (from: number, to: number) =>
    from > to ? never : sequence(positive, digits(from - 1, to - 1));
  const low0 = /^[01]0*$/.test(first);
  const high0 = /^9+$/.test(last);
  // Zero is a length of its own: nothing follows it.
  if (low === 0n) return choice(letters('0'), naturals(1n, high));
  return choice(
    low0 ? never : sameLength(first, '9'.repeat(first.length)),
    full(low0 ? first.length : first.length + 1, high0 ? last.length : last.length - 1),
    high0 ? never : sameLength(`1${'0'.repeat(last.length - 1)}`, last),
  );
}

/** Numbers of one length between two of them. */
function sameLength(low: string, high: string): Expression {
  if (low === high) return letters(low);
  const [a = '', b = ''] = [low[0], high[0]];
  const rest = low.length - 1;
  if (rest === 0) return oneOf(range(a + b));
  if (a === b) return sequence(letters(a), sameLength(low.slice(1), high.slice(1)));
  const lowOpen = /^0*$/.test(low.slice(1));
  const highOpen = /^9*$/.test(high.slice(1));
  const from = lowOpen ? Number(a) : Number(a) + 1;
  const to = highOpen ? Number(b) : Number(b) - 1;
  return choice(
    lowOpen ? never : sequence(letters(a), sameLength(low.slice(1), '9'.repeat(rest))),
    from > to ? never : sequence(oneOf(range(`${from}${to}`)), digits(rest)),
    highOpen ? never : sequence(letters(b), sameLength('0'.repeat(rest), high.slice(1))),
  );
}

const exponent = sequence(
  oneOf([
    [69, 69],
    [101, 101],
  ]),
  choice(
    sequence(letters('-'), digits(1, 3)),
    sequence(
      optional(letters('+')),
      // As far as a double goes, and no further.
      choice(
        digits(1, 2),
        sequence(oneOf(range('12')), digits(2)),
        sequence(letters('30'), oneOf(range('07'))),
      ),
    ),
  ),
);
const decimals = sequence(letters('.'), digits(1, 20));
const free = sequence(
  optional(letters('-')),
  choice(
    sequence(choice(letters('0'), sequence(positive, digits(0, maxDigits - 1))), optional(decimals)),
    sequence(positive, optional(decimals), exponent),
  ),
);

/** Numbers; where there are bounds, without exponents. Undefined: the bounds are no decimals that could be written so. */
function numbers({ min, max }: Bounds): Expression | undefined {
  if (!min && !max) return free;
  const [low, high] = [min && decimalBound(min), max && decimalBound(max)];
  if ((min && !low) || (max && !high)) return undefined;
  // Below zero the bounds change places. `-0` is in where zero is.
  const nearest = high && (high.negative || isZero(high)) ? high : undefined;
  return choice(
    low && !low.negative ? never : sequence(letters('-'), magnitudes(nearest, low)),
    high?.negative ? never : magnitudes(low?.negative ? undefined : low, high),
  );
}

interface Decimal {
  readonly negative: boolean;
  readonly whole: bigint;
  /** Without zeros at the end. */
  readonly decimals: string;
  readonly exclusive: boolean;
}

function decimalBound({ value, exclusive }: Bound): Decimal | undefined {
  const parts = /^(-?)(\d{1,20})(?:\.(\d{1,15}))?$/.exec(String(Object.is(value, -0) ? 0 : value));
  if (!parts) return undefined;
  const [, minus, whole = '0', fraction = ''] = parts;
  return { negative: minus === '-', whole: BigInt(whole), decimals: fraction, exclusive };
}

function isZero({ whole, decimals }: Decimal): boolean {
  return whole === 0n && decimals === '';
}

/** Numbers without a sign from one to the other. */
function magnitudes(low: Decimal | undefined, high: Decimal | undefined): Expression {
  const bottom = low ?? { whole: 0n, decimals: '', exclusive: false, negative: false };
  if (!high) {
    return choice(
      sequence(letters(String(bottom.whole)), fraction(bottom, undefined)),
      sequence(naturals(bottom.whole + 1n, largest), optional(places(bottom))),
    );
  }
  if (bottom.whole > high.whole) return never;
  if (bottom.whole === high.whole) return sequence(letters(String(high.whole)), fraction(bottom, high));
  return choice(
    sequence(letters(String(bottom.whole)), fraction(bottom, undefined)),
    sequence(naturals(bottom.whole + 1n, high.whole - 1n), optional(places(high))),
    sequence(letters(String(high.whole)), fraction(undefined, high)),
  );
}

/** As many decimals as a double can tell apart at this size. */
function places({ whole }: Decimal): Expression {
  return sequence(letters('.'), digits(1, room(whole)));
}

function room(whole: bigint): number {
  return Math.max(1, maxDecimals - String(whole).length);
}

/** What may follow the whole part where it is that of a bound. */
function fraction(low: Decimal | undefined, high: Decimal | undefined): Expression {
  const size = Math.max(
    room((high ?? low)?.whole ?? 0n),
    low?.decimals.length ?? 0,
    high?.decimals.length ?? 0,
  );
  const inner = between(low, high, 0, size);
  const bare =
    (!low || (low.decimals === '' && !low.exclusive)) && (high?.decimals !== '' || !high.exclusive);
  return choice(sequence(letters('.'), inner.some), bare ? empty : never);
}

/**
 * The decimals from position `at` on, where all before were those of the bounds that are still given: `some` are one or more,
 * `all` may be none too.
 */
function between(
  low: Decimal | undefined,
  high: Decimal | undefined,
  at: number,
  size: number,
): { some: Expression; all: Expression } {
  const ended = {
    low: !low || (at >= low.decimals.length && !low.exclusive),
    high: !high || at < high.decimals.length || !high.exclusive,
  };
  const end = ended.low && ended.high ? empty : never;
  if (at >= size) return { some: never, all: end };
  // Behind all its digits a bound leaves everything, nothing but zeros, or nothing.
  if (!high && (!low || (end === empty && at >= low.decimals.length)))
    return { some: digits(1, size - at), all: digits(0, size - at) };
  if (high && !low && at >= high.decimals.length)
    return high.exclusive
      ? { some: never, all: never }
      : { some: zeros(1, size - at), all: zeros(0, size - at) };
  const bottom = low ? Number(low.decimals[at] ?? 0) : 0;
  const top = high ? Number(high.decimals[at] ?? 0) : 9;
  const next = (digit: number) =>
    sequence(
      letters(String(digit)),
      between(
        low && digit === bottom ? low : undefined,
        high && digit === top ? high : undefined,
        at + 1,
        size,
      ).all,
    );
  const edges = new Set([...(low ? [bottom] : []), ...(high ? [top] : [])]);
  const from = low ? bottom + 1 : 0;
  const to = high ? top - 1 : 9;
  const some = choice(
    ...(bottom > top ? [] : [...edges].filter(one => one >= bottom && one <= top).map(next)),
    from > to ? never : sequence(oneOf(range(`${from}${to}`)), digits(0, size - at - 1)),
  );
  return { some, all: choice(some, end) };
}
