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
try {
  await program.parseAsync();
} catch (error) {
  // While leaving, what was interrupted may fail in any way.
  if (!lifetime.leaving) code = reportError(error);
}
await lifetime.leave(code);
