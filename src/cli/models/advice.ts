/** What of the catalog serves on this machine: looked for with a short measurement, and told. */
import { readCatalog } from '../../catalog/catalog.ts';
import { type Candidate, candidates, leastReading, leastWriting, slowOnes } from '../../catalog/recommend.ts';
import { type SmallCaller, smallCaller } from '../../catalog/small-caller.ts';
import { bytesText } from '../../store/bytes-text.ts';
import { openStore } from '../../store/store.ts';
import { visible } from '../output.ts';
import { catalogFile } from '../package.ts';
import type { Context } from '../program.ts';
import { clearProgress, showProgress } from '../progress-line.ts';
import { textTable } from '../text-table.ts';
import { storedOf } from './list.ts';
import { lookAtMachine, type Machine, machineText } from './machine.ts';
import { numberText, samplingFlags, sizeOf } from './words.ts';

export interface Advice {
  readonly machine: Machine;
  /** The best file of each model that serves, the best model first. */
  readonly candidates: readonly Candidate[];
  /** Where there are none: those that fit, the least slow first. */
  readonly slow: readonly Candidate[];
  /** What serves where nothing larger does. */
  readonly small?: SmallCaller;
}

export async function lookForAdvice({ values, lifetime }: Context): Promise<Advice> {
  const catalog = await readCatalog(values.catalog ?? catalogFile);
  showProgress('… measuring this machine, which takes some seconds');
  const stopping = new AbortController();
  const looking = lookAtMachine(values, stopping.signal);
  lifetime.closeAtEnd(async () => {
    stopping.abort();
    await looking.catch(() => {});
  });
  const machine = await looking.finally(clearProgress);
  const small = smallCaller(catalog);
  const found = bestFiles(candidates(catalog.models, machine));
  const slow = found.length > 0 ? [] : bestFiles(slowOnes(catalog.models, machine));
  return { machine, candidates: found, slow, ...(small ? { small } : {}) };
}

function bestFiles(found: readonly Candidate[]): Candidate[] {
  return found.filter((one, at) => found.findIndex(other => other.model === one.model) === at);
}

/** As it is given to `--model`. */
export function nameOf({ model, file }: Pick<Candidate, 'model' | 'file'>): string {
  return `${model.name}:${file.quantisation}`;
}

/** The rest of them are smaller, and `list` has them. */
const most = 8;
const fewSlow = 3;

export async function adviceText({ machine, candidates: found, slow, small }: Advice): Promise<string> {
  const smallest = small && `rawcall chat --model ${nameOf(small)} --lora ${small.adapter.name}`;
  const about = [
    machineText(machine),
    ...(machine.unmeasured === undefined ? [] : [`Not measured: ${machine.unmeasured}`]),
  ];
  const [best] = found;
  if (!best)
    return lines([
      ...about,
      ...(slow.length === 0
        ? ['No model of the catalog fits.']
        : [
            `None would read ${leastReading} tokens a second and write ${leastWriting}, as it is now. The least slow:`,
            '',
            await table(slow.slice(0, fewSlow)),
          ]),
      `What runs anywhere: ${smallest ?? 'rawcall chat (the practice model)'}`,
    ]);
  const flags = best.model.sampling ? ` ${samplingFlags(best.model.sampling)}` : '';
  return lines([
    ...about,
    '',
    await table(found.slice(0, most)),
    ...(machine.speed
      ? ['read, written: tokens a second, by a short measurement; what else runs slows them.']
      : []),
    `Begin with: rawcall chat --model ${nameOf(best)} --context-size ${best.context}${flags}`,
    ...(smallest ? [`On less:    ${smallest}`] : []),
  ]);
}

async function table(found: readonly Candidate[]): Promise<string> {
  const stored = await openStore().list();
  const rows = found.map(({ model, file, context, memory, reading, writing }) => [
    nameOf({ model, file }),
    numberText(model.parameters),
    sizeOf(file),
    String(context),
    bytesText(memory),
    speedText(reading),
    speedText(writing),
    model.licence.name,
    storedOf(model, stored).includes(file.quantisation) ? 'here' : '',
  ]);
  const titles = ['model', 'parameters', 'size', 'context', 'memory', 'read', 'written', 'licence', ''];
  return textTable(titles, rows, [2, 3, 4, 5, 6]);
}

const lines = (all: readonly string[]) => all.map(line => `${visible(line)}\n`).join('');

function speedText(speed: number | undefined): string {
  if (speed === undefined) return '';
  return `~${speed < 9.5 ? speed.toFixed(1) : Number(speed.toPrecision(2))}`;
}
