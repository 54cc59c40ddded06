// The code of the embedded database, compiled once for all databases of the process.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/** A compiled WebAssembly module; threads share it. */
export type PostgresModule = object;

// The types of Node.js lack it.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<PostgresModule> };

let compiled: Promise<PostgresModule> | undefined;

/**
 * Compiles it at the first call. It stays in memory until the process ends: otherwise every database that is opened
 * after another was closed would be compiled and optimised anew, which takes a second of a processor.
 */
export function compilePostgres(): Promise<PostgresModule> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<PostgresModule> {
  delayOptimising();
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return WebAssembly.compile(await readFile(join(dirname(entry), 'pglite.wasm')));
}

/**
 * V8 optimises code that has run for long enough. Most processes with an embedded database live for seconds, and optimising
 * takes them longer than it saves: a third of the processor time of a start. This delays it a hundredfold for WebAssembly,
 * to functions that have run for about a tenth of a second each, and tenfold for JavaScript.
 */
function delayOptimising(): void {
  setFlagsFromString('--wasm-tiering-budget=200000000');
  // Later versions of V8 do not have this option.
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=1000000');
}
