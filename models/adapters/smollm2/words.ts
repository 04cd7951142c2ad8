/** Words that values are made of, besides those of the practice model. */

const split = (text: string) => text.trim().split(/\s*\n\s*|\s*;\s*/);

export const cities = split(`
  Oslo; Bergen; Kyiv; Lviv; Porto; Lisbon; Madrid; Seville; Bilbao; Lyon; Nantes; Toulouse; Marseille; Geneva; Zürich; Basel; Vienna; Graz; Prague; Brno
  Warsaw; Łódź; Kraków; Gdańsk; Vilnius; Riga; Tallinn; Helsinki; Turku; Malmö; Göteborg; Aarhus; Hamburg; Munich; Köln; Leipzig; Dresden; Rotterdam; Utrecht
  Ghent; Antwerp; Dublin; Cork; Leeds; Glasgow; Cardiff; Bristol; Turin; Naples; Palermo; Athens; Patras; Sofia; Varna; Bucharest; Cluj; Belgrade; Zagreb; Split
  Ankara; İzmir; Tbilisi; Yerevan; Baku; Cairo; Tunis; Rabat; Fez; Accra; Lagos; Nairobi; Kampala; Kigali; Durban; Cape Town; Mumbai; Pune; Chennai; Jaipur; Delhi
  Dhaka; Colombo; Hanoi; Da Nang; Bangkok; Phuket; Jakarta; Bandung; Manila; Cebu; Seoul; Busan; Osaka; Kyoto; Sapporo; 東京; Taipei; Shenzhen; Chengdu; Perth
  Sydney; Hobart; Darwin; Auckland; Suva; Lima; Cusco; Quito; Bogotá; Medellín; Caracas; Recife; São Paulo; Curitiba; Santiago; Valparaíso; Rosario; Montevideo
  Havana; Cancún; Oaxaca; Austin; Dallas; Denver; Boise; Portland; Tucson; Omaha; Tulsa; Raleigh; Tampa; Miami; Boston; Albany; Buffalo; Chicago; Detroit; Memphis
  New York; Los Angeles; San Diego; San Jose; Salt Lake City; Kansas City; St. Louis; New Orleans; Toronto; Québec; Halifax; Calgary; Winnipeg; Vancouver; Paris; London; Berlin; Rome; Tokyo; Moscow; Beijing
`);

export const countries = split(`
  Norway; Ukraine; Portugal; Spain; France; Switzerland; Austria; Poland; Latvia; Finland; Sweden; Denmark; Germany; Belgium; Ireland; Italy; Greece; Bulgaria
  Romania; Serbia; Croatia; Turkey; Georgia; Egypt; Morocco; Ghana; Nigeria; Kenya; Rwanda; South Africa; India; Sri Lanka; Vietnam; Thailand; Indonesia; Japan
  South Korea; Australia; New Zealand; Peru; Ecuador; Colombia; Brazil; Chile; Argentina; Uruguay; Cuba; Mexico; Canada; USA; UK; Iceland; Nepal; Bolivia; China
`);

export const foreignNames = split(`
  Zoë; Jürgen; Łukasz; Søren; Åsa; Chloé; André; İpek; Nuño; Željko; Márta; Ngozi; Kwame; Aiko; Haruto; Mei; Xiu; Priya; Rohan; Fatima; Yusuf; Layla; Tariq; Amara; Thabo; Oksana
  Dmytro; Svetlana; Miguel; Lucía; Joaquín; Beatriz; Matteo; Chiara; Freya; Niamh; Siobhán; Rhys; Elif; Arjun; 健; さくら; Олена; José; François; Björn; Anaïs; Inês; Radoslav; Tomáš
`);

export const surnames = split(`
  Smith; Müller; Novák; Kowalski; Larsen; Nguyen; Okafor; Haddad; García; Fernández; Rossi; Ferrari; Dubois; Lefèvre; Jansen; de Vries; O'Brien; MacLeod; Kim; Park; Tanaka; Suzuki; Chen; Wang; Patel
  Sharma; Ivanov; Petrenko; Horváth; Popescu; Papadopoulos; Yılmaz; Demir; Cohen; Levi; Mensah; Abebe; Dlamini; Silva; Santos; Rivera; Morales; Johnson; Brown; Taylor; Wilson; Evans; Walker; Hall; Young
`);

export const languages = split(`
  English; French; German; Spanish; Italian; Portuguese; Dutch; Swedish; Polish; Czech; Turkish; Arabic; Hebrew; Hindi; Tamil; Japanese; Korean; Mandarin; Vietnamese; Thai; Swahili; Finnish; Greek
`);

export const genres = split(
  'jazz; rock; blues; folk; opera; techno; reggae; soul; punk; pop; classical; country; metal; ambient; comedy; drama; thriller; romance; horror; fantasy; documentary; western',
);

export const foods = split(`
  pasta; rice; lentils; chickpeas; salmon; tofu; chicken; beef; spinach; kale; mushrooms; tomatoes; potatoes; onions; garlic; carrots; apples; bananas; oats; quinoa; yogurt; cheese; eggs; walnuts; almonds; basil
  curry; risotto; lasagne; tacos; sushi; ramen; pancakes; waffles; soup; salad; pizza; stew; paella; dumplings
`);

export const sports = split(
  'tennis; football; basketball; handball; rugby; cricket; golf; chess; hockey; baseball; volleyball; badminton; rowing; cycling; judo; swimming',
);

export const currencies = split(
  'USD; EUR; GBP; JPY; CHF; SEK; NOK; PLN; CZK; INR; BRL; MXN; CAD; AUD; NZD; ZAR; KRW; TRY',
);

export const animals = split(
  'cat; dog; fox; wolf; otter; hedgehog; zebra; giraffe; panda; koala; eagle; owl; parrot; salmon; shark; whale; octopus; beetle; bee; frog; newt; gecko; tortoise; horse; donkey; camel',
);
