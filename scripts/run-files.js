// Runs files of tests one after the other in this process, each as a suite with its own hooks.
import assert from 'node:assert/strict';
import { ChildProcess } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { after, describe } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { processorOfChildren } from './processor-of-children.js';

/** How long a process may take to end after its tests, in milliseconds: a loop or a server that a test has left keeps it. */
const EXIT_TIMEOUT_MS = 30_000;

/** How long processes that tests have ended may take to end on a busy machine, in milliseconds. */
const GRACE_MS = 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * What a file took: seconds, and seconds of the processor in this process with its threads, and in its child processes.
 *
 * @typedef {{ name: string, elapsed: number, own: number, children: number }} Duration
 */

/** The name of the suite that a file is. @param {string} file absolute path */
export function nameOfFile(file) {
  return relative(root, file);
}

/**
 * @param {readonly string[]} files absolute paths
 * @param {string} durations the file to which the duration of each is appended, as a line of JSON
 * @param {number} timeout the maximum duration of one file, in milliseconds
 * @param {number} grace how long the processes that a file has started may take to end after it, in milliseconds
 */
export async function runFiles(files, durations, timeout, grace = GRACE_MS) {
  for (const file of files) {
    const name = nameOfFile(file);
    const started = performance.now();
    const usage = process.cpuUsage();
    const childUsage = processorOfChildren();
    await describe(name, { timeout }, async () => {
      await import(pathToFileURL(file).href);
      // After the hooks of the file. A hook outside all suites would run after the first file.
      after(() => endChildProcesses(grace));
    });
    const { user, system } = process.cpuUsage(usage);
    /** @type {Duration} */
    const duration = {
      name,
      elapsed: (performance.now() - started) / 1e3,
      own: (user + system) / 1e6,
      children: processorOfChildren() - childUsage,
    };
    appendFileSync(durations, `${JSON.stringify(duration)}\n`);
  }
  setTimeout(() => endWithWhatIsLeft(files), EXIT_TIMEOUT_MS).unref();
}

/**
 * Ends processes that a file has started and not ended: this process and its output would stay open as long as they do.
 * Their test is the one that failed, or it does not end what it starts.
 *
 * @param {number} grace
 */
async function endChildProcesses(grace) {
  const end = performance.now() + grace;
  while (performance.now() < end && childProcesses().length > 0) await delay(100);
  const left = childProcesses();
  for (const child of left) child.kill('SIGKILL');
  const commands = left.map(({ spawnargs }) => spawnargs.join(' '));
  assert.deepEqual(commands, [], 'tests have left processes running');
}

/** Ends this process, which would not end by itself: nothing waits for it, and it counts as failed. */
function endWithWhatIsLeft(files) {
  const resources = process.getActiveResourcesInfo().join(', ');
  console.error(`one of these files has left something that keeps the process (${resources}):`);
  console.error(files.map(nameOfFile).join('\n'));
  process.exit(1);
}

/** There is no documented list of them. */
function childProcesses() {
  return process._getActiveHandles().filter((handle) => handle instanceof ChildProcess);
}
