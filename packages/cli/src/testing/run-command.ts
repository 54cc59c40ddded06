// Runs commands in one process per test file, one after the other, which is faster than `runLandfall`. For tests of
// output, and for what tests prepare.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CommandRequest, CommandResponse } from './command-process.js';
import type { Run } from './run-landfall.js';

const script = fileURLToPath(new URL('./command-process.js', import.meta.url));

let child: ChildProcess | undefined;
let runs = 0;

/** Runs the command to its end. */
export async function runCommand(
  words: readonly string[],
  { input = '', environment = {} }: { input?: string; environment?: NodeJS.ProcessEnv } = {},
): Promise<Run> {
  child ??= fork(script, {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const running = child;
  const id = ++runs;
  const request: CommandRequest = { id, words, input, environment };
  running.ref();
  running.channel?.ref();
  running.send(request);
  const failed = new AbortController();
  try {
    return await Promise.race([
      responseTo(running, id),
      once(running, 'exit', { signal: failed.signal }).then(([code]) => {
        throw new Error(`the process of the command ended with ${code}`);
      }),
    ]);
  } finally {
    failed.abort();
    running.unref();
    running.channel?.unref();
  }
}

function responseTo(running: ChildProcess, id: number): Promise<Run> {
  return new Promise((resolve) => {
    const receive = (response: CommandResponse) => {
      if (response.id !== id) return;
      running.off('message', receive);
      resolve(response.run);
    };
    running.on('message', receive);
  });
}
