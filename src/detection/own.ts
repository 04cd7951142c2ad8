/** The parts of each format here, as its own template renders them and as published templates are known to. */
import { type Format, formats } from '../format.ts';
import { type Errand, errandOf, openingOf, type Render, type Talk, talkOf } from './parts.ts';
import { endOfSequence, renderFormat } from './render.ts';
import { type Variant, variants } from './variants.ts';

/** How replies are opened with thinking on and off. */
export interface Openings {
  readonly on: string | undefined;
  readonly off: string | undefined;
}

/** What only some of the formats are asked for is rendered when it is. */
export interface Own {
  readonly format: Format;
  readonly talk: Talk;
  errand(): Errand;
  openings(): Openings;
}

export const openingsOf = (render: Render): Openings => ({
  on: openingOf(render, true),
  off: openingOf(render, false),
});

/** What is the same in every format: a template is told its end-of-sequence token, and an empty thought may be just closed. */
export function normal(text: string, { template }: Format): string {
  return text.replaceAll(endOfSequence, template.stops[0] ?? '').replaceAll('<think></think>', '</think>');
}

let known: readonly Own[] | undefined;

/** They never change. The format itself comes before its variants. */
export function ownParts(): readonly Own[] {
  known ??= formats.flatMap(partsOf);
  return known;
}

function partsOf(format: Format): Own[] {
  const render = renderFormat(format.template);
  const talk = talkOf(render);
  if ('failure' in talk) throw notRendered(format);
  const errand = once(() => {
    const found = errandOf(render);
    if (typeof found === 'string') throw notRendered(format);
    return found;
  });
  const openings = once(() => openingsOf(render));
  const published = [{}, ...(variants[format.name] ?? [])] as const;
  return published.map((variant: Variant) => ({
    format,
    talk: { ...talk, ...variant.talk },
    errand: () => ({ ...errand(), ...variant.errand }),
    openings,
  }));
}

const notRendered = ({ name }: Format) => new Error(`The format ${name} does not render its probes.`);

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
