/** One model at a time, held by those who use it: another one is opened when the last of them is done. */
import path from 'node:path';
import { RawcallError } from '../../../parsers/error.ts';
import type { LlamaEngine } from '../../engine/llama.ts';
import type { ModelState } from '../../playground/protocol.ts';
import { type DialogueModel, modelHere, openDialogueModel } from '../dialogue-model.ts';
import { usageError } from '../exit.ts';
import { type Closing, together } from '../lifetime.ts';
import { modelFormat, namedFormat, type OpenModel, openEngine, openVocabulary } from '../open-model.ts';

import type { Values } from '../settings.ts';
import { modelOf } from './knobs.ts';

export interface Held extends Disposable {
  readonly opening: number;
  /** As these settings have it driven. */
  dialogue(values: Values): Promise<DialogueModel>;
}

export interface Models {
  /** There is this one and no other. */
  readonly fixed: boolean;
  readonly state: ModelState;
  /** Opens the first one, before anybody asks for it. */
  begin(): Promise<void>;
  /** Opens it where it isn't open. What is asked first is served first. */
  take(values: Values, signal: AbortSignal): Promise<Held>;
  /** Undefined where another one is open, or none. */
  present(values: Values): Held | undefined;
}

interface Open {
  readonly key: string;
  readonly opening: number;
  readonly dialogue: (values: Values) => Promise<DialogueModel>;
  readonly close: () => Promise<void>;
}

export function openModels(first: Values, lifetime: Closing, onChange: () => void): Models {
  let state: ModelState = loading(first);
  let current: Open | undefined;
  let openings = 0;
  let holders = 0;
  let idle = () => {};
  /** The last of those who wait for their turn. */
  let queue: Promise<unknown> = Promise.resolve();
  // Asked for before anything uses a model, so that it is closed after that.
  lifetime.closeAtEnd(async () => current?.close());

  function hold({ opening, dialogue }: Open): Held {
    let held = true;
    holders++;
    return {
      opening,
      dialogue,
      [Symbol.dispose]() {
        if (held) holders--;
        held = false;
        if (holders === 0) idle();
      },
    };
  }

  async function replaced(values: Values, signal: AbortSignal): Promise<Open> {
    const key = keyOf(values);
    if (current?.key === key) return current;
    await nobodyHolds(signal);
    if (current) await checkModel(values);
    setState(loading(values));
    await current?.close();
    current = undefined;
    try {
      const opened = await open(values);
      current = { key, opening: ++openings, ...opened };
      setState(await readyState(values, current));
      return current;
    } catch (error) {
      const { code, message } = failure(error);
      setState({ phase: 'failed', model: modelOf(values), code, message });
      throw error;
    }
  }

  function setState(next: ModelState): void {
    state = next;
    onChange();
  }

  function nobodyHolds(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (holders === 0) return resolve();
      const stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      idle = () => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
    });
  }

  function take(values: Values, signal: AbortSignal): Promise<Held> {
    const turn = queue.then(async () => {
      signal.throwIfAborted();
      return hold(await replaced(values, signal));
    });
    queue = turn.catch(() => {});
    return new Promise((resolve, reject) => {
      // Whoever is stopped does not wait for a model to be read; it is there for the next one.
      const stop = () => {
        reject(signal.reason);
        turn.then(held => held[Symbol.dispose]()).catch(() => {});
      };
      signal.addEventListener('abort', stop, { once: true });
      turn.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }

  return {
    fixed: false,
    get state() {
      return state;
    },
    async begin() {
      const held = await take(first, new AbortController().signal);
      held[Symbol.dispose]();
    },
    take,
    present(values) {
      return current?.key === keyOf(values) ? hold(current) : undefined;
    },
  };
}

/**
 * The one model of a server that others use too.
 *
 * @param opened is waited for
 */
export function fixedModel(first: Values, opened: Promise<OpenModel>, onChange: () => void): Models {
  let state: ModelState = loading(first);
  let open: Pick<Open, 'dialogue'> | undefined;

  async function there(): Promise<Pick<Open, 'dialogue'>> {
    const { engine } = await opened;
    open ??= { dialogue: dialogueOf(engine) };
    return open;
  }

  async function begin(): Promise<void> {
    const open = await there();
    state = await readyState(first, open);
    onChange();
  }

  function held(values: Values, { dialogue }: Pick<Open, 'dialogue'>): Held {
    if (keyOf(values) !== keyOf(first))
      throw usageError('This server has one model, which others use too. Start rawcall play to choose one.');
    return { opening: 1, dialogue, [Symbol.dispose]() {} };
  }

  return {
    fixed: true,
    get state() {
      return state;
    },
    begin,
    async take(values) {
      return held(values, await there());
    },
    present: values => open && held(values, open),
  };
}

/** An endpoint's engine knows the control tokens of the format alone, so that it is another one for each. */
function keyOf(values: Values): string {
  const { endpoint, format, chatTemplate, toolSchemas } = values;
  return endpoint === undefined
    ? path.resolve(modelOf(values))
    : JSON.stringify([endpoint, format, chatTemplate, toolSchemas]);
}

async function open(values: Values): Promise<Pick<Open, 'dialogue' | 'close'>> {
  // A mistyped format must not cost the loading of a model.
  await namedFormat(values);
  const part = together();
  const close = () => part.close();
  if (values.endpoint !== undefined) {
    const dialogue = await openDialogueModel(values, part);
    return { dialogue: async () => dialogue, close };
  }
  const engine = await openEngine(values, part);
  return { dialogue: dialogueOf(engine), close };
}

function dialogueOf(engine: LlamaEngine): Open['dialogue'] {
  return async values => {
    const format = (await namedFormat(values)) ?? (await modelFormat(values, engine));
    return modelHere({ engine, format }, values);
  };
}

/** A slip in a path must not cost the model that is open. */
async function checkModel(values: Values): Promise<void> {
  if (values.endpoint !== undefined) return;
  const part = together();
  await openVocabulary(values, part);
  await part.close();
}

function loading(values: Values): ModelState {
  const model = modelOf(values);
  return { phase: 'loading', model, name: values.endpoint ? model : path.parse(model).name };
}

async function readyState(values: Values, { dialogue }: Pick<Open, 'dialogue'>): Promise<ModelState> {
  const { speaker, parameters, contextSize, raw } = await dialogue(values);
  return {
    phase: 'ready',
    model: modelOf(values),
    name: speaker.model,
    format: speaker.format,
    ...(parameters === undefined ? {} : { parameters }),
    ...(Number.isFinite(contextSize) ? { contextSize } : {}),
    hasTokenizer: raw?.engine.tokenize !== undefined,
  };
}

function failure(error: unknown): { readonly code: string; readonly message: string } {
  const message = error instanceof Error ? error.message : String(error);
  return { code: RawcallError.isInstance(error) ? error.code : 'unexpected', message };
}
