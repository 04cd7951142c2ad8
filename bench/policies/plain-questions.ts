/** Questions in plain English over ten tools of a household assistant, for models that learnt the language at large. */

import { type Random, seededRandom } from '../../models/practice/random.ts';
import { peopleNames } from '../../models/practice/words.ts';
import type { JsonObject, ToolDefinition } from '../../parsers/parser.ts';
import type { Question, Step } from './question.ts';

type Made = Omit<Question, 'id' | 'tools' | 'kind'>;

const text = (description?: string) => ({ type: 'string', ...(description ? { description } : {}) });

function tool(name: string, description: string, properties: Record<string, JsonObject>): ToolDefinition {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required: Object.keys(properties) },
  };
}

export const plainTools: readonly ToolDefinition[] = [
  tool('get_weather', 'The weather in a city now.', { city: text() }),
  tool('get_local_time', 'The local time in a city.', { city: text() }),
  tool('convert_currency', 'Convert an amount of money.', {
    amount: { type: 'number' },
    from: text('Currency code, such as USD.'),
    to: text('Currency code, such as EUR.'),
  }),
  tool('find_contact', 'Look up the phone number and email address of a person.', { name: text() }),
  tool('send_message', 'Send a message by email.', { to: text('Email address.'), text: text() }),
  tool('list_orders', 'The order numbers of a customer, latest first.', {
    customer: text('Customer number, such as C-100.'),
  }),
  tool('get_order', 'The state of one order.', { order: text('Order number, such as O-1000.') }),
  tool('list_files', 'The files in a folder.', { folder: text() }),
  tool('read_file', 'The content of a file.', { path: text() }),
  tool('set_reminder', 'Set a reminder for today.', { time: text('Such as 16:45.'), text: text() }),
];

const cities =
  'Paris Oslo Lima Cairo Tokyo Madrid Berlin Rome Vienna Dublin Athens Lisbon Prague Sydney'.split(' ');
const skies = ['light rain', 'sunny', 'cloudy', 'snow', 'fog', 'thunderstorms'];
const currencies = ['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'SEK'];
const states = ['shipped', 'delivered', 'cancelled', 'returned', 'packed'];
const folders = ['reports', 'recipes', 'letters', 'invoices', 'plans'];
const files = ['april', 'garden', 'summary', 'lentils', 'travel', 'budget', 'kitchen', 'notes'];
const errands = ['call the dentist', 'water the plants', 'buy milk', 'feed the cat', 'pay the rent'];
const contents = [
  'The meeting is moved to Thursday.',
  'Boil the lentils for twenty minutes.',
  'The rent is 840 euros a month.',
  'Plant the tulips before the first frost.',
  'The train leaves from platform 7.',
];
const news = ['I am late', 'the report is done', 'lunch is at noon', 'the car is repaired'];

export function plainQuestions(count: number, seed: number): Question[] {
  const random = seededRandom(seed);
  const kinds = Object.keys(makers) as (keyof typeof makers)[];
  const talk = random.sample(needNoTool, needNoTool.length);
  const single = kinds.filter(kind => !kind.startsWith('two'));
  return Array.from({ length: count }, (_, index) => {
    // In every twenty questions: three that need no tool, two with two calls at once, three of two rounds.
    const place = index % 20;
    const id = `plain-${index}`;
    if (place % 7 === 3) {
      const [kind, words] = talk[Math.floor((index * 3) / 20) % talk.length]!;
      return { id, kind, text: words, tools: plainTools, rounds: [], facts: [] };
    }
    const kind =
      place % 10 === 5
        ? 'two calls'
        : place % 7 === 1
          ? random.pick(['two rounds, order', 'two rounds, file', 'two rounds, message'] as const)
          : random.pick(single);
    return { id, kind, tools: plainTools, ...makers[kind](random) };
  });
}

const step = (name: string, args: JsonObject, result: unknown): Step => ({
  name,
  arguments: args,
  result: typeof result === 'string' ? result : JSON.stringify(result),
});

function weather(random: Random, city: string) {
  const temperature = random.int(2, 34);
  const sky = random.pick(skies);
  const record = { city, temperature_celsius: temperature, sky };
  return { step: step('get_weather', { city }, record), facts: [String(temperature)] };
}

function person(random: Random) {
  const name = random.pick(peopleNames);
  const number = random.int(1000, 9999);
  const email = `${name.toLowerCase()}${random.int(10, 99)}@example.com`;
  return { name, phone: `555-${number}`, email };
}

const time = (random: Random) => `${random.int(10, 12)}:${random.int(10, 59)}`;

/** What is asked so often comes in two wordings, so that no policy is judged by one. */
const makers = {
  weather(random: Random): Made {
    const city = random.pick(cities);
    const { step: call, facts } = weather(random, city);
    const words = random.pick([
      `What is the weather like in ${city}?`,
      `How warm is it in ${city} right now?`,
    ]);
    return { text: words, rounds: [[call]], facts };
  },
  time(random: Random): Made {
    const city = random.pick(cities);
    const now = time(random);
    const words = random.pick([`What time is it in ${city}?`, `Tell me the local time in ${city}.`]);
    return { text: words, rounds: [[step('get_local_time', { city }, `${now}, Tuesday`)]], facts: [now] };
  },
  currency(random: Random): Made {
    const [from = '', to = ''] = random.sample(currencies, 2);
    const amount = random.int(10, 900);
    const result = `${random.int(11, 999)}.${random.int(11, 99)}`;
    const words = random.pick([
      `Convert ${amount} ${from} to ${to}.`,
      `How much is ${amount} ${from} in ${to}?`,
    ]);
    return {
      text: words,
      rounds: [[step('convert_currency', { amount, from, to }, { amount: Number(result), currency: to })]],
      facts: [result.replace(/0$/, '')],
    };
  },
  contact(random: Random): Made {
    const { name, phone, email } = person(random);
    const [asked, fact] = random.pick([['phone number', phone] as const, ['email address', email] as const]);
    const words = random.pick([`What is the ${asked} of ${name}?`, `I need ${name}'s ${asked}.`]);
    return { text: words, rounds: [[step('find_contact', { name }, { name, phone, email })]], facts: [fact] };
  },
  order(random: Random): Made {
    const order = `O-${random.int(1000, 9999)}`;
    const state = random.pick(states);
    const words = random.pick([`What is the state of order ${order}?`, `What happened to order ${order}?`]);
    return { text: words, rounds: [[step('get_order', { order }, { order, state })]], facts: [state] };
  },
  file(random: Random): Made {
    const path = `${random.pick(folders)}/${random.pick(files)}.txt`;
    const content = random.pick(contents);
    const words = random.pick([`What does the file ${path} say?`, `Read ${path} to me.`]);
    return { text: words, rounds: [[step('read_file', { path }, content)]], facts: keyWords(content) };
  },
  reminder(random: Random): Made {
    const at = time(random);
    const errand = random.pick(errands);
    const words = random.pick([`Remind me at ${at} to ${errand}.`, `Set a reminder for ${at}: ${errand}`]);
    const result = `Reminder set for ${at}: ${errand}`;
    return { text: words, rounds: [[step('set_reminder', { time: at, text: errand }, result)]], facts: [at] };
  },
  'two calls'(random: Random): Made {
    const both = random.sample(cities, 2).map(city => ({ city, ...weather(random, city) }));
    const [first, second] = both.map(({ city }) => city);
    return {
      text: random.pick([
        `What is the weather in ${first} and in ${second}?`,
        `Compare the weather in ${first} with that in ${second}.`,
      ]),
      rounds: [both.map(one => one.step)],
      facts: both.flatMap(one => one.facts),
    };
  },
  'two rounds, order'(random: Random): Made {
    const customer = `C-${random.int(100, 999)}`;
    const orders = [random.int(5000, 9999), random.int(1000, 4999)].map(number => `O-${number}`);
    const state = random.pick(states);
    return {
      text: random.pick([
        `What is the state of the latest order of customer ${customer}?`,
        `Look up the orders of customer ${customer} and tell me the state of the latest one.`,
      ]),
      rounds: [
        [step('list_orders', { customer }, { customer, orders })],
        [step('get_order', { order: orders[0]! }, { order: orders[0]!, state })],
      ],
      facts: [state],
    };
  },
  'two rounds, file'(random: Random): Made {
    const folder = random.pick(folders);
    const path = `${folder}/${random.pick(files)}.txt`;
    const content = random.pick(contents);
    return {
      text: random.pick([
        `There is one file in the folder ${folder}. What does it say?`,
        `List the folder ${folder} and read me the file in it.`,
      ]),
      rounds: [[step('list_files', { folder }, path)], [step('read_file', { path }, content)]],
      facts: keyWords(content),
    };
  },
  'two rounds, message'(random: Random): Made {
    const { name, phone, email } = person(random);
    const words = random.pick(news);
    return {
      text: `Find ${name}'s email address and send this message there: ${words}`,
      rounds: [
        [step('find_contact', { name }, { name, phone, email })],
        [step('send_message', { to: email, text: words }, `Sent to ${email}.`)],
      ],
      facts: [],
    };
  },
} satisfies Record<string, (random: Random) => Made>;

/** Without these a sentence isn't passed on, however it is put. */
function keyWords(sentence: string): string[] {
  return sentence.match(/\b(?:\d+|Thursday|lentils|twenty|tulips|frost)\b/g) ?? [];
}

const needNoTool: readonly (readonly [kind: string, text: string])[] = [
  ['small talk', 'Hello!'],
  ['small talk', 'Good morning, how are you?'],
  ['small talk', 'Thank you very much.'],
  ['small talk', 'I am a bit tired today.'],
  ['small talk', 'Who are you?'],
  ['small talk', 'See you tomorrow!'],
  ['small talk', 'That is great news.'],
  ['no tool needed', 'Tell me a joke.'],
  ['no tool needed', 'What is the capital of France?'],
  ['no tool needed', 'How do you say "thank you" in Spanish?'],
  ['no tool needed', 'Who wrote Hamlet?'],
  ['no tool needed', 'Name three colors.'],
  ['no tool needed', 'What is the opposite of hot?'],
  ['no tool needed', 'How many days does a week have?'],
  ['no such tool', 'Turn on the light in the kitchen.'],
  ['no such tool', 'Book a table for two at an Italian restaurant.'],
  ['no such tool', 'Play some jazz music.'],
];
