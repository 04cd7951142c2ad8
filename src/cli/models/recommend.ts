/** `rawcall models recommend`: which model, which file of it and which context serve on this machine, and how fast. */
import { type CatalogAdapter, type CatalogModel, readCatalog } from '../../catalog/catalog.ts';
import { type Candidate, candidates } from '../../catalog/recommend.ts';
import { jsonLine } from '../../json.ts';
import { bytesText } from '../../store/bytes-text.ts';
import { openStore } from '../../store/store.ts';
import { exitCodes } from '../exit.ts';
import { visible, writeOut } from '../output.ts';
import { catalogFile } from '../package.ts';
import type { Context } from '../program.ts';
import { clearProgress, showProgress } from '../progress-line.ts';
import { textTable } from '../text-table.ts';
import { storedOf } from './list.ts';
import { lookAtMachine, type Machine, machineText } from './machine.ts';
import { numberText, samplingFlags, sizeOf } from './words.ts';

/** The rest of them are smaller, and `list` has them. */
const most = 8;

export async function recommendModels({ values, lifetime }: Context): Promise<number> {
  const { models, adapters } = await readCatalog(values.catalog ?? catalogFile);
  showProgress('… measuring this machine, which takes some seconds');
  const stopping = new AbortController();
  const looking = lookAtMachine(values, stopping.signal);
  lifetime.closeAtEnd(async () => {
    stopping.abort();
    await looking.catch(() => {});
  });
  const machine = await looking;
  clearProgress();
  const found = oneEach(candidates(models, machine));
  const small = withAdapter(models, adapters);
  if (values.json) await writeOut(`${jsonLine({ machine, candidates: found.map(asJson), small })}\n`);
  else await writeOut(await page(machine, found, small));
  return found.length > 0 || small ? exitCodes.answered : exitCodes.error;
}

/** The best file of each model. */
function oneEach(found: readonly Candidate[]): Candidate[] {
  return found.filter((one, at) => found.findIndex(other => other.model === one.model) === at);
}

interface SmallOne {
  readonly base: string;
  readonly adapter: string;
}

/** What serves where nothing larger does: a small base that an adapter of the catalog has taught to call. */
function withAdapter(
  models: readonly CatalogModel[],
  adapters: readonly CatalogAdapter[],
): SmallOne | undefined {
  for (const model of models)
    for (const { quantisation, sha256 } of model.files) {
      const adapter = adapters.find(({ base }) => base === sha256);
      if (adapter) return { base: `${model.name}:${quantisation}`, adapter: adapter.name };
    }
  return undefined;
}

async function page(
  machine: Machine,
  found: readonly Candidate[],
  small: SmallOne | undefined,
): Promise<string> {
  const stored = await openStore().list();
  const about = [machineText(machine)];
  if (machine.unmeasured) about.push(`Not measured: ${machine.unmeasured}`);
  const smallest = small
    ? `rawcall run "What is 31 plus 11?" --model ${small.base} --lora ${small.adapter}`
    : undefined;
  const [best] = found;
  if (!best) {
    const none = 'None of the catalog’s models fits, or would be fast enough.';
    const instead = smallest
      ? `The smallest that calls tools:\n\n  ${smallest}`
      : 'The practice model still runs: rawcall chat';
    return visible(`${about.join('\n')}\n${none} ${instead}\n`);
  }
  const rows = found
    .slice(0, most)
    .map(({ model, file, context, memory, reading, writing }) => [
      `${model.name}:${file.quantisation}`,
      numberText(model.parameters),
      sizeOf(file),
      String(context),
      bytesText(memory),
      speedText(reading),
      speedText(writing),
      visible(model.licence.name),
      storedOf(model, stored).includes(file.quantisation) ? 'here' : '',
    ]);
  const titles = ['model', 'parameters', 'size', 'context', 'memory', 'read', 'written', 'licence', ''];
  const sampling = best.model.sampling ? ` ${samplingFlags(best.model.sampling)}` : '';
  const command = `rawcall chat --model ${best.model.name}:${best.file.quantisation} --context-size ${best.context}${sampling}`;
  return [
    ...about,
    '',
    textTable(titles, rows, [2, 3, 4, 5, 6]).trimEnd(),
    '',
    ...(machine.speed
      ? ['read, written: tokens a second, expected from a short measurement; what else runs slows them.']
      : []),
    `Begin with: ${command}`,
    ...(smallest ? [`On less: ${smallest}`] : []),
    '',
  ].join('\n');
}

function speedText(speed: number | undefined): string {
  if (speed === undefined) return '';
  return `~${speed < 9.5 ? speed.toFixed(1) : Number(speed.toPrecision(2))}`;
}

function asJson({ model, file, context, memory, reading, writing }: Candidate): object {
  return {
    model: model.name,
    quantisation: file.quantisation,
    size: file.size,
    context,
    memory,
    ...(reading === undefined ? {} : { reading: Number(reading.toPrecision(2)) }),
    ...(writing === undefined ? {} : { writing: Number(writing.toPrecision(2)) }),
    licence: model.licence,
    ...(model.sampling ? { sampling: model.sampling } : {}),
  };
}
