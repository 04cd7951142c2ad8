/** The lab: completions read, messages rendered, and one prompt under two settings. */
import type { Hono } from 'hono';
import { z } from 'zod';
import { RawcallError } from '../../parsers/error.ts';
import { schemaForms } from '../../templates/schema-forms.ts';
import type { Engine } from '../engine/engine.ts';
import { type Format, formatNamed } from '../format.ts';
import { type TemplateSource, templateOf } from '../format-of.ts';
import { jsonLine } from '../json.ts';
import { toolSchemas } from '../mcp/servers.ts';
import { constraints } from '../model/constrain.ts';
import { openFormat } from '../open-format.ts';
import { badRequest } from '../server/api-error.ts';
import { checked } from '../server/openai/fields.ts';
import { labParse } from './lab/parse.ts';
import { conversationOf, labRender } from './lab/render.ts';
import { labRun } from './lab/run.ts';
import { lineStream } from './line-stream.ts';

/** The model that is loaded. */
export interface LabModel {
  readonly engine: Engine;
  /** The one that it speaks. */
  readonly format: Format;
  /** Where it brings a chat template of its own. */
  readonly source?: TemplateSource;
}

export interface LabOptions {
  /** Nothing while there is none. Nobody waits for it. */
  readonly model: () => LabModel | undefined;
  /**
   * The model, which stays loaded until it is given back; it is waited for.
   *
   * @throws RawcallError where it cannot be loaded, or takes no prompts of our own
   */
  readonly borrow: () => Promise<LabModel & Disposable>;
}

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
  stop: z.enum(['stop', 'length', 'aborted']).exactOptional(),
  controlTokens: z.union([z.literal('formats'), z.array(z.string())]).exactOptional(),
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

export function addLab(app: Hono, { model, borrow }: LabOptions): void {
  app.post('/lab/parse', async context => {
    const given = checked(parseBody, await context.req.json());
    const formats = [...new Set(given.formats)].map(named);
    // With every digit that the model wrote.
    return context.body(jsonLine(labParse(given, formats)), 200, {
      'content-type': 'application/json',
    });
  });

  app.post('/lab/render', async context => {
    const given = checked(renderBody, await context.req.json());
    const loaded = model();
    return context.json(await labRender(given, name => open(name, loaded), loaded?.engine));
  });

  app.post('/lab/run', async context => {
    const given = checked(runBody, await context.req.json());
    const asked = conversationOf(given);
    return lineStream(context, async function* (signal) {
      using loaded = await borrow();
      const of = async (name: string | undefined) =>
        name === undefined ? loaded.format : open(name, loaded);
      yield* labRun(asked, given.sides, loaded.engine, of, signal);
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

async function open(name: string, loaded: LabModel | undefined): Promise<Format> {
  if (name !== 'jinja') return named(name);
  const source = loaded?.source;
  if (!source)
    throw new RawcallError(
      'bad_chat_template',
      'The chat template of the model itself can be rendered when a model with one is loaded.',
    );
  return openFormat(name, templateOf(source));
}
