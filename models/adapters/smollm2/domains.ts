/**
 * What tools are about: verbs, nouns and the parameters that go with them. Any verb of a domain goes with any of its nouns. It is long because
 * it is data.
 */
import type { KindName } from './parameters.ts';

export interface Domain {
  /** In the imperative; those of a reading tool can be asked for with "What is". */
  readonly reads: readonly string[];
  readonly acts: readonly string[];
  readonly nouns: readonly string[];
  readonly parameters: readonly KindName[];
}

const split = (text: string) =>
  text
    .trim()
    .split(/\s*;\s*|\s*\n\s*/)
    .filter(Boolean);

function domain(reads: string, acts: string, nouns: string, parameters: string): Domain {
  return {
    reads: split(reads),
    acts: split(acts),
    nouns: split(nouns),
    parameters: parameters.trim().split(/\s+/) as KindName[],
  };
}

export const domains: readonly Domain[] = [
  domain(
    'calculate; compute; find; determine; evaluate; get',
    '',
    `surface; perimeter; diagonal; circumference; weighted mean; median; variance; standard error; moving average; sum of squares; modular inverse; prime factors; divisors; remainder;
     geometric mean; harmonic mean; cube root; logarithm; polynomial root; slope; binomial coefficient; permutations; number of combinations; correlation; percentile; probability; checksum; digit sum;
     matrix trace; dot product; cross product; definite integral; derivative; fibonacci term; lucas number; series sum; least common multiple; rounded value; square; hypotenuse angle; arc length; sector; convex hull; interpolation`,
    'number float numbers integers exponent start end range precision radius width height length count',
  ),
  domain(
    'calculate; compute; estimate; find; measure; get',
    'simulate; model',
    `kinetic energy; momentum; acceleration; drag force; torque; buoyancy; wavelength; frequency; electric field; resistance; voltage drop; current; heat loss; boiling point; air density; flow rate;
     spring constant; gravitational pull; power output; efficiency; half life; refraction; orbit; escape velocity; stress; load; friction; lens focus; sound level; thermal expansion; battery life; signal loss; impact; stopping distance`,
    'mass speed temperature pressure duration distance height radius length float precision units',
  ),
  domain(
    'calculate; compute; estimate; get; show; check; fetch',
    'transfer; deposit; invest; pay; charge; refund; withdraw',
    `loan payment; savings; compound growth; mortgage; tax; tip; salary; dividend; exchange rate; share price; portfolio; budget; invoice; bill; balance; credit score; pension; profit; break even point; rent; insurance premium;
     market cap; bond yield; cash flow; depreciation; fee; payment; subscription; donation; expense report; transaction; inflation; stock history; crypto price; commission`,
    'amount rate years currency ticker symbols userId date dueDate price discount period country month year detailed limit precision note',
  ),
  domain(
    'get; check; fetch; show; look up; find; retrieve',
    '',
    `weather; forecast; humidity; rainfall; wind speed; air quality; snow depth; UV index; sunrise; sunset; tide; pollen count; storm warning; temperature; cloud cover; sea temperature; frost risk; visibility; moon phase; water level; earthquake report; heat index; dew point`,
    'city location country date days degrees units detailed coordinates time hours',
  ),
  domain(
    'find; search; look up; check; compare; list; get',
    'book; reserve; cancel; schedule; plan; arrange',
    `flight; hotel; train; bus ticket; ferry; rental car; hostel; tour; museum visit; table; restaurant; campsite; apartment; taxi; cruise; concert ticket; city pass; parking space; shuttle; guided walk; spa; airport transfer; theater seat; boat; bike rental; itinerary; visa appointment`,
    'city origin destination date dueDate people days price cabin country fullName time location mode currency order limit',
  ),
  domain(
    'read; find; list; search; show',
    'send; write; forward; draft; post; reply to; schedule; delete; publish',
    `email; message; letter; newsletter; announcement; text message; chat message; voice note; postcard; invitation; greeting; fax; comment; notification; memo; status update; thank-you note; reply; broadcast; mail; feedback; complaint`,
    'recipient text subject emails phone name date time priority handle notify note path id',
  ),
  domain(
    'list; show; check; find; get',
    'create; add; schedule; move; cancel; set; update; delete; plan',
    `meeting; appointment; reminder; event; alarm; timer; task; shift; deadline; interview; lesson; workshop; booking; birthday; call; checkup; break; webinar; conference; vacation; standup; review; milestone; calendar entry; to-do item; lecture; rehearsal`,
    'title date time duration names location weekday period priority note name notify recipient tag',
  ),
  domain(
    'read; open; list; find; count lines in; show; inspect',
    'delete; copy; move; rename; compress; encrypt; upload; download; archive; convert; create; print; merge; back up',
    `file; folder; document; spreadsheet; log; backup; image; picture; archive; report; script; page; table; slide deck; contract; export; snapshot; config; draft; data set; certificate; attachment; video clip; scan`,
    'path folder url format recursive query title size limit version detailed text userId',
  ),
  domain(
    'find; track; search; check; list; get; compare',
    'order; buy; return; add; cancel; ship; update; restock; reserve; sell; remove',
    `order; product; parcel; cart; coupon; gift card; shipment; stock level; price tag; refund; delivery; wishlist; review; warranty; catalog; receipt; supplier; discount code; shoe; jacket; lamp; sofa; bicycle; phone; laptop; ticket; toy; furniture; garden tool`,
    'id item items count price color size address userId status discount currency tag query order limit fullName date',
  ),
  domain(
    'get; find; look up; list; show; search; verify',
    'create; register; update; delete; block; invite; merge; assign; activate; remove',
    `user; account; customer; member; employee; contact; profile; team; patient; student; client; guest; subscriber; tenant; volunteer; driver; candidate; role; permission; password; badge; session; group; record; row; database entry; lead`,
    'name fullName email userId id age phone status country ids handle tag dueDate detailed gender limit',
  ),
  domain(
    'find; search; recommend; get; list; identify; rate',
    'play; pause; record; stream; queue; share; download; create',
    `song; album; playlist; podcast; radio station; movie; film; series; concert; band; artist; lyrics; chart; soundtrack; episode; trailer; video; audiobook; show; poem; painting; exhibition; sculpture; photo; comic; novel; instrument`,
    'fullName genre title year limit duration query language city country order date tag',
  ),
  domain(
    'find; get; search; suggest; look up; calculate; list',
    'cook; order; plan; prepare; log; add; scale',
    `recipe; meal; menu; calories; nutrition facts; protein; shopping list; dinner; breakfast; snack; diet plan; wine; cooking time; allergens; dessert; sauce; lunch; drink; cake; portion; vitamins; groceries; substitute; restaurant; leftovers`,
    'food ingredients people diet duration limit days count city weekday price detailed',
  ),
  domain(
    'check; read; get; show; measure',
    'turn on; turn off; set; start; stop; lock; unlock; dim; open; close; reset; adjust; restart; pair',
    `light; lamp; thermostat; heating; door; window; garage; oven; washing machine; vacuum; camera; sensor; fan; speaker; television; printer; router; sprinkler; alarm system; blinds; coffee machine; dishwasher; charger; fridge; humidifier; drone; robot; car`,
    'item color temperature time duration tag mode handle id weekday notify count',
  ),
  domain(
    'find; get; calculate; show; measure; list; estimate',
    'plan; share; mark; draw',
    `route; distance; directions; travel time; elevation; map; nearest pharmacy; gas station; traffic; address; time zone; population; capital; area code; border; shortcut; hiking trail; charging station; landmark; bridge; detour; post office; library; coordinates; neighborhood; parks; speed limit`,
    'origin destination city location country mode distance coordinates units limit address time detailed',
  ),
  domain(
    'count words in; detect; check; find; analyze; compare; look up; extract',
    'translate; summarize; rewrite; shorten; format; reverse; encode; decode; correct; hash; split; classify',
    `text; sentence; paragraph; word; phrase; synonym; rhyme; spelling; grammar; tone; sentiment; language; summary; headline; translation; definition; anagram; keyword; abbreviation; quote; palindrome; transcript; acronym; syllables; string`,
    'text language query path url format count title limit detailed',
  ),
  domain(
    'get; find; show; list; check; predict; compare',
    'update; record; start; join; simulate',
    `score; match; ranking; league table; player; team; schedule; season; tournament; record; fixture; lineup; goal count; champion; medal count; stadium; coach; transfer; game; highlight; statistics; race; training plan; workout; odds; leaderboard; puzzle; dice roll; card hand`,
    'sport name fullName year date city country limit count title detailed order handle',
  ),
  domain(
    'calculate; get; find; identify; look up; estimate; analyze',
    'log; track; record; simulate',
    `body mass index; heart rate zone; blood pressure; sleep; calorie burn; dosage; growth rate; gene sequence; protein; cell count; habitat; lifespan; diet; population density; migration; symptom; vaccine; allergy; step count; blood type; species; fossil; plant; tree age; molecule; isotope; mineral; star; planet; galaxy; enzyme; evolution`,
    'age mass height gender animal days date item name number country detailed temperature hours duration precision',
  ),
  domain(
    'find; search; look up; get; list; read; check',
    'file; cite; request; renew; borrow; submit; review',
    `court case; law; patent; article; book; newspaper; treaty; battle; king; president; election; invention; museum piece; manuscript; citation; regulation; license; verdict; journal; biography; monument; dynasty; discovery; lawsuit; trademark; permit; census; timeline; archive`,
    'query title fullName year country topic date limit language id city status order',
  ),
  domain(
    'list; show; get; find; check; search; inspect; count',
    'create; close; merge; deploy; run; assign; open; revert; restart; label; build; test; install',
    `issue; pull request; branch; build; commit; ticket; bug; pipeline; container; server; package; release; database; query; endpoint; job; log; webhook; dependency; test; feature flag; secret; cluster; domain; certificate; queue; cache; metric; dashboard; workflow; repository`,
    'slug version title id handle status priority path url tag limit text recursive notify order detailed',
  ),
];
