// Runs the `landfall` command.

import { makeProgram } from './commands/program.js';
import { exitOnClosedPipe } from './output/output.js';
import { reportError } from './process/exit.js';

exitOnClosedPipe();
try {
  await makeProgram().parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
