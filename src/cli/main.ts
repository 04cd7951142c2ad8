/** The entry of the command line. */
import { reportError } from './exit.ts';
import { createLifetime } from './lifetime.ts';
import { onReaderGone } from './output.ts';
import { createProgram } from './program.ts';

const lifetime = createLifetime();
onReaderGone(() => void lifetime.leave(0));

let code = 0;
const program = createProgram(lifetime, result => {
  code = result;
});
/** Alone on a terminal it greets; a script that forgot its arguments gets the help, and an error. */
const alone = process.argv.length === 2 && process.stdin.isTTY && process.stdout.isTTY;
try {
  await program.parseAsync(alone ? [...process.argv, 'welcome'] : process.argv);
} catch (error) {
  // While leaving, what was interrupted may fail in any way.
  if (!lifetime.leaving) code = reportError(error);
}
await lifetime.leave(code);
