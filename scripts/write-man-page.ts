/** Writes dist/rawcall.1: part of each build, since it is made of the commands. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandTree } from '../src/cli/command-tree.ts';
import { createLifetime } from '../src/cli/lifetime.ts';
import { packageVersion } from '../src/cli/package.ts';
import { createProgram } from '../src/cli/program.ts';
import { manPage } from './man-page.ts';

const file = path.join(import.meta.dirname, '..', 'dist', 'rawcall.1');
writeFileSync(file, manPage(commandTree(createProgram(createLifetime(), () => {})), packageVersion()));
