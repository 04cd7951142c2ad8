/** The model: its file, the format it speaks, what its vocabulary lets through, its context, its speed. */
import { detectFormat } from '../../detect-format.ts';
import type { LlamaEngine } from '../../engine/llama.ts';
import type { Format } from '../../format.ts';
import { dateText } from '../clock.ts';
import type { Lifetime } from '../lifetime.ts';
import { modelFormat, namedFormat, openEngine } from '../open-model.ts';
import { practiceModel } from '../package.ts';
import type { Values } from '../settings.ts';
import { forgeries } from './forgeries.ts';
import { counted, failed, failure, type Line, type Section, sizeText } from './section.ts';

export interface ExaminedModel extends Section {
  readonly engine?: LlamaEngine;
  readonly format?: Format;
}

export async function modelSection(values: Values, lifetime: Lifetime): Promise<ExaminedModel> {
  const title = 'model';
  const file = values.model ?? practiceModel;
  let engine: LlamaEngine;
  try {
    // What is kept from earlier starts would make the measurement another.
    engine = await openEngine({ ...values, cache: false }, lifetime);
  } catch (error) {
    return { title, lines: [failed('file', error)], data: { path: file, error: failure(error) } };
  }
  const { info } = engine;
  const format = await examineFormat(values, engine);
  const marks = examineMarks(engine, format.format);
  const context = await examineContext(engine);
  const speed = format.format ? await measure(engine, format.format) : undefined;
  return {
    title,
    engine,
    ...(format.format ? { format: format.format } : {}),
    lines: [
      { what: 'file', text: `${info.path}, ${sizeText(info.size)}` },
      {
        what: 'model',
        text: `${info.name}, ${info.architecture}, ${millions(info.parameters)}${layers(info.gpuLayers)}`,
      },
      ...format.lines,
      ...marks.lines,
      ...context.lines,
      ...(speed?.lines ?? []),
    ],
    data: {
      path: info.path,
      name: info.name,
      architecture: info.architecture,
      parameters: info.parameters,
      size: info.size,
      gpuLayers: info.gpuLayers,
      ...format.data,
      controlTokens: marks.data,
      context: context.data,
      ...(speed ? { speed: speed.data } : {}),
    },
  };
}

const millions = (count: number) =>
  count >= 1e9
    ? `${(count / 1e9).toFixed(1)} billion parameters`
    : `${(count / 1e6).toFixed(1)} million parameters`;
const layers = (count: number) => (count > 0 ? `, ${counted(count, 'layer')} on the GPU` : '');

type Part<Data> = { readonly lines: readonly Line[]; readonly data: Data };

async function examineFormat(
  values: Values,
  engine: LlamaEngine,
): Promise<Part<object> & { readonly format?: Format }> {
  const { chatTemplate } = engine.info;
  const found = await detectFormat({
    tokens: engine.controlTokens,
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
  });
  let format: Format;
  try {
    format = (await namedFormat(values)) ?? (await modelFormat(values, engine));
  } catch (error) {
    return { lines: [failed('format', error)], data: { error: failure(error), reason: found.reason } };
  }
  const asked = values.format !== undefined || values.chatTemplate !== undefined;
  const differs = asked && found.format !== undefined && found.format.name !== format.name;
  const why = asked ? `as asked for; of the model itself: ${found.reason}` : found.reason;
  const line: Line = { what: 'format', text: `${format.name}: ${why}` };
  return {
    format,
    lines: [
      differs
        ? {
            ...line,
            state: 'note',
            remedy: `Leave --format out to use ${found.format?.name}, which the model was made for.`,
          }
        : line,
    ],
    data: { format: format.name, detected: found.format?.name ?? null, reason: found.reason },
  };
}

function examineMarks(engine: LlamaEngine, format: Format | undefined): Part<object> {
  const { forged, unsayable, checked } = forgeries(engine);
  const missing = (format?.template.controlTokens ?? []).filter(token => !engine.controlTokens.has(token));
  const lines: Line[] = [
    forged.length === 0
      ? {
          what: 'control tokens',
          text: `all ${checked} of the vocabulary were spelled as untrusted text, and none became a control token`,
        }
      : {
          what: 'control tokens',
          state: 'wrong',
          text: `untrusted text can forge ${some(forged)}`,
          remedy: 'Do not use this model with tools or texts that you do not trust, and report it.',
        },
  ];
  if (unsayable.length > 0)
    lines.push({
      what: '',
      state: 'note',
      text: `a text with ${some(unsayable)} in it is refused: this vocabulary has no other way to say it`,
    });
  if (missing.length > 0)
    lines.push({
      what: '',
      state: 'note',
      text: `of those that ${format?.name} writes, the vocabulary lacks ${some(missing)}: these are plain text to the model`,
    });
  return { lines, data: { checked, forged, unsayable, missing } };
}

function some(tokens: readonly string[]): string {
  const more = tokens.length > 5 ? ` and ${tokens.length - 5} more` : '';
  return `${tokens.slice(0, 5).join(' ')}${more}`;
}

async function examineContext(engine: LlamaEngine): Promise<Part<object>> {
  const { contextSize: size, info } = engine;
  const { ram, vram, largestContext } = await engine.memory();
  const trained = info.trainContextSize;
  const text = `${size} tokens of the ${trained} that it was trained on, ${sizeText(ram + vram)} of memory`;
  const room = Math.min(largestContext, trained);
  const more = room > size ? `; there is memory for ${room}` : '';
  const beyond = trained > 0 && size > trained;
  return {
    lines: [
      {
        what: 'context',
        text: `${text}${more}`,
        ...(beyond
          ? {
              state: 'note',
              remedy: `Beyond ${trained} tokens a model forgets or babbles: --context-size ${trained}`,
            }
          : {}),
      },
    ],
    data: { size, trained, ram, vram, largest: largestContext },
  };
}

const measured = 48;
/** Of the length of a small prompt with tools. */
const words = 'Read these words and then count upwards from one, in words, as far as you can. '.repeat(16);

/** One short turn: long enough to tell a model that is usable from one that is not. */
async function measure(engine: LlamaEngine, { template }: Format): Promise<Part<object>> {
  const prompt = template.render(
    { messages: [{ role: 'user', content: words }], tools: [] },
    { date: dateText(new Date()) },
  );
  const started = performance.now();
  let first: number | undefined;
  const generation = engine.generate(prompt, { maxTokens: measured, stops: template.stops, lane: 'doctor' });
  try {
    for await (const _piece of generation) first ??= performance.now();
  } catch (error) {
    return { lines: [failed('speed', error)], data: { error: failure(error) } };
  }
  const ended = performance.now();
  const { evaluated, generated } = generation.usage;
  const reading = evaluated / (((first ?? ended) - started) / 1000);
  const writing = generated > 4 ? (generated - 1) / ((ended - (first ?? ended)) / 1000) : undefined;
  const wrote =
    writing === undefined ? 'it wrote too little to say how fast it writes' : `${rate(writing)} written`;
  const slow = reading < 10 || (writing ?? 10) < 1;
  return {
    lines: [
      {
        what: 'speed',
        text: `${rate(reading)} read, ${wrote} (tokens a second, over ${evaluated} and ${generated})`,
        ...(slow
          ? { state: 'note', remedy: 'Close other programs, or take a smaller model or quantisation.' }
          : {}),
      },
    ],
    data: {
      evaluated,
      generated,
      read: round(reading),
      ...(writing === undefined ? {} : { written: round(writing) }),
    },
  };
}

const round = (value: number) => Math.round(value * 10) / 10;
const rate = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
