/** `npm start`: asks the practice model one question, with the calc server to call. What stands after `--` is added or, if it is no flag, asked instead. */
import { spawnSync } from 'node:child_process';
import { buildIfNeeded, builtCli } from './build-if-needed.mjs';

const given = process.argv.slice(2);
const question = given[0] !== undefined && !given[0].startsWith('-') ? given.shift() : 'What is 31 plus 11?';
const server = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server calc'];

buildIfNeeded();
const { status } = spawnSync(
  process.execPath,
  [builtCli, 'run', question, ...server, '--show', 'calls', ...given],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;
