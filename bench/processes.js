// Starts the processes of a run, and reads what they used.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** As the guide to production has it; the bare servers too. */
const NODE_OPTIONS = ['--max-semi-space-size=64'];

/** Starts a target and waits until it is ready; writes a processor profile to a folder when it ends, if one is named. */
export async function startTarget(name, args, profile) {
  const child = fork(here(`targets/${name}.js`), args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [
      ...NODE_OPTIONS,
      ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
    ],
  });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${name} ended with ${code} before it was ready`);
    }),
  ]);
  return child;
}

/**
 * Starts a Landfall server and waits until it is ready. Servers with one base port are one service.
 *
 * @param {{ port: number, basePort?: number, place: string, keysFolder: string, provider: { issuer: string },
 *   natsUrl?: string }} server `place`: an address of PostgreSQL, or the folder of an embedded database
 */
export function startServer(
  { port, basePort = port, place, keysFolder, provider, natsUrl = '' },
  profile,
) {
  const baseUrl = `http://localhost:${basePort}`;
  const args = [String(port), place, keysFolder, provider.issuer, baseUrl, natsUrl];
  return startTarget('landfall', args, profile);
}

/** Ends a target and waits until it has ended. */
export async function stopTarget(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Runs a load and gives what it told. */
export async function runLoad(load) {
  const child = fork(here('load.js'), { serialization: 'advanced' });
  child.send(load);
  const [result] = await once(child, 'message');
  return result;
}

/** Clock ticks a second that /proc counts in. */
const TICKS = 100;

/** Processor seconds that processes have used, and the memory that they have, in MB. */
export function usage(pids) {
  let seconds = 0;
  let megabytes = 0;
  for (const pid of pids) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
      seconds += (Number(fields[11]) + Number(fields[12])) / TICKS;
      megabytes += (Number(fields[21]) * 4096) / 1e6;
    } catch {
      // The process has ended meanwhile.
    }
  }
  return { seconds, megabytes };
}
