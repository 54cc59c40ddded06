// The `landfall` command: runs it, and how it ends.
import { tellError } from './exit.js';
import { endWhenNobodyReads } from './output.js';
import { makeProgram } from './program.js';

endWhenNobodyReads();
try {
  await makeProgram().parseAsync();
} catch (error) {
  process.exitCode = tellError(error);
}
