/** The shape of models/catalog.yaml; models/catalog.schema.json is made of it. */
import { z } from 'zod';
import type { CatalogAdapter, CatalogFile, CatalogModel, Entry, Size } from './catalog.ts';
import { canReckon, reckonedSize } from './reckon.ts';
import { parseSource, parseWheelPart, type Source } from './source.ts';

const text = z.string().min(1);
const url = z.string().regex(/^https?:\/\/\S+$/, 'must be an address that begins with https://');
const count = z.int().min(1);
const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be the 64 hexadecimal digits of a SHA-256');
/** What is typed after `--model`, so nothing that looks like a path, and no colon. */
const name = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/, 'must be small letters, digits, dots and hyphens');

const sourceForms =
  'must be hf:ORG/REPOSITORY:FILE, https://…, wheel:PROJECT==VERSION:PATH (or a list of these: parts of one file) or path:PATH';

const source = z.union([text, z.array(text).min(1)]).transform((given, context): Source => {
  const read = typeof given === 'string' ? parseSource(given) : joined(given);
  if (read) return read;
  context.addIssue({ code: 'custom', message: sourceForms });
  return z.NEVER;
});

function joined(texts: readonly string[]): Source | undefined {
  const parts = texts.map(parseWheelPart).filter(part => part !== undefined);
  return parts.length === texts.length ? { kind: 'wheels', parts } : undefined;
}

const fileShape = {
  bytes: count.optional(),
  about: count.optional(),
  sha256: digest.optional(),
  sources: z.array(source).min(1),
  note: text.optional(),
};

const file = z.strictObject(fileShape).superRefine((one, context) => {
  const refuse = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message });
  if (one.bytes !== undefined && one.about !== undefined)
    refuse('about', 'bytes are there already: keep one');
  if (one.sha256 !== undefined && one.bytes === undefined)
    refuse('sha256', 'a file whose SHA-256 is known has a size that is known: give its bytes');
});

const sampling = z
  .strictObject({
    temperature: z.number().min(0).optional(),
    top_p: z.number().min(0).max(1).optional(),
    top_k: z.int().min(0).optional(),
    min_p: z.number().min(0).max(1).optional(),
    repeat_penalty: z.number().min(0).optional(),
    source: url,
  })
  .transform(
    ({ temperature, top_p: topP, top_k: topK, min_p: minP, repeat_penalty: repeatPenalty, source }) => ({
      ...defined({ temperature, topP, topK, minP, repeatPenalty }),
      source,
    }),
  );

const attention = z
  .strictObject({ layers: count, kv_heads: count, head_size: count })
  .transform(({ layers, kv_heads: kvHeads, head_size: headSize }) => ({ layers, kvHeads, headSize }));

const figure = z.strictObject({ what: text, figure: text, source: url });

const licence = z
  .strictObject({ name: text, url: url.optional() })
  .transform(given => ({ name: given.name, ...defined({ url: given.url }) }));

const entryShape = {
  name,
  title: text,
  makers: text,
  licence,
  card: url.optional(),
  format: text,
  sampling: sampling.optional(),
  good_at: z.array(figure).optional(),
  note: text.optional(),
};

const modelShape = {
  ...entryShape,
  parameters: count,
  active_parameters: count.optional(),
  context: count,
  attention: attention.optional(),
  files: z
    .record(z.string().regex(/^[A-Za-z0-9][\w.-]*$/), file)
    .refine(files => Object.keys(files).length > 0, 'must not be empty'),
};

const model = z
  .strictObject(modelShape)
  .superRefine(({ files }, context) => {
    for (const [quantisation, one] of Object.entries(files))
      if (one.bytes === undefined && one.about === undefined && !canReckon(quantisation))
        context.addIssue({
          code: 'custom',
          path: ['files', quantisation],
          message:
            'needs bytes, or about how many: what this quantisation makes of a model is not known here',
        });
  })
  .transform((given): CatalogModel => {
    const { parameters, active_parameters: activeParameters, context, attention: layers } = given;
    return {
      ...entryOf(given),
      parameters,
      ...defined({ activeParameters }),
      context,
      ...defined({ attention: layers }),
      files: Object.entries(given.files).map(([quantisation, one]) => fileOf(quantisation, one, parameters)),
    };
  });

const adapterShape = {
  ...entryShape,
  base: digest,
  scale: z.number().optional(),
  ...fileShape,
  bytes: count,
  sha256: digest,
};

const adapter = z.strictObject(adapterShape).transform((given): CatalogAdapter => {
  const { base, scale = 1, bytes, sha256, sources } = given;
  return {
    ...entryOf(given),
    base,
    scale,
    file: { quantisation: 'F16', size: { bytes, exact: true }, sha256, sources },
  };
});

export const catalogSchema = z
  .strictObject({
    models: z.array(model),
    adapters: z.array(adapter).default([]),
  })
  .superRefine(({ models, adapters }, context) => {
    const seen = new Set<string>();
    for (const [kind, entries] of Object.entries({ models, adapters }))
      for (const [at, { name }] of entries.entries()) {
        if (seen.has(name))
          context.addIssue({
            code: 'custom',
            path: [kind, at, 'name'],
            message: `another entry is called ${name} already`,
          });
        seen.add(name);
      }
  });

/** All that may stand in one, for whoever mistypes one of them. */
export const catalogKeys: readonly string[] = [
  ...['models', 'adapters', 'temperature', 'top_p', 'top_k', 'min_p', 'repeat_penalty', 'source'],
  ...['layers', 'kv_heads', 'head_size', 'what', 'figure', 'url'],
  ...Object.keys({ ...modelShape, ...adapterShape }),
];

type Given = z.output<z.ZodObject<typeof entryShape>>;

function entryOf({
  name,
  title,
  makers,
  licence,
  card,
  format,
  sampling,
  good_at: goodAt = [],
  note,
}: Given): Entry {
  return {
    name,
    title,
    makers,
    licence,
    ...defined({ card }),
    format,
    ...defined({ sampling }),
    goodAt,
    ...defined({ note }),
  };
}

function fileOf(quantisation: string, given: z.output<typeof file>, parameters: number): CatalogFile {
  const { bytes, about, sha256, sources, note } = given;
  const size: Size =
    bytes === undefined
      ? { bytes: about ?? reckonedSize(parameters, quantisation), exact: false }
      : { bytes, exact: true };
  return { quantisation, size, ...defined({ sha256 }), sources, ...defined({ note }) };
}

/** Without the keys that have no value. */
function defined<G extends object>(given: G): { [Key in keyof G]?: Exclude<G[Key], undefined> } {
  const kept = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [Key in keyof G]?: Exclude<G[Key], undefined> };
}
