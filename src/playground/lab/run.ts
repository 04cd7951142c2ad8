/** One prompt under two settings: a turn each, one after the other, so that neither waits for the other's tokens. */
import { RawcallError } from '../../../parsers/error.ts';
import type { Conversation } from '../../../templates/template.ts';
import type { Engine, Sampling } from '../../engine/engine.ts';
import type { Format } from '../../format.ts';
import { rawModel } from '../../model/raw.ts';
import type { LabRunLine, LabSide } from './lab-protocol.ts';
import { renderOptions, shownTemplate } from './render.ts';

const usualTokens = 512;

/** @param open gives the format of a side; what it throws is that side's failure */
export async function* labRun(
  conversation: Conversation,
  sides: readonly LabSide[],
  engine: Engine,
  open: (name: string | undefined) => Promise<Format>,
  signal: AbortSignal,
): AsyncGenerator<LabRunLine, void> {
  for (const [side, settings] of sides.entries()) {
    try {
      for await (const line of turn(conversation, settings, engine, await open(settings.format), signal))
        yield { side, ...line };
    } catch (error) {
      if (!RawcallError.isInstance(error)) throw error;
      yield { side, type: 'side-failed', code: error.code, message: error.message };
    }
    if (signal.aborted) return;
  }
}

async function* turn(
  conversation: Conversation,
  settings: LabSide,
  engine: Engine,
  format: Format,
  signal: AbortSignal,
) {
  const { constrain, maxTokens = usualTokens } = settings;
  yield { type: 'side-start', format: format.name, model: engine.name } as const;
  const model = rawModel(engine, { ...format, template: shownTemplate(format.template, settings) });
  yield* model.turn(model.render(conversation, renderOptions(settings)), {
    purpose: 'decision',
    // Of its own: what the dialogues have in the KV cache stays there as long as there is room.
    lane: 'lab',
    ...(constrain ? { constrain } : {}),
    sampling: samplingOf(settings),
    maxTokens,
    signal,
  });
}

function samplingOf({ temperature, topK, topP, minP, repeatPenalty, seed }: LabSide): Sampling {
  const all = { temperature, topK, topP, minP, repeatPenalty, seed };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
