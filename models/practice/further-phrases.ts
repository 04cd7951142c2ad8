/** The fixed text of questions that need several calls; phrases.ts has that of the others. */

/** A sum without the question around it. */
export const sums = {
  add: ['{a} plus {b}', '{a} + {b}'],
  subtract: ['{a} minus {b}', '{a} - {b}'],
  multiply: ['{a} times {b}', '{a} * {b}', '{a} x {b}'],
  divide: ['{a} divided by {b}', '{a} / {b}'],
} as const;

export const askSums = [
  'What is {sums}?',
  'What is {sums}?',
  "What's {sums}?",
  'What are {sums}?',
  'How much is {sums}?',
  'Calculate {sums}.',
  'Compute {sums}.',
  'Tell me {sums}.',
  'Give me {sums}.',
  'Work out {sums}.',
  'what is {sums}',
  '{sums}',
  '{sums}?',
];
export const betweenSums = [', and ', ' and ', ' and what is ', ', and what is ', ' and also ', '? And '];

/** What is done with the result of a sum. */
export const thenDo = {
  add: ['add {b}', 'add {b} to it', 'add {b} to the result', 'add {b} to that', 'plus {b}', 'add {b} more'],
  subtract: [
    'subtract {b}',
    'take away {b}',
    'subtract {b} from it',
    'subtract {b} from the result',
    'subtract {b} from that',
    'minus {b}',
  ],
  multiply: [
    'multiply by {b}',
    'multiply it by {b}',
    'multiply the result by {b}',
    'multiply that by {b}',
    'times {b}',
  ],
  divide: [
    'divide by {b}',
    'divide it by {b}',
    'divide the result by {b}',
    'divide that by {b}',
    'divided by {b}',
  ],
} as const;
export const thenEcho = ['echo the result', 'echo it', 'repeat the result', 'echo what you get'];
export const next = [', then ', ' and then ', ', and then ', ', then ', '. Then ', '; then '];

export const readFirst = [
  'read the first one',
  'open the first one',
  'show me the first one',
  'read the first',
  'tell me what the first one says',
  'read me the first note',
];
export const readLast = [
  'read the last one',
  'open the last one',
  'show me the last one',
  'read the last note',
];

/** Behind a search. */
export const readFound = [
  'read it',
  'read the note',
  'open it',
  'show me the note',
  'read what you find',
  'read the first one',
  'open the first one',
  'tell me what it says',
];
export const showFound = [
  'show me the first one',
  'read the first one',
  'open the first one',
  'get the first one',
  'look up the first one',
  'tell me about the first one',
];
export const flagFound = [
  'flag the first one: {reason}',
  'flag the first one for "{reason}"',
  'mark the first one as broken: {reason}',
  'flag the first one with the reason "{reason}"',
];

/** Two questions of their own, in one message. */
export const also = ['Also: ', 'And: ', '', '', 'One more thing: '];

export const didYouMean = [
  'There is no {thing} "{wrong}". Did you mean "{right}"?',
  'No {thing} {wrong}. Did you mean {right}?',
  'Unknown {thing} {wrong}. Did you mean "{right}"?',
  'not found: {wrong}. Did you mean {right}?',
  'There is no "{wrong}". Did you mean "{right}"?',
];
