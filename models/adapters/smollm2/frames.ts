/**
 * Tools whose questions are put as people put them, beside those that are thrown together: a name, what it does, its parameters (`key:kind`, `?` where it
 * may be left out), orders, and direct questions. Part of an order in brackets falls away with the value in it.
 */
import { hash, type Random } from '../../practice/random.ts';
import { type KindName, kinds, type Parameter } from './parameters.ts';
import type { Share } from './values.ts';

export interface Frame {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly orders: readonly string[];
  readonly questions: readonly string[];
}

const lines = `
convert_currency | Converts an amount of money into another currency. | amount:money from:currency to:currency | convert {amount} from {from} to {to} / change {amount} {from} into {to} | How much is {amount} {from} in {to}? / What are {amount} {from} worth in {to}?
convert_length | Converts a length between units. | value:float from_unit:lengthUnit to_unit:lengthUnit | convert {value} {from_unit} to {to_unit} / turn {value} {from_unit} into {to_unit} | How many {to_unit} are {value} {from_unit}? / What is {value} {from_unit} in {to_unit}?
set_alarm | Sets an alarm. | time:time label:title? weekday:weekday? | set an alarm for {time}[ on {weekday}][ called {label}] / wake me up at {time}[ on {weekday}] |
add_numbers | Adds two numbers. | a:number b:number | add {a} and {b} / sum up {a} and {b} / add {b} to {a} | What is {a} plus {b}? / How much is {a} + {b}? / {a} + {b}?
multiply | Multiplies two numbers. | a:number b:float | multiply {a} by {b} / multiply {a} and {b} | What is {a} times {b}? / How much is {a} * {b}?
is_prime_number | Tells whether a number is prime. | n:number | check whether {n} is prime / check if {n} is a prime number | Is {n} a prime number? / Is {n} prime?
send_email | Sends an e-mail. | to:recipient subject:subject? body:text | write an email to {to} saying {body}[ with the subject {subject}] / send {to} an email[ titled {subject}] that says {body} / email {to}: {body} |
send_sms | Sends a text message to a phone number. | number:phone text:text | text {number} {text} / send {text} to {number} / let {number} know: {text} |
get_weather_report | The weather at a place. | city:city unit:degrees? date:date? | check the weather in {city}[ on {date}][ in {unit}] | How is the weather in {city}[ on {date}]? / What's the weather like in {city}[ on {date}]? / Will it rain in {city}[ on {date}]? / Is it cold in {city}[ on {date}]?
translate | Translates text into a language. | text:text language:language | translate {text} into {language} / say {text} in {language} | How do you say {text} in {language}? / What is {text} in {language}?
play_music | Plays a song. | title:title artist:fullName? volume:rate? | play {title}[ by {artist}][ at {volume} volume] / put on {title}[ by {artist}] |
create_reminder | Reminds the user of something. | text:text date:dueDate? time:time? | remind me on {date}: {text} / set a reminder[ at {time}][ on {date}] with the text {text} / remind me[ at {time}] of {text} |
book_table | Books a table at a restaurant. | restaurant:title people:people date:date time:time? | book a table at {restaurant} for {people}[ at {time}] on {date} / reserve seats for {people} at {restaurant} on {date}[ at {time}] |
search_flights | Finds flights between two cities. | origin:city destination:city date:date cabin:cabin? passengers:people? | find a flight from {origin} to {destination} on {date}[ in {cabin} class][ for {passengers} passengers] / fly from {origin} to {destination} on {date}[ with {passengers} people] | Are there flights from {origin} to {destination} on {date}? / Which flights go from {origin} to {destination} on {date}?
read_file | Reads a file. | path:path | open {path} / read {path} / show me {path} | What is in {path}? / What does {path} say? / What's inside {path}?
write_file | Writes text to a file. | path:path content:text | write {content} to {path} / save {content} in {path} / put {content} into the file {path} |
copy_file | Copies a file. | source:path target:folder overwrite:flagOverwrite? | copy {source} to {target}[ {overwrite}] / make a copy of {source} at {target} |
track_parcel | Where a parcel is. | tracking_number:id | track {tracking_number} / find out where the parcel {tracking_number} is | Where is my parcel {tracking_number}? / Has {tracking_number} been delivered? / When does {tracking_number} arrive?
find_user | Finds a user by e-mail. | email:email | look up who {email} is / find the user {email} | Who is {email}? / Whose address is {email}? / Who has the email {email}?
stock_quote | The price of a share. | symbol:ticker date:date? | get a quote for {symbol}[ on {date}] / look up {symbol} | What does {symbol} cost? / How is {symbol} doing? / What was the price of {symbol}[ on {date}]?
loan_rate | The monthly payment of a loan. | principal:amount rate:rate years:years | work out the payments on a loan of {principal} at {rate} over {years} years | What do I pay a month for a loan of {principal} at {rate} for {years} years? / If I borrow {principal} at {rate} for {years} years, what are the payments?
interest_growth | What savings grow to. | deposit:amount rate:rate years:years compounding:period? | see what {deposit} grows to in {years} years at {rate}[ compounded {compounding}] | How much will {deposit} be after {years} years at {rate}[ compounded {compounding}]? / If I save {deposit} at {rate}, what do I have in {years} years?
cylinder_volume | The volume of a cylinder. | radius:radius height:height unit:units? | find the volume of a cylinder with radius {radius} and height {height} / work out how much a cylinder of height {height} and radius {radius} holds | How much does a cylinder of radius {radius} and height {height} hold? / What is the volume of a cylinder with a radius of {radius} and a height of {height}?
travel_time | How long a distance takes at a speed. | distance:distance speed:speed | work out how long {distance} km take at {speed} km/h | How long does it take to drive {distance} km at {speed} km/h? / At {speed} km/h, how long do {distance} kilometers take?
count_words | Counts the words of a text. | text:text | count the words in {text} | How many words does {text} have? / How many words are in {text}?
sort_list | Sorts a list of numbers. | numbers:integers order:order? | sort {numbers}[ in {order} order] / put {numbers} in[ {order}] order |
average_of | The mean of some numbers. | values:numbers | take the mean of {values} / average {values} | What is the average of {values}? / What's the mean of the numbers {values}?
days_between | The number of days between two dates. | start:date end:dueDate | count the days from {start} to {end} | How many days lie between {start} and {end}? / How many days are there from {start} until {end}?
world_clock | The time of day in a city. | city:city | look up the time in {city} | What time is it in {city}? / What's the time in {city} now? / How late is it in {city}?
population_of | How many people live in a city or country. | place:country year:year? | look up how many people live in {place} | How many people live in {place}? / How many inhabitants did {place} have[ in {year}]?
recipe_with | Finds recipes for ingredients. | ingredients:ingredients diet:diet? | find something to cook with {ingredients} / suggest a[ {diet}] dish with {ingredients} | What can I cook with {ingredients}? / Is there a[ {diet}] recipe with {ingredients}?
movie_info | Facts about a film. | title:title year:year? | look up the film {title}[ from {year}] | Who directed {title}[ in {year}]? / What is {title}[ from {year}] about? / How long is the movie {title}?
switch_light | Switches a lamp. | lamp:item on:flagOn brightness:discount? | switch {on} the {lamp} lamp / turn the {lamp} light {on}[ at {brightness}] |
warm_room | Sets the temperature of a room. | room:tag temperature:temperature | make the {room} room {temperature} degrees / heat the {room} to {temperature} degrees / set the {room} to {temperature} |
create_ticket | Opens a support ticket. | title:title priority:priority? assignee:handle? | open a ticket titled {title}[ with {priority} priority][ for {assignee}] / report {title}[ with {priority} priority] |
assign_issue | Gives an issue to somebody. | issue:id user:handle | assign {issue} to {user} / give {issue} to {user} / hand {issue} over to {user} |
run_query | Runs a query on a database table. | table:item limit:limit? order:order? | query the table {table}[ for {limit} rows][ in {order} order] / show[ {limit}] rows of {table} | Which rows does {table} have? / What is in the table {table}?
add_contact | Adds a contact. | name:fullName phone:phone? email:email? | add {name} to my contacts[ with {phone}][ and the email {email}] / save the contact {name}[, {phone}][, {email}] |
roll_dice | Rolls dice. | count:count sides:number? | roll {count} dice[ with {sides} sides] / throw {count} dice |
greet | Greets somebody. | name:name language:language? | greet {name}[ in {language}] / say hello to {name}[ in {language}] |
route_between | The way between two places. | start:city end:city mode:mode? avoid_tolls:flagTolls? | get directions from {start} to {end}[ by {mode}][ {avoid_tolls}] / take me from {start} to {end}[ by {mode}] | How do I get from {start} to {end}[ by {mode}]? / What's the best way from {start} to {end}[ by {mode}]?
person_age | How old somebody is. | name:fullName | find out how old {name} is | How old is {name}? / When was {name} born?
order_pizza | Orders food. | dish:food size:size quantity:count address:address? | order {quantity} {size} {dish}[ to {address}] / get me {quantity} {size} {dish}[ at {address}] |
buy_shares | Buys shares. | symbol:ticker shares:count limit_price:price? | buy {shares} shares of {symbol}[ for at most {limit_price}] / get {shares} {symbol} shares |
transfer_money | Moves money between accounts. | from_account:userId to_account:id amount:amount | move {amount} from {from_account} to {to_account} / transfer {amount} from account {from_account} to {to_account} / pay {amount} to {to_account} out of {from_account} |
list_events | What a calendar has. | start:date end:dueDate? owner:name? | show what is planned from {start}[ to {end}][ for {owner}] | What is on my calendar on {start}? / What is planned for {start}? / Do I have anything on {start}?
get_lyrics | The words of a song. | song:title artist:fullName | look up the words of {song} by {artist} | What are the lyrics of {song} by {artist}? / How does {song} by {artist} go?
hash_text | A checksum of a text. | text:text algorithm:hashName? | hash {text}[ with {algorithm}] / make a[ {algorithm}] hash of {text} | What is the[ {algorithm}] hash of {text}?
species_info | Facts about an animal. | animal:animal topic:topic? | look up the {animal}[ and its {topic}] | What does the {animal} eat? / Where does the {animal} live? / How big is a {animal}?
water_plants | Waters plants in a place. | place:tag minutes:duration | water the {place} for {minutes} minutes / give the {place} water for {minutes} minutes |
exam_grade | The grade of a student. | student:fullName subject:topic? year:year? | look up the grade of {student}[ in {subject}] | Which grade did {student} get[ in {subject}][ in {year}]? / How did {student} do[ in {subject}]?
`;

const extra: Readonly<Record<string, Parameter['kind']>> = {
  money: kinds.float,
  lengthUnit: {
    keys: ['unit'],
    schema: { type: 'string' },
    about: ['The unit.', 'A unit of length, such as feet.'],
    phrases: ['in {}'],
    make: random => {
      const value = random.pick([
        'meters',
        'feet',
        'inches',
        'miles',
        'kilometers',
        'yards',
        'centimeters',
        'millimeters',
      ]);
      return { value, said: value };
    },
  },
  hashName: {
    keys: ['algorithm'],
    schema: { type: 'string', enum: ['md5', 'sha1', 'sha256', 'sha512'] },
    about: ['The algorithm. Default sha256.'],
    phrases: ['with {}'],
    make: random => {
      const value = random.pick(['md5', 'sha1', 'sha256', 'sha512']);
      return { value, said: value };
    },
  },
  flagOn: switching('Whether it is on.', 'on', 'off'),
  flagOverwrite: switching(
    'Whether to replace what is there. Default false.',
    'and overwrite what is there',
    'without overwriting anything',
  ),
  flagTolls: switching('Whether to avoid toll roads.', 'without toll roads', 'toll roads are fine'),
};

function switching(about: string, yes: string, no: string): Parameter['kind'] {
  return {
    keys: ['flag'],
    schema: { type: 'boolean' },
    about: [about],
    phrases: ['{}'],
    make: random => (random.chance(0.6) ? { value: true, said: yes } : { value: false, said: no }),
  };
}

const frames: readonly Frame[] = lines
  .trim()
  .split('\n')
  .map(line => {
    const [name = '', description = '', parameters = '', orders = '', questions = ''] = line
      .split('|')
      .map(part => part.trim());
    const options = (text: string) => (text === '' ? [] : text.split(' / '));
    return {
      name,
      description,
      orders: options(orders),
      questions: options(questions),
      parameters: parameters.split(' ').map(text => {
        const [key = '', kindName = ''] = text.replace('?', '').split(':');
        const kind = extra[kindName] ?? kinds[kindName as KindName];
        if (kind === undefined) throw new Error(`${name}: there is no kind "${kindName}"`);
        return { key, kind, about: kind.about[0] ?? '', required: !text.endsWith('?') };
      }),
    };
  });

const pools = {
  training: frames.filter(({ name }) => hash(name) % 8 !== 0),
  evaluation: frames.filter(({ name }) => hash(name) % 8 === 0),
};

export const frameOf = (random: Random, share: Share): Frame => random.pick(pools[share]);

/** The text with its values, and only such brackets whose values are there; undefined where it says more or less than `said` has. */
export function filled(text: string, said: Readonly<Record<string, string>>): string | undefined {
  const kept = text.replace(/\[([^\]]*)\]/g, (_, part: string) =>
    [...part.matchAll(/\{(\w+)\}/g)].every(([, key = '']) => said[key] !== undefined) ? part : '',
  );
  const keys = [...kept.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => key);
  if (keys.length !== Object.keys(said).length || keys.some(key => said[key] === undefined)) return undefined;
  return kept.replace(/\{(\w+)\}/g, (_, key: string) => said[key] ?? '');
}
