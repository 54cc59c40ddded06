// Starts the processes of a run and reads their resource usage.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The options that the production guide recommends; the bare servers use them too. */
const NODE_OPTIONS = ['--max-semi-space-size=64'];

const started = new Set();

/** Stops every target that still runs, as after an error: before the database that they use is dropped. */
export const stopTargets = () => Promise.all([...started].map(stopTarget));

/** Starts a target, a file of this folder, and waits until it is ready. If `profile` names a folder, writes a processor profile at its end. */
export async function startTarget(name, args, profile) {
  const child = fork(here(`${name}.js`), args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [
      ...process.execArgv,
      ...NODE_OPTIONS,
      ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
    ],
  });
  started.add(child);
  child.once('exit', () => started.delete(child));
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${name} ended with ${code} before it was ready`);
    }),
  ]);
  return child;
}

/**
 * Starts a Landfall server and waits until it is ready. Servers with the same base port are one service.
 *
 * @param {{ port: number, basePort?: number, location: string, keysFolder: string, provider: { issuer: string },
 *   natsUrl?: string, standbys?: string }} server `location`: an address of PostgreSQL, or the folder of an embedded
 *   database; `standbys`: address of standbys that are read from
 */
export function startServer(
  { port, basePort = port, location, keysFolder, provider, natsUrl = '', standbys = '' },
  profile,
) {
  const baseUrl = `http://localhost:${basePort}`;
  const args = [String(port), location, keysFolder, provider.issuer, baseUrl, natsUrl, standbys];
  return startTarget('targets/landfall', args, profile);
}

/** Stops a target and waits until it has exited. */
export async function stopTarget(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Runs a load and returns its result. Throws at the first response that is not expected. */
export async function runLoad(load) {
  const child = fork(here('load.js'), { serialization: 'advanced' });
  child.send(load);
  const [result] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => [{ unexpected: `the load generator ended with ${code}` }]),
  ]);
  if (result.unexpected !== undefined) throw new Error(`not expected: ${result.unexpected}`);
  return result;
}

/** Clock ticks per second in /proc. */
const TICKS = 100;

/** Processor seconds that processes have used, and their memory in MB. */
export function usage(pids) {
  let seconds = 0;
  let megabytes = 0;
  for (const pid of pids) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
      seconds += (Number(fields[11]) + Number(fields[12])) / TICKS;
      megabytes += (Number(fields[21]) * 4096) / 1e6;
    } catch {
      // The process has exited.
    }
  }
  return { seconds, megabytes };
}

/** Processor seconds of the child processes of a process that have ended, and of itself. */
export function usageOfEnded(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

/** Processor seconds of a process and of all of its child processes, running or ended: of all of PostgreSQL. */
export function usageOfTree(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const running = children === '' ? [] : children.split(' ');
  return usageOfEnded(pid) + usage(running).seconds;
}
