// Runs files of tests one after the other in this process, each as a suite with its own hooks.
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { describe } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * What a file took: seconds, and seconds of the processor in this process with its threads, without its child processes.
 *
 * @typedef {{ name: string, elapsed: number, processor: number }} Duration
 */

/**
 * @param {readonly string[]} files absolute paths
 * @param {string} durations the file to which the duration of each is appended, as a line of JSON
 * @param {number} timeout the maximum duration of one file, in milliseconds
 */
export async function runFiles(files, durations, timeout) {
  for (const file of files) {
    const name = relative(root, file);
    const started = performance.now();
    const usage = process.cpuUsage();
    await describe(name, { timeout }, async () => {
      await import(pathToFileURL(file).href);
    });
    const { user, system } = process.cpuUsage(usage);
    /** @type {Duration} */
    const duration = {
      name,
      elapsed: (performance.now() - started) / 1e3,
      processor: (user + system) / 1e6,
    };
    appendFileSync(durations, `${JSON.stringify(duration)}\n`);
  }
}
