/** Which models of a catalog serve on a machine, the best first. */
import type { CatalogFile, CatalogModel } from './catalog.ts';
import { cachePerToken, contextThatFits, memoryNeeded } from './memory.ts';

export interface MachineRoom {
  /** For weights and cache, in bytes. */
  readonly memory: number;
  /** As it was measured; absent where it could not be. */
  readonly speed?: { readonly reading: number; readonly writing: number };
}

export interface Candidate {
  readonly model: CatalogModel;
  readonly file: CatalogFile;
  /** In tokens. */
  readonly context: number;
  /** In bytes, with that context. */
  readonly memory: number;
  /** Tokens a second, of a prompt and of an answer. */
  readonly reading?: number;
  readonly writing?: number;
}

/** Some tools and a dialogue; with less, an agent forgets what it was asked. */
const leastContext = 4096;
/** More is seldom used, and takes memory from others. */
const mostContext = 32_768;
/** In tokens a second. People read about as fast; a prompt with tools, a thousand tokens, is read in half a minute. */
export const leastWriting = 5;
export const leastReading = 30;
/** How much of the context is full where an answer is written, in tokens: its cache is read too. */
const usualPrompt = 1000;

/** Those that fit and would be fast enough. */
export function candidates(models: readonly CatalogModel[], room: MachineRoom): Candidate[] {
  return fitting(models, room).filter(serves).sort(better);
}

/** Those that fit and would not, the least slow first. */
export function slowOnes(models: readonly CatalogModel[], room: MachineRoom): Candidate[] {
  return fitting(models, room)
    .filter(one => !serves(one))
    .sort((left, right) => (right.writing ?? 0) - (left.writing ?? 0));
}

function fitting(models: readonly CatalogModel[], room: MachineRoom): Candidate[] {
  return models.flatMap(model => model.files.flatMap(file => candidate(model, file, room) ?? []));
}

/** What was not measured is not held against it. */
function serves({ reading = leastReading, writing = leastWriting }: Candidate): boolean {
  return reading >= leastReading && writing >= leastWriting;
}

/** More parameters serve better. Of one model, a file whose bytes are known goes before one that nobody has seen, and else the larger one. */
function better(left: Candidate, right: Candidate): number {
  return (
    right.model.parameters - left.model.parameters ||
    Number(right.file.size.exact) - Number(left.file.size.exact) ||
    right.file.size.bytes - left.file.size.bytes
  );
}

function candidate(model: CatalogModel, file: CatalogFile, room: MachineRoom): Candidate | undefined {
  const fits = Math.min(contextThatFits(model, file, room.memory), mostContext);
  if (fits < leastContext) return undefined;
  const context = Math.floor(fits / 1024) * 1024;
  const found = { model, file, context, memory: memoryNeeded(model, file, context) };
  if (!room.speed) return found;
  const working = model.activeParameters ?? model.parameters;
  const bytes = file.size.bytes * (working / model.parameters) + usualPrompt * cachePerToken(model);
  return { ...found, reading: room.speed.reading / working, writing: room.speed.writing / bytes };
}
