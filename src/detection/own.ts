/** The parts of each format here, as its own template renders them and as published templates are known to. */
import { type Format, formats } from '../format.ts';
import { type Errand, errandOf, openingOf, type Render, type Talk, talkOf } from './parts.ts';
import { endOfSequence, renderFormat } from './render.ts';
import { variants } from './variants.ts';

/** How replies are opened with thinking on and off. */
export interface Openings {
  readonly on: string | undefined;
  readonly off: string | undefined;
}

export interface Own {
  readonly format: Format;
  readonly talk: Talk;
  readonly errand: Errand;
  readonly openings: Openings;
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
  const [talk, errand] = [talkOf(render), errandOf(render)];
  if ('failure' in talk || typeof errand === 'string')
    throw new Error(`The format ${format.name} does not render its probes.`);
  const own = { format, talk, errand, openings: openingsOf(render) };
  const others = variants[format.name] ?? [];
  return [
    own,
    ...others.map(other => ({
      ...own,
      talk: { ...talk, ...other.talk },
      errand: { ...errand, ...other.errand },
    })),
  ];
}
