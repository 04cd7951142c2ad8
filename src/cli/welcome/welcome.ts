/** `rawcall welcome`, and `rawcall` alone on a terminal: what was found, and a way to begin. */
import { counted } from '../doctor/section.ts';
import { exitCodes } from '../exit.ts';
import { stdinLines } from '../lines.ts';
import { adviceText, lookForAdvice, nameOf } from '../models/advice.ts';
import { visible, writeOut } from '../output.ts';
import { packageVersion } from '../package.ts';
import type { Context } from '../program.ts';
import type { Values } from '../settings.ts';
import { notice } from '../show.ts';
import { type Choice, choicesFor, practiceServer } from './choices.ts';
import { writeConfig } from './config.ts';
import { type Found, lookAround } from './found.ts';

/** Asks one question. Nothing: the input ended. */
type Ask = (question: string) => Promise<string | undefined>;

export async function welcome(context: Context): Promise<number> {
  const found = await lookAround(context);
  await writeOut(foundText(found));
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    await writeOut(`\n${nextCommands}`);
    return exitCodes.answered;
  }
  const lines = stdinLines(context.lifetime);
  const ask: Ask = async question => (await lines.next(question))?.trim();
  const chosen = await begin(found, ask, context);
  // A chat reads the terminal itself.
  lines.close();
  if (!chosen) return exitCodes.answered;
  const { chat } = await import('../chat.ts');
  return chat({ ...context, values: { ...context.values, ...chosen } });
}

/** What to chat with, where that is what it comes to. */
async function begin(found: Found, ask: Ask, context: Context): Promise<Values | undefined> {
  const choice = await choose(choicesFor(found), ask);
  switch (choice?.does) {
    case 'chat':
      return choice.values;
    case 'find':
      return findAndPull(found, ask, context);
    case 'configure':
      await configure({}, found);
      return undefined;
    case undefined:
      return undefined;
    default:
      return choice satisfies never;
  }
}

function foundText({ chosen, stored, elsewhere, servers, computer, configFile }: Found): string {
  const rows = [
    ['model', chosen ?? 'the practice model, which comes with rawcall'],
    ['stored', stored.join(', ') || 'none yet'],
    ...(elsewhere.length > 0
      ? [['elsewhere', elsewhere.map(({ name, program }) => `${name} (${program})`).join(', ')]]
      : []),
    ['servers', servers.join(', ') || 'none (rawcall mcp add, or rawcall mcp import from other apps)'],
    ['GPU', computer],
    ['settings', configFile ?? 'no rawcall.json here or above'],
  ];
  const lines = rows.map(([what = '', text = '']) => `${what.padEnd(10)}${visible(text)}\n`);
  return `rawcall ${packageVersion()}: prompts of its own for local models, and tools of MCP servers\n\n${lines.join('')}`;
}

const nextCommands = `Next: rawcall chat                what there is, as it is
      rawcall models recommend    what would serve best on this machine
      rawcall help                all commands
`;

async function choose(choices: readonly Choice[], ask: Ask): Promise<Choice | undefined> {
  const listed = choices.map(({ text }, at) => `  ${at + 1}  ${visible(text)}\n`);
  await writeOut(`\n${listed.join('')}\n`);
  for (;;) {
    const answer = await ask(`What first? [1 to ${choices.length}, Enter to leave] `);
    if (!answer) return undefined;
    const choice = choices[Number(answer) - 1];
    if (choice) return choice;
    notice(`${answer} is none of the ${counted(choices.length, 'choice')}.`);
  }
}

async function findAndPull(found: Found, ask: Ask, context: Context): Promise<Values | undefined> {
  const advice = await lookForAdvice(context);
  await writeOut(`\n${await adviceText(advice)}\n`);
  const [best] = [...advice.candidates, ...advice.slow];
  if (!best) return undefined;
  const name = nameOf(best);
  const answer = await ask(`Pull which? [a name, Enter for ${name}, n for none] `);
  if (answer === undefined || /^no?(ne)?$/i.test(answer)) return undefined;
  const model = answer === '' ? name : answer;
  const { pullModel } = await import('../models/pull.ts');
  if ((await pullModel(model, context)) !== exitCodes.answered) return undefined;
  const { source: _, ...sampling } = best.model.sampling ?? { source: '' };
  const chosen = { model, ...(model === name ? { contextSize: best.context, ...sampling } : {}) };
  if (found.configFile === undefined) {
    const agreed = await ask('Write it into a rawcall.json here? [y / n] ');
    if (/^y/i.test(agreed ?? '')) await configure(chosen, found);
  }
  return { ...chosen, ...(found.servers.length === 0 ? practiceServer : {}) };
}

async function configure(chosen: Values, { servers }: Found): Promise<void> {
  const file = await writeConfig(process.cwd(), chosen, servers);
  await writeOut(`Wrote ${file}. What can stand there: the long flags of rawcall help run, in camelCase.\n`);
}
