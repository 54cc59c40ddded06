// Runs the `landfall` command.

import { exitOnClosedPipe } from './output/output.js';
import { reportError } from './process/exit.js';
import { runProgram } from './program/run-program.js';

exitOnClosedPipe();
// By itself, Node.js prints the line in which it happened: that of a bundle has no end.
process.on('uncaughtException', (error) => process.exit(reportError(error)));
await runProgram(process.argv.slice(2));
