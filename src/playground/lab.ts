/** The lab: completions read, messages rendered, and one prompt under two settings. */
import type { Hono } from 'hono';
import { z } from 'zod';
import { RawcallError } from '../../parsers/error.ts';
import { schemaForms } from '../../templates/schema-forms.ts';
import type { Engine } from '../engine/engine.ts';
import { type Format, formatNamed } from '../format.ts';
import { type TemplateSource, templateOf } from '../format-of.ts';
import { toolSchemas } from '../mcp/servers.ts';
import { constraints } from '../model/constrain.ts';
import { openFormat } from '../open-format.ts';
import { badRequest } from '../server/api-error.ts';
import type { RawParts } from '../server/service.ts';
import { bodyOf, exactJson, lineStream } from './answers.ts';
import { labParse } from './lab/parse.ts';
import { conversationOf, labRender } from './lab/render.ts';
import { labRun } from './lab/run.ts';

export interface LabOptions {
  /** The model that is open, held until it is disposed of; nothing where none is. Nobody waits for one to be opened. */
  readonly present: () => Promise<HeldModel | undefined>;
  /**
   * The same, but it is opened and waited for.
   *
   * @throws RawcallError as opening a model does; `api_error` (501) where it takes no prompts of our own
   */
  readonly take: (signal: AbortSignal) => Promise<HeldModel>;
}

/** `format`: the one that it speaks. */
export type HeldModel = RawParts & Disposable;

const names = z.array(z.string()).min(1, 'Name at least one format.');
const piece = z.strictObject({
  text: z.string(),
  control: z.boolean().exactOptional(),
  tokens: z.array(z.int()).exactOptional(),
});
const parseBody = z.strictObject({
  completion: z.union([z.string(), z.array(piece)], 'It must be a text, or a list of {"text": …}.'),
  formats: names,
  cuts: z.union(
    [z.enum(['whole', 'characters', 'pieces']), z.array(z.int().min(0))],
    'It must be whole, characters, pieces, or a list of places.',
  ),
  tools: z.unknown().exactOptional(),
  prefill: z.string().exactOptional(),
  promptEnd: z.string().exactOptional(),
  stop: z.enum(['stop', 'length', 'aborted']).exactOptional(),
  controlTokens: z.union([z.enum(['formats', 'model']), z.array(z.string())]).exactOptional(),
});

const rendering = {
  schema: z.enum(['native', 'system', 'user', 'tail', 'none']).exactOptional(),
  schemaForm: z.enum(schemaForms).exactOptional(),
  toolSchemas: z.enum(toolSchemas).exactOptional(),
  thinking: z.boolean().exactOptional(),
};
const conversation = { messages: z.unknown(), tools: z.unknown().exactOptional() };
const renderBody = z.strictObject({
  ...conversation,
  ...rendering,
  formats: names,
  date: z.string().exactOptional(),
  generationPrompt: z.boolean().exactOptional(),
});

const share = z.number().min(0).max(1).exactOptional();
const side = z.strictObject({
  ...rendering,
  format: z.string().exactOptional(),
  constrain: z.enum(constraints).exactOptional(),
  temperature: z.number().min(0).exactOptional(),
  topK: z.int().min(0).exactOptional(),
  topP: share,
  minP: share,
  repeatPenalty: z.number().min(0).exactOptional(),
  seed: z.int().min(0).exactOptional(),
  maxTokens: z.int().min(1).exactOptional(),
});
const runBody = z.strictObject({ ...conversation, sides: z.array(side).min(1).max(2) });

export function addLab(api: Hono, { present, take }: LabOptions): void {
  api.post('/lab/parse', async context => {
    const given = await bodyOf(context, parseBody);
    const formats = [...new Set(given.formats)].map(named);
    using model = given.controlTokens === 'model' ? await present() : undefined;
    return exactJson(context, labParse(given, formats, model?.engine.controlTokens));
  });

  api.post('/lab/render', async context => {
    const given = await bodyOf(context, renderBody);
    using model = await present();
    return context.json(await labRender(given, name => open(name, model), model?.engine));
  });

  api.post('/lab/run', async context => {
    const given = await bodyOf(context, runBody);
    const asked = conversationOf(given);
    return lineStream(async function* (signal) {
      using model = await take(signal);
      const of = async (name: string | undefined) => (name === undefined ? model.format : open(name, model));
      for await (const line of labRun(asked, given.sides, model.engine, of, signal)) yield [line];
    });
  });
}

/** By its name alone: the path of a module would be a program of this machine. */
function named(name: string): Format {
  try {
    return formatNamed(name);
  } catch (error) {
    return badRequest(RawcallError.isInstance(error) ? error.message : String(error), 'formats');
  }
}

async function open(name: string, model: HeldModel | undefined): Promise<Format> {
  if (name !== 'jinja') return named(name);
  const { engine } = model ?? {};
  if (!engine || !bringsTemplate(engine))
    throw new RawcallError(
      'bad_chat_template',
      'The chat template of the model itself can be rendered when a model with one is loaded.',
    );
  return openFormat(name, templateOf(engine));
}

/** A model elsewhere keeps its chat template to itself. */
function bringsTemplate(engine: Engine): engine is Engine & TemplateSource {
  return 'info' in engine;
}
