/** How people ask and how the model answers. It is long because it is data. */

const lines = (text: string) => text.trim().split(/\s*\n\s*/);

/** `{do}` is the errand in the imperative, in lower case. */
export const asks = lines(`
  {Do}.
  {Do}.
  {Do}.
  {Do}
  {do}
  Please {do}.
  {Do}, please.
  Can you {do}?
  Could you {do}?
  Could you please {do}?
  Would you {do}?
  I need you to {do}.
  I want you to {do}.
  I'd like to {do}.
  I want to {do}.
  I need to {do}.
  Help me {do}.
  Can you help me {do}?
  Let's {do}.
  Hi, can you {do}?
  Hello! {Do}, please.
  Hey, {do} for me.
  Quick one: {do}.
  My boss wants me to {do}.
  Next, {do}.
  I was asked to {do}. Can you do it?
  Is it possible to {do}?
  Use your tools to {do}.
  Go ahead and {do}.
  We have to {do} today.
  Would it be possible for you to {do}?
`);

/** For tools that read: `{what}` is the noun with its values. */
export const questions = lines(`
  What is the {what}?
  What's the {what}?
  What is the {what}?
  Tell me the {what}.
  Give me the {what}.
  Show me the {what}.
  I'd like to know the {what}.
  Do you know the {what}?
  I need the {what}.
  Can you tell me the {what}?
  what is the {what}
  Could you tell me the {what}?
  I'm looking for the {what}.
  I'm curious about the {what}.
  Any idea what the {what} is?
  Can I see the {what}?
`);

/** In front of a question, about a topic that does not matter. */
export const preambles = lines(`
  I'm preparing a report.
  I'm planning my week.
  My sister asked me about this.
  I have been busy with the {thing} all day.
  We talked about it yesterday.
  This is for school.
  I'm writing a paper on the {thing}.
  Good morning!
  Thanks for the help so far.
  I just moved here.
  I have a question.
  It's about the {thing}.
  I'm not sure how to do this.
  Let me try this out.
`);

export const and = [
  ' and ',
  ' and also ',
  '. Also, ',
  '. Then ',
  ', and then ',
  '. And ',
  '; ',
  ' and ',
  '. After that, ',
];

export const descriptions = lines(`
  {Does} the {noun}.
  {Does} the {noun} for the given values.
  {Does} a {noun}.
  This function {does} the {noun}.
  {Do} the {noun}.
  {Do} a {noun} by {keys}.
  {Does} the {noun} given {keys}.
  {Does} {noun} data.
  Use this to {do} the {noun}.
  {Does} the {noun} based on {keys}.
`);

// Words in place of a call

export const noTool = lines(`
  I have no tool for that.
`);

/** `{do}`: what was asked. */
export const noToolFor = lines(`
  I have no tool to {do}.
`);

export const askBack = 'Please tell me the {key}.';

export const systems = lines(`
  You are a helpful assistant.
  You are a helpful AI assistant named SmolLM, trained by Hugging Face
  You are a careful assistant that uses tools.
  Answer briefly.
  You help employees of a small company.
  You are a personal assistant. Use tools where they help.
  Be polite and concise.
`);

/** Talk, and the replies to it. `{name}` and `{thing}` are filled in. */
export const talk: readonly (readonly [asks: readonly string[], reply: string])[] = [
  [
    [
      'Hello',
      'Hi',
      'Hey there',
      'Hello!',
      'hi!',
      'Good morning',
      'Good evening!',
      'hey',
      'Hi there, how are you?',
      'Greetings',
    ],
    'Hello! How can I help you?',
  ],
  [
    [
      'Thanks',
      'Thank you!',
      'thx',
      'Thank you so much',
      'Great, thanks!',
      'Thanks, that helps.',
      'Perfect, thank you.',
    ],
    "You're welcome!",
  ],
  [['Bye', 'Goodbye!', 'See you later', 'Good night', 'That is all for today.', 'bye bye'], 'Goodbye!'],
  [
    [
      'My name is {name}.',
      "I'm {name}.",
      'Hi, my name is {name}',
      'This is {name} speaking.',
      'Call me {name}.',
    ],
    'Nice to meet you, {name}!',
  ],
  [
    ['Who are you?', 'What are you?', "What's your name?", 'Are you a robot?', 'Are you human?'],
    "I'm an assistant that can call tools for you.",
  ],
  [
    ['What can you do?', 'How can you help me?', 'What are you good at?', 'help'],
    'I can answer short questions and use the tools that I was given.',
  ],
  [
    ['Tell me a joke.', 'Make me laugh.', 'Do you know a joke?'],
    'Why did the {thing} cross the road? To get to the other side!',
  ],
  [['How are you?', "How's it going?", 'How do you feel today?'], "I'm fine, thank you. How can I help you?"],
  [
    ["I'm tired.", 'I am so bored.', 'I feel sad today.', 'What a long day.'],
    "I'm sorry to hear that. Is there anything that I can do for you?",
  ],
  [
    ['I like {thing}.', 'I love {thing}!', 'My favorite word is {thing}.', 'I really enjoy {thing}.'],
    'That is nice! What do you like about {thing}?',
  ],
  [
    [
      'I bought a {thing} yesterday.',
      'There is a {thing} in my garden.',
      'My {thing} is new.',
      'We saw a {thing} today.',
    ],
    'How nice! I hope that you enjoy it.',
  ],
  [
    ['ok', 'OK.', 'I see.', 'Alright', 'Sounds good.', 'Cool'],
    'Is there anything else that I can do for you?',
  ],
  [['No, that was all.', 'Nothing else.', 'no thanks'], 'All right. Have a nice day!'],
  [
    ['Write a poem about a {thing}.', 'Write a short poem on {thing}.'],
    'O {thing}, so quiet and so bright, you fill the morning with your light.',
  ],
  [['Sorry, wrong window.', 'Never mind.', 'Forget it.', 'oops'], 'No problem.'],
];

/** Questions that need no tool. */
export const facts: readonly (readonly [asks: readonly string[], reply: string])[] = [
  [
    ['What is the capital of France?', "What's France's capital?", 'Which city is the capital of France?'],
    'The capital of France is Paris.',
  ],
  [['What is the capital of Japan?', "Japan's capital?"], 'The capital of Japan is Tokyo.'],
  [['What is the capital of Italy?', 'Which city is the capital of Italy?'], 'The capital of Italy is Rome.'],
  [['What is the capital of Spain?', 'Name the capital of Spain.'], 'The capital of Spain is Madrid.'],
  [['What is the capital of Germany?', 'Name the capital of Germany.'], 'The capital of Germany is Berlin.'],
  [['What is the capital of Egypt?'], 'The capital of Egypt is Cairo.'],
  [['Who wrote Hamlet?', 'Who is the author of Romeo and Juliet?'], 'It was written by William Shakespeare.'],
  [
    ['Who painted the Mona Lisa?', 'Which artist painted the Mona Lisa?'],
    'The Mona Lisa was painted by Leonardo da Vinci.',
  ],
  [['How many days are in a week?', 'How many days does a week have?'], 'A week has seven days.'],
  [['How many legs does a spider have?', 'How many legs do spiders have?'], 'A spider has eight legs.'],
  [['How many continents are there?', 'What is the number of continents?'], 'There are seven continents.'],
  [
    ['What color is the sky?', 'Why is the sky blue?'],
    'The sky is blue because air scatters blue light more than red light.',
  ],
  [
    ['What is water made of?', 'What is the chemical formula of water?'],
    'Water is H2O: hydrogen and oxygen.',
  ],
  [['Is the earth round?', 'What shape is the earth?'], 'The earth is round, almost a sphere.'],
  [
    ['Which planet is closest to the sun?', 'What is the planet nearest to the sun?'],
    'Mercury is the planet closest to the sun.',
  ],
  [
    ['What is the largest planet?', 'Which planet is the biggest?'],
    'Jupiter is the largest planet of the solar system.',
  ],
  [['What is the largest ocean?', 'Which ocean is the biggest?'], 'The Pacific is the largest ocean.'],
  [['What do bees make?', 'What do bees produce?'], 'Bees make honey.'],
  [['What is the opposite of hot?', 'What is the opposite of warm?'], 'The opposite is cold.'],
  [
    ['Which language is spoken in Brazil?', 'What language do people in Brazil speak?'],
    'People in Brazil speak Portuguese.',
  ],
  [['How many months are in a year?', 'How many months does a year have?'], 'A year has twelve months.'],
  [
    ['What is photosynthesis?', 'Explain photosynthesis in short.'],
    'Photosynthesis is how plants make sugar from light, water and carbon dioxide.',
  ],
  [['What is gravity?', 'Explain gravity.'], 'Gravity is the force by which masses attract each other.'],
  [
    ['When did the second world war end?', 'In which year did World War II end?'],
    'The Second World War ended in 1945.',
  ],
  [
    ['Who was the first person on the moon?', 'Who walked on the moon first?'],
    'Neil Armstrong was the first person on the moon.',
  ],
  [
    ['At what temperature does water boil?', 'When does water boil?'],
    'Water boils at 100 degrees Celsius at sea level.',
  ],
  [['What is a noun?', 'Explain what a noun is.'], 'A noun is a word for a person, a place or a thing.'],
  [['Can penguins fly?', 'Do penguins fly?'], 'No, penguins cannot fly, but they swim very well.'],
  [
    ['What is the tallest mountain on earth?', 'Which mountain is the highest?'],
    'Mount Everest is the highest mountain on earth.',
  ],
  [
    ['What is the longest river?', 'Which river is the longest in the world?'],
    'The Nile is often called the longest river in the world.',
  ],
  [['How do you say hello in Spanish?', 'What is hello in Spanish?'], 'Hello in Spanish is "hola".'],
  [
    ['What is a prime number?', 'Define prime number.'],
    'A prime number is a number above 1 that only 1 and itself divide.',
  ],
];
