/** The knobs of the next question of each dialogue: as they were turned here, else those of its last question. */
import { signal } from '@preact/signals';
import type { Knobs } from '../../protocol.ts';

const turned = signal<ReadonlyMap<string, Knobs>>(new Map());

/** @param last those of the dialogue's last question */
export function chosenKnobs(dialogue: string, last: Knobs | undefined): Knobs {
  return turned.value.get(dialogue) ?? last ?? {};
}

export function chooseKnobs(dialogue: string, knobs: Knobs): void {
  turned.value = new Map(turned.peek()).set(dialogue, knobs);
}

export function withKnob<Name extends keyof Knobs>(knobs: Knobs, name: Name, value: Knobs[Name]): Knobs {
  const { [name]: _, ...others } = knobs;
  return value === undefined ? others : { ...others, [name]: value };
}
