// Runs the `landfall` command.

import { setFlagsFromString } from 'node:v8';
import { exitOnClosedPipe } from './output/output.js';
import { reportError } from './process/exit.js';
import { runProgram } from './program/run-program.js';

// The reader of HTTP responses in Node.js is WebAssembly. Optimising it at once takes a third of the processor time of most
// commands, and longer than it saves: this delays it, as the embedded database does.
setFlagsFromString('--wasm-tiering-budget=200000000');
exitOnClosedPipe();
// By itself, Node.js prints the line in which it happened: that of a bundle has no end.
process.on('uncaughtException', (error) => process.exit(reportError(error)));
await runProgram(process.argv.slice(2));
