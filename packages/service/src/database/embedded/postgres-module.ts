// The code of the embedded database, compiled once for all databases of the process.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return WebAssembly.compile(await readFile(join(dirname(entry), 'pglite.wasm')));
}
