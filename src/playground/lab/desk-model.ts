/** The lab's model is the one that is open, whatever dialogue had it opened; where none is, that of the settings. */
import { refuse } from '../../server/api-error.ts';
import type { Desk, Place } from '../desk.ts';
import type { HeldModel, LabOptions } from '../lab.ts';
import type { Knobs } from '../protocol.ts';

export function deskModel(desk: Desk): LabOptions {
  const open = (): Knobs => {
    const { model } = desk.state();
    return model.phase === 'ready' ? { model: model.model } : {};
  };
  return {
    async present() {
      const place = await desk.present(open());
      return place && held(place);
    },
    async take(signal) {
      return held(await desk.take(open(), signal)) ?? noPrompts();
    },
  };
}

function held(place: Place): HeldModel | undefined {
  if (place.raw) return { ...place.raw, [Symbol.dispose]: () => place[Symbol.dispose]() };
  place[Symbol.dispose]();
  return undefined;
}

function noPrompts(): never {
  return refuse({
    ...{ status: 501, type: 'invalid_request_error', code: 'no_raw_prompts' },
    message: 'The model is an endpoint that writes its own prompts (--api chat), so the lab cannot run one.',
  });
}
