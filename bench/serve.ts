/**
 * `rawcall serve` against llama-server: the same model, threads and requests, each in a process of its own, by turns. And what
 * thousands of clients that vanish leave behind.
 *
 *   npx tsx bench/serve.ts [MODEL.gguf] [ROUNDS]
 *   npx tsx bench/serve.ts --soak [REQUESTS]
 *
 * For the llama-server see bench/peers.ts.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { practiceModel } from './dialogue.ts';
import { startServer } from './peers/start-server.ts';
import { serverFolder } from './peers.ts';
import type { Row } from './row.ts';
import { startOurServer } from './serve/our-server.ts';
import { soakRows } from './serve/soak.ts';
import { type Timed, timedStream } from './serve/stream.ts';

const streams = 8;
const subjects = ['rain', 'the sun', 'apples', 'trains', 'history', 'music', 'cars', 'rivers'];

interface Measured {
  /** Milliseconds to the first token of a single stream. */
  readonly first: number;
  /** Tokens per second of a single stream behind its first token. */
  readonly single: number;
  /** Tokens per second of all streams together. */
  readonly total: number;
}

export async function serveRows({ model = practiceModel, rounds = 5 } = {}): Promise<Row[]> {
  if (!existsSync(path.join(serverFolder, 'xllamacpp'))) {
    console.error(
      'bench/serve.ts: nothing is compared, because RAWCALL_XLLAMACPP names no folder with the wheel xllamacpp in it.',
    );
    return [];
  }
  const practice = model === practiceModel;
  const options = { model, contextSize: 1024, threads: practice ? 1 : 2, parallel: streams };
  const our = await startOurServer(options);
  const their = await startServer({ ...options, folder: serverFolder, template: '' });
  const measured: { ours: Measured[]; theirs: Measured[] } = { ours: [], theirs: [] };
  try {
    // The first round warms both up.
    for (let round = 0; round <= rounds; round++) {
      const ours = await measure(our.address, round);
      const theirs = await measure(their.address, round);
      if (round === 0) continue;
      measured.ours.push(ours);
      measured.theirs.push(theirs);
    }
  } finally {
    await Promise.all([our.close(), their.close()]);
  }
  const name = path.basename(model, '.gguf');
  const note = `${rounds} rounds, ${options.threads} threads`;
  const row = (figure: keyof Measured, what: string, unit: string, target: string): Row => {
    const [ours, theirs] = [median(measured.ours, figure), median(measured.theirs, figure)];
    return {
      name: `${what}, rawcall serve against llama-server, ${name}`,
      value: ours / theirs,
      unit: '×',
      note: `${ours.toFixed(1)} against ${theirs.toFixed(1)} ${unit}; ${note}; ${practice ? 'a token of so small a model takes less than what node-llama-cpp adds to each' : `target ${target}`}`,
    };
  };
  return [
    row('first', 'time to the first token', 'ms', '≤ 1.1'),
    row('single', 'tokens per second of one stream', 'tokens/s', '≥ 0.95'),
    row('total', `tokens per second of ${streams} streams together`, 'tokens/s', '≥ 0.9'),
  ];
}

const tokens = 48;

async function measure(address: string, round: number): Promise<Measured> {
  const alone = await timedStream(address, story(round, 'the sea', 150), tokens);
  const start = performance.now();
  const together = await Promise.all(
    subjects.map(subject => timedStream(address, story(round, subject, 8), tokens)),
  );
  const seconds = (performance.now() - start) / 1000;
  return { first: alone.first, single: rate(alone), total: sum(together) / seconds };
}

/** Another beginning each time, so that nothing is found in a cache. */
function story(round: number, subject: string, words: number): string {
  const listed = Array.from({ length: words }, (_, index) => subjects[(index * 5 + round) % subjects.length]);
  return `${round}. ${subject}. Here is a long story about ${subject}, ${listed.join(', ')} and many people. Once upon a time`;
}

const rate = ({ first, whole, tokens }: Timed) => ((tokens - 1) / (whole - first)) * 1000;
const sum = (all: readonly Timed[]) => all.reduce((total, { tokens }) => total + tokens, 0);

function median(all: readonly Measured[], figure: keyof Measured): number {
  const sorted = all.map(one => one[figure]).sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , model, count] = process.argv;
  if (model === '--soak') console.table(await soakRows(count ? Number(count) : undefined));
  else
    console.table(
      await serveRows({ ...(model ? { model } : {}), ...(count ? { rounds: Number(count) } : {}) }),
    );
}
