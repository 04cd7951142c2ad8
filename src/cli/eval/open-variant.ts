/** A variant of the matrix with a model behind it. The GGUF of several variants is loaded once. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { type AgentOptions, createAgent } from '../../agent/agent.ts';
import { approval, parseApproval } from '../../agent/approval.ts';
import { auto, autoPolicy } from '../../agent/auto-policy.ts';
import type { Engine } from '../../engine/engine.ts';
import type { LlamaEngine } from '../../engine/llama.ts';
import type { MatrixVariant } from '../../eval/matrix.ts';
import type { Asking, OpenVariant } from '../../eval/run.ts';
import type { TaskSettings } from '../../eval/task.ts';
import type { TaskTools } from '../../eval/task-tools.ts';
import type { Host } from '../../mcp/host.ts';
import type { McpServer } from '../../mcp/servers.ts';
import type { Model } from '../../model/model.ts';
import { rawModel } from '../../model/raw.ts';
import type { ToolSource } from '../../tools.ts';
import { recordedAgent } from '../../transcript/record-agent.ts';
import { openRecorder } from '../../transcript/recorder.ts';
import { aboutModel, type DialogueModel } from '../dialogue-model.ts';
import { openEndpointModel } from '../endpoint-model.ts';
import type { Lifetime } from '../lifetime.ts';
import { toolOffers } from '../offered-tools.ts';
import { modelFormat, namedFormat, openEngine } from '../open-model.ts';
import { keptOut, recordingOf } from '../recording.ts';
import { samplingOf } from '../sampling.ts';
import type { Values } from '../settings.ts';
import { notice } from '../show.ts';
import { withShownSchemas } from '../shown-schemas.ts';

export interface VariantsOptions {
  readonly values: Values;
  readonly settings: TaskSettings;
  readonly servers: readonly McpServer[];
  readonly lifetime: Lifetime;
  /** The results, beside which transcripts are written. */
  readonly file: string;
  /** Samples taken at a time; default: one an endpoint. */
  readonly parallel?: number;
}

export interface Variants {
  open(variant: MatrixVariant): Promise<OpenVariant>;
  closeModel(): Promise<void>;
}

interface VariantModel {
  readonly about: Omit<DialogueModel, 'model'>;
  model(origin: Host['origin'], onFirstPiece: () => void): Model;
}

export function openVariants(options: VariantsOptions): Variants {
  const { values, settings, lifetime, parallel } = options;
  const rules = parseApproval(['auto', ...(values.approve ?? [])]);
  const recording = values.record === false ? undefined : keptOut(values, options.servers);
  let engine: { readonly path: string; readonly opened: LlamaEngine } | undefined;

  async function closeModel(): Promise<void> {
    const last = engine;
    engine = undefined;
    await last?.opened.close();
  }

  async function engineOf(file: string): Promise<LlamaEngine> {
    if (engine?.path === file) return engine.opened;
    await closeModel();
    // What is kept for the next start would be a state for each variant.
    const opened = await openEngine({ ...values, model: file, cache: false }, lifetime);
    engine = { path: file, opened };
    return opened;
  }

  async function modelOf({ entry, format, schemaForm }: MatrixVariant): Promise<VariantModel> {
    const own: Values = {
      ...values,
      ...(format === auto || format === 'chat' ? {} : { format }),
      ...('endpoints' in entry && entry.api === 'chat' ? {} : { schemaForm }),
    };
    if ('endpoints' in entry) {
      // What is said of models on this machine is none of theirs.
      const { lora: _lora, gpu: _, gpuLayers: _layers, threads: _threads, ...elsewhere } = own;
      const asked = {
        ...elsewhere,
        ...(entry.api ? { api: entry.api } : {}),
        ...(entry.name ? { endpointModel: entry.name } : {}),
      };
      const { model, ...about } = await openEndpointModel(asked, entry.endpoints, lifetime);
      return { about, model };
    }
    const named = await namedFormat(own);
    const opened = await engineOf(entry.path);
    const found = named ?? (await modelFormat(own, opened));
    return {
      about: await aboutModel(opened, found, own),
      model: (origin, onFirstPiece) =>
        rawModel(noting(opened, onFirstPiece), withShownSchemas(found, own, origin)),
    };
  }

  async function open(variant: MatrixVariant): Promise<OpenVariant> {
    const { about, model } = await modelOf(variant);
    const { entry, turns, constrain, schemaForm } = variant;
    const chosen = autoPolicy(about, turns);
    const { schema, decisionHistory, thinking, maxSeconds } = values;
    const policy = {
      ...chosen,
      ...(schema ? { schema } : {}),
      ...(decisionHistory ? { decisionHistory } : {}),
    };
    const render = { schemaForm, ...(thinking === undefined ? {} : { thinking }) };
    const { maxTokens = settings.maxTokens, maxRounds = settings.maxRounds } = values;
    const { temperature = settings.temperature } = values;
    const offers = new WeakMap<Host, () => ToolSource>();
    const { contextSize, parameters, recorded, speaker } = about;

    function offered(host: Host): ToolSource {
      const offer =
        offers.get(host) ??
        toolOffers(values, { host, model: model(host.origin, () => {}), contextSize, policy, render });
      offers.set(host, offer);
      return offer();
    }

    function agentOptions(
      { task, seed }: Asking,
      { host }: TaskTools,
      onFirstPiece: () => void,
    ): AgentOptions {
      return {
        model: model(host.origin, onFirstPiece),
        tools: offered(host),
        approve: approval({ ...rules, origin: host.origin }),
        policy,
        render,
        constrain,
        sampling: { ...samplingOf(values), ...(temperature === undefined ? {} : { temperature }), seed },
        messages: task.earlier,
        ...(maxTokens === undefined ? {} : { maxTokens }),
        ...(maxRounds === undefined ? {} : { maxRounds }),
        ...(maxSeconds === undefined ? {} : { limits: { runSeconds: maxSeconds } }),
      };
    }

    return {
      about: {
        format: speaker.format,
        policy: chosen,
        ...(recorded.file ? { modelHash: recorded.file.sha256 } : {}),
        ...(parameters === undefined ? {} : { parameters }),
        ...(Number.isFinite(contextSize) ? { contextSize } : {}),
      },
      atOnce: parallel ?? ('endpoints' in entry ? entry.endpoints.length : 1),
      agent(asking, tools, onFirstPiece) {
        const given = agentOptions(asking, tools, onFirstPiece);
        if (!recording) return { agent: createAgent(given), options: given, close() {} };
        const file = transcriptFile(asking);
        // Of a sample that broke off, and is taken again.
        rmSync(file, { force: true });
        const recorder = openRecorder({ ...recording, file, onFailure: notice });
        const agent = recordedAgent(
          given,
          recordingOf(recorder, { dialogue: about, host: tools.host, values }),
        );
        const transcript = path.relative(path.dirname(path.resolve(options.file)), file);
        return { agent, options: given, transcript, close: recorder.close };
      },
    };
  }

  function transcriptFile({ variant, task, sample }: Asking): string {
    const folder = values.record || `${options.file.replace(/\.jsonl?$/, '')}.transcripts`;
    return path.resolve(folder, plain(variant.id), `${plain(task.id)}-${sample}.jsonl`);
  }

  return { open, closeModel };
}

/** As a file may be called on every system. */
function plain(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^\.+/, '_');
}

/** The engine itself, but that somebody is told of each generation's first piece. */
function noting(engine: LlamaEngine, onFirstPiece: () => void): Engine {
  const generate: Engine['generate'] = (prompt, how) => {
    const generation = engine.generate(prompt, how);
    return {
      async *[Symbol.asyncIterator]() {
        for await (const piece of generation) {
          onFirstPiece();
          yield piece;
        }
      },
      get usage() {
        return generation.usage;
      },
      get reason() {
        return generation.reason;
      },
    };
  };
  return Object.assign(Object.create(engine) as Engine, { generate });
}
