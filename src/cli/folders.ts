/** The folders of what the command line keeps. */
import path from 'node:path';
import { cacheFolder, dataFolder } from '../user-folders.ts';

/** What prompts begin with, evaluated. */
export const stateFolder = (...where: Parameters<typeof cacheFolder>): string =>
  path.join(cacheFolder(...where), 'states');

/** What servers listed. */
export const toolsFolder = (): string => path.join(cacheFolder(), 'tools');

/** Transcripts. */
export const runsFolder = (...where: Parameters<typeof dataFolder>): string =>
  path.join(dataFolder(...where), 'runs');

/** Results of evaluations. */
export const evalsFolder = (): string => path.join(dataFolder(), 'evals');

/** Dialogues of the playground. */
export const dialoguesFolder = (): string => path.join(dataFolder(), 'dialogues');
