/** Kinds of parameters: what they may be called, how a schema describes them, how a question brings their value in. It is long because it is data. */
import type { Random } from '../../practice/random.ts';
import * as of from './values.ts';
import { animals, currencies, foods, genres, languages, sports } from './words.ts';

type Json = Readonly<Record<string, unknown>>;

export interface ParameterKind {
  /** Names of the parameter, any of which may be used. */
  readonly keys: readonly string[];
  readonly schema: Json;
  readonly about: readonly string[];
  /** `{}` stands for the value, `{key}` for the parameter's name in words. */
  readonly phrases: readonly string[];
  readonly make: of.Maker;
}

const split = (text: string) => text.split(/\s*;\s*/);
const string = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };
const list = (items: Json) => ({ type: 'array', items });

function kind(keys: string, schema: Json, about: string, phrases: string, make: of.Maker): ParameterKind {
  return { keys: keys.split(' '), schema, about: split(about), phrases: split(phrases), make };
}

/** One of a few words that the schema lists. */
function choice(keys: string, values: string, about: string, phrases: string): ParameterKind {
  const all = values.split(' ');
  return {
    ...kind(keys, { ...string, enum: all }, about, phrases, random => {
      const value = random.pick(all);
      return { value, said: value.replaceAll('_', ' ') };
    }),
  };
}

/** Said or not: its phrases are those for true, and for false behind a bar. */
function flag(keys: string, about: string, whenTrue: string, whenFalse: string): ParameterKind {
  return kind(keys, { type: 'boolean' }, about, '{}', random =>
    random.chance(0.65)
      ? { value: true, said: random.pick(split(whenTrue)) }
      : { value: false, said: random.pick(split(whenFalse)) },
  );
}

const word =
  (all: readonly string[]): of.Maker =>
  (_, words) => {
    const value = words.from(all);
    return { value, said: value };
  };

const measure = (keys: string, what: string, unit: string, high: number, whole = false) =>
  kind(
    keys,
    whole ? integer : number,
    `The ${what} in ${unit}.;${capital(what)} (${unit}).;The ${what}.`,
    `with a ${what} of {} ${unit};at a ${what} of {} ${unit};with ${what} {};having a ${what} of {} ${unit}`,
    whole ? of.integer(1, high) : of.decimal(0.5, high),
  );
const capital = of.capital;

export const kinds = {
  radius: measure('radius r', 'radius', 'cm', 90),
  width: measure('width', 'width', 'meters', 400, true),
  height: measure('height', 'height', 'meters', 300, true),
  length: measure('length side_length', 'length', 'meters', 900, true),
  mass: measure('mass weight mass_kg', 'mass', 'kg', 500),
  speed: measure('speed velocity speed_kmh', 'speed', 'km/h', 300, true),
  temperature: measure('temperature temp temperature_celsius', 'temperature', 'degrees', 95, true),
  pressure: measure('pressure', 'pressure', 'kPa', 400),
  duration: kind(
    'duration duration_minutes minutes',
    integer,
    'How many minutes.;The duration in minutes.',
    'for {} minutes;lasting {} minutes;over {} minutes',
    of.integer(1, 240),
  ),
  hours: kind(
    'hours duration_hours',
    integer,
    'The number of hours.;How long, in hours.',
    'for {} hours;within {} hours',
    of.integer(1, 72),
  ),
  days: kind(
    'days num_days number_of_days',
    integer,
    'The number of days.;For how many days.',
    'for {} days;over the next {} days;for the next {} days',
    of.integer(1, 30),
  ),
  years: kind(
    'years term_years period',
    integer,
    'The number of years.;The period in years.',
    'over {} years;for {} years;after {} years',
    of.integer(1, 40),
  ),
  distance: kind(
    'distance distance_km',
    number,
    'The distance in kilometers.;The distance.',
    'over a distance of {} km;for {} km;over {} kilometers',
    of.decimal(1, 900, 1),
  ),
  number: kind(
    'number n value x num',
    integer,
    'The number.;The value to use.;An integer.',
    'of {};for {};of the number {};for the number {}',
    of.integer(2, 9000),
  ),
  float: kind(
    'value amount x quantity',
    number,
    'The value.;The number.',
    'of {};for {};for the value {}',
    of.decimal(0, 900),
  ),
  numbers: kind(
    'numbers values data data_points',
    list(number),
    'The list of numbers.;The values.',
    'of {};for {};of the numbers {};for the values {}',
    of.several(of.decimal(0, 200, 1), 3, 6),
  ),
  integers: kind(
    'numbers array items list',
    list(integer),
    'The integers.;The list of numbers.',
    'of {};for {};for the list {}',
    of.several(of.integer(0, 99), 3, 6),
  ),
  exponent: kind(
    'exponent power degree',
    integer,
    'The exponent.;The degree.',
    'to the power of {};with exponent {};of degree {}',
    of.integer(2, 12),
  ),
  start: kind(
    'start begin from_value',
    integer,
    'Where it starts.;The first number.',
    'starting at {};beginning with {}',
    of.integer(0, 100),
  ),
  end: kind(
    'end stop to_value',
    integer,
    'Where it ends.;The last number.',
    'up to {};ending at {}',
    of.integer(101, 999),
  ),
  range: kind(
    'range interval bounds',
    { type: 'object', properties: { min: integer, max: integer }, required: ['min', 'max'] },
    'The range.;Lower and upper bound.',
    'in the range {};between {}',
    of.range,
  ),
  precision: kind(
    'precision decimals decimal_places',
    integer,
    'How many decimal places. Default is 2.;Decimal places to round to.',
    'to {} decimal places;rounded to {} decimals;with a precision of {}',
    of.integer(0, 8),
  ),
  limit: kind(
    'limit max_results count top_n',
    integer,
    'How many results at most. Default 10.;The maximum number of results.',
    'at most {} of them;no more than {} results;showing only {} results',
    of.integer(1, 50),
  ),
  count: kind(
    'count quantity amount number_of_items',
    integer,
    'How many.;The quantity.',
    'with a quantity of {};{} of them;quantity {}',
    of.integer(1, 60),
  ),
  people: kind(
    'people guests party_size number_of_people',
    integer,
    'For how many people.;The number of guests.',
    'for {} people;for {} guests;for a party of {}',
    of.integer(1, 20),
  ),
  age: kind(
    'age',
    integer,
    'Age in years.;The age.',
    'aged {};who is {} years old;at age {}',
    of.integer(1, 99),
  ),
  year: kind(
    'year',
    integer,
    'The year.;Which year.',
    'in {};for the year {};for {};in the year {}',
    of.year,
  ),
  amount: kind(
    'amount sum principal',
    number,
    'The amount of money.;The amount.',
    'of {};for {};for an amount of {}',
    of.money,
  ),
  price: kind(
    'price max_price budget cost',
    number,
    'The price.;The highest price.',
    'for under {};with a price of {};with a budget of {};costing {}',
    of.money,
  ),
  rate: kind(
    'rate interest_rate annual_rate',
    number,
    'The rate in percent.;The yearly rate in percent.',
    'at {};at a rate of {};with a rate of {}',
    of.percent,
  ),
  discount: kind(
    'discount percentage percent',
    number,
    'The discount in percent.;In percent.',
    'with {} off;with a discount of {}',
    of.percent,
  ),
  currency: kind(
    'currency currency_code',
    string,
    'The currency, such as EUR.;ISO code of the currency.',
    'in {};using {}',
    word(currencies),
  ),
  city: kind(
    'city location place town',
    string,
    'The city.;The city, e.g. Oslo.;The location.;Name of the city',
    'in {};for {};in the city of {};near {};around {}',
    of.city,
  ),
  location: kind(
    'location place address area',
    string,
    'City and country, e.g. "Lima, Peru".;The location.;Where.',
    'in {};for {};near {}',
    of.cityAndCountry,
  ),
  origin: kind(
    'origin from departure_city start_location',
    string,
    'The city of departure.;Where it starts.',
    'from {};starting in {};leaving from {}',
    of.city,
  ),
  destination: kind(
    'destination to arrival_city end_location',
    string,
    'The city of arrival.;Where to.',
    'to {};going to {};with destination {}',
    of.city,
  ),
  country: kind(
    'country country_name nation',
    string,
    'The country.;Name of the country',
    'in {};of {};for {}',
    of.country,
  ),
  address: kind(
    'address street_address delivery_address',
    string,
    'The street address.;Where to deliver.',
    'at {};to {};to the address {}',
    of.street,
  ),
  coordinates: kind(
    'coordinates position point',
    {
      type: 'object',
      properties: { latitude: number, longitude: number },
      required: ['latitude', 'longitude'],
    },
    'Latitude and longitude.;The position.',
    'at {};at the coordinates {};near {}',
    of.coordinates,
  ),
  date: kind(
    'date day start_date on_date',
    string,
    'The date as YYYY-MM-DD.;Date (YYYY-MM-DD).;The date, e.g. 2031-05-17.',
    'on {};for {};dated {};for the date {}',
    of.date,
  ),
  dueDate: kind(
    'due_date deadline until end_date',
    string,
    'The last day, YYYY-MM-DD.;The due date (YYYY-MM-DD).',
    'until {};by {};due {};due on {}',
    of.date,
  ),
  time: kind(
    'time start_time at_time',
    string,
    'The time as HH:MM.;Time of day (24 h, HH:MM).',
    'at {};for {};starting at {}',
    of.time,
  ),
  weekday: kind(
    'weekday day day_of_week',
    string,
    'The day of the week.;Which weekday.',
    'on {};for {};every {}',
    of.weekday,
  ),
  month: kind('month', string, 'The month.;Name of the month', 'in {};for {}', of.month),
  name: kind(
    'name first_name person user_name',
    string,
    'The name.;First name.;Whose.',
    'for {};named {};by the name of {};called {}',
    of.firstName,
  ),
  fullName: kind(
    'name full_name customer_name author artist',
    string,
    'The full name.;First and last name.;Who.',
    'for {};by {};of {};named {}',
    of.fullName,
  ),
  names: kind(
    'names people participants attendees members',
    list(string),
    'The names.;Who takes part.',
    'with {};for {};together with {};for {}',
    of.several(of.firstName),
  ),
  recipient: kind(
    'to recipient email recipient_email',
    string,
    'The e-mail address of the recipient.;To whom.',
    'to {};for {};addressed to {}',
    of.email,
  ),
  emails: kind(
    'recipients emails to cc',
    list(string),
    'E-mail addresses.;The recipients.',
    'to {};for {}',
    of.several(of.email, 2, 3),
  ),
  email: kind(
    'email email_address contact',
    string,
    'The e-mail address.;E-mail of the user.',
    'for {};with the email {};with email address {};using {}',
    of.email,
  ),
  phone: kind(
    'phone phone_number number',
    string,
    'The phone number.;Number with country code.',
    'to {};with phone number {};for {}',
    of.phone,
  ),
  id: kind(
    'id item_id order_id reference code',
    string,
    'The id.;The identifier.;The reference number.',
    'with id {};{};for {};number {};with the reference {}',
    of.code,
  ),
  userId: kind(
    'user_id account_id customer_id',
    string,
    'The id of the user.;The account number.',
    'for user {};of account {};for customer {};for the user with id {}',
    of.code,
  ),
  ids: kind(
    'ids item_ids codes',
    list(string),
    'The ids.;Several identifiers.',
    'with the ids {};for {}',
    of.several(of.code, 2, 3),
  ),
  path: kind(
    'path file file_path filename',
    string,
    'The path of the file.;Which file.',
    'at {};in {};for {};from the file {};in the file {}',
    of.path,
  ),
  folder: kind(
    'folder directory target_path output',
    string,
    'The path to write to.;Target path.',
    'to {};into {};and put it in {}',
    of.path,
  ),
  url: kind('url link website', string, 'The address of the page.;URL.', 'at {};from {};of {}', of.url),
  version: kind(
    'version tag release',
    string,
    'The version.;Version, e.g. 1.4.0.',
    'in version {};version {};for version {}',
    of.version,
  ),
  text: kind(
    'text message content body',
    string,
    'The text.;What to write.;The message.',
    'saying {};with the text {};that says {};with the message {}',
    of.sentence,
  ),
  note: kind(
    'note description comment reason',
    string,
    'A note.;Why.',
    'with the note {};with the comment {}',
    of.sentence,
  ),
  subject: kind(
    'subject title heading',
    string,
    'The subject.;The title.',
    'with the subject {};with the title {};titled {}',
    of.quoted(of.title),
  ),
  title: kind(
    'title name label',
    string,
    'The title.;The name.',
    'titled {};called {};named {};{}',
    of.quoted(of.title),
  ),
  query: kind(
    'query search_term keyword term',
    string,
    'What to look for.;The search term.;Keywords.',
    'for {};about {};matching {};on {}',
    of.quoted(of.twoWords),
  ),
  topic: kind(
    'topic category subject',
    string,
    'The topic.;About what.',
    'about {};on {};on the topic of {}',
    of.thing,
  ),
  item: kind(
    'item product item_name object',
    string,
    'The item.;The product.;Which thing.',
    'for {};of {};of the {};for the {}',
    of.thing,
  ),
  items: kind(
    'items products tags keywords',
    list(string),
    'The items.;Several of them.',
    'with {};for {};of {}',
    of.several(of.thing),
  ),
  tag: kind(
    'tag label category group',
    string,
    'The tag.;In which group.',
    'tagged {};in the group {};labelled {}',
    of.thing,
  ),
  handle: kind(
    'username user handle login',
    string,
    'The user name.;The account.',
    'for user {};of {};by {};for {}',
    of.handle,
  ),
  slug: kind(
    'project repository branch slug',
    string,
    'The project.;The name of the repository.',
    'in {};for the project {};in the repository {};of {}',
    of.slug,
  ),
  ticker: kind(
    'symbol ticker stock_symbol',
    string,
    'The symbol.;The ticker.',
    'of {};for {};with the symbol {}',
    of.ticker,
  ),
  symbols: kind('symbols tickers', list(string), 'The symbols.', 'of {};for {}', of.several(of.ticker)),
  language: kind(
    'language lang target_language',
    string,
    'The language.;Which language.',
    'in {};into {};in the {} language',
    word(languages),
  ),
  genre: kind(
    'genre style category',
    string,
    'The genre.;The style.',
    'in the genre {};of the genre {};in the style of {}',
    word(genres),
  ),
  food: kind(
    'food dish ingredient meal',
    string,
    'The dish.;The ingredient.',
    'for {};with {};of {}',
    word(foods),
  ),
  ingredients: kind(
    'ingredients foods',
    list(string),
    'The ingredients.;What is in it.',
    'with {};using {};from {}',
    of.several(word(foods)),
  ),
  sport: kind('sport game', string, 'The sport.', 'in {};for {}', word(sports)),
  animal: kind(
    'animal species',
    string,
    'The animal.;The species.',
    'of the {};for the {};of a {};for a {}',
    word(animals),
  ),
  units: choice(
    'unit units',
    'metric imperial',
    'The system of units. Default metric.;metric or imperial',
    'in {} units;using {} units',
  ),
  degrees: choice(
    'unit temperature_unit scale',
    'celsius fahrenheit kelvin',
    'The unit of temperature.;Unit, default celsius.',
    'in {};in degrees {}',
  ),
  size: choice(
    'size',
    'small medium large',
    'The size.;small, medium or large',
    'in size {};in {};of size {}',
  ),
  color: choice(
    'color colour',
    'red green blue black white yellow orange purple',
    'The color.;Which color.',
    'in {};colored {};with color {}',
  ),
  priority: choice(
    'priority urgency level',
    'low normal high urgent',
    'The priority. Default normal.;How urgent it is.',
    'with {} priority;with priority {};marked as {}',
  ),
  order: choice(
    'order sort_order sort',
    'ascending descending',
    'The order of the results.;Sort order, default ascending.',
    'in {} order;sorted {}',
  ),
  status: choice(
    'status state',
    'open closed pending active archived',
    'The status.;Which state.',
    'with status {};that are {};that is {}',
  ),
  format: choice(
    'format output_format file_type',
    'pdf csv json html xml txt',
    'The output format.;File format, default pdf.',
    'as {};in {} format;as a {} file',
  ),
  mode: choice(
    'mode transport vehicle',
    'car bike train bus walking',
    'The means of transport.;How to get there.',
    'by {};with the mode {}',
  ),
  cabin: choice(
    'class cabin_class seat_class',
    'economy business first',
    'The class. Default economy.;The cabin class.',
    'in {} class;in {}',
  ),
  diet: choice(
    'diet dietary_restriction',
    'vegan vegetarian keto gluten_free',
    'The diet.;Dietary restriction.',
    'that is {};for a {} diet',
  ),
  gender: choice('gender sex', 'male female', 'The gender.;male or female', 'who is {};for a {} person'),
  period: choice(
    'period interval frequency',
    'daily weekly monthly yearly',
    'How often.;The interval. Default monthly.',
    'repeated {};on a {} basis;{}',
  ),
  detailed: flag(
    'detailed include_details verbose',
    'Whether to include details. Default false.;Set to true for details.',
    'with details;including details;in detail',
    'without details;with no details',
  ),
  notify: flag(
    'notify send_notification',
    'Whether to notify people.',
    'and notify everyone;with a notification',
    'without notifying anyone;without a notification',
  ),
  recursive: flag(
    'recursive include_subfolders',
    'Whether to include subfolders.',
    'including subfolders;recursively',
    'without subfolders;not recursively',
  ),
} as const satisfies Record<string, ParameterKind>;

export type KindName = keyof typeof kinds;

/** A kind that was given a name and a description. */
export interface Parameter {
  readonly key: string;
  readonly kind: ParameterKind;
  readonly about: string;
  readonly required: boolean;
}

export function parameterOf(
  random: Random,
  kind: ParameterKind,
  taken: ReadonlySet<string>,
): Parameter | undefined {
  const free = kind.keys.filter(key => !taken.has(key));
  if (free.length === 0) return undefined;
  // The first names are the usual ones.
  const snake = random.chance(0.6) ? (free[0] ?? '') : random.pick(free);
  return { key: snake, kind, about: random.pick(kind.about), required: true };
}
