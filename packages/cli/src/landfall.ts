// Runs the `landfall` command.

import { exitOnClosedPipe } from './output/output.js';
import { runProgram } from './program/run-program.js';

exitOnClosedPipe();
await runProgram(process.argv.slice(2));
