// A separate PostgreSQL cluster for a scenario, which may be killed.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { until } from './until.js';

/** PostgreSQL refuses to run as root. */
const asUser = () => {
  if (process.getuid?.() !== 0) return {};
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

/** The folder with the programs of the newest PostgreSQL; on Debian they are not in the path. */
function programs() {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return '';
  const newest = readdirSync(root).sort((one, other) => Number(other) - Number(one))[0];
  return join(root, newest ?? '', 'bin');
}

/** Creates a cluster with default settings: fsync and synchronous_commit are on. */
export function makeCluster(folder, port) {
  chmodSync(folder, 0o755);
  const data = join(folder, 'postgresql');
  mkdirSync(data, { mode: 0o777 });
  chmodSync(data, 0o777);
  const cluster = join(data, 'cluster');
  const bin = programs();
  execFileSync(join(bin, 'initdb'), ['-D', cluster, '-U', 'postgres', '-A', 'trust'], {
    ...asUser(),
    stdio: 'ignore',
  });
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    start: () => {
      const child = spawn(
        join(bin, 'postgres'),
        [
          '-D',
          cluster,
          '-p',
          String(port),
          '-c',
          'listen_addresses=127.0.0.1',
          '-c',
          'unix_socket_directories=',
        ],
        { ...asUser(), stdio: 'ignore' },
      );
      return child;
    },
  };
}

/** How long a cluster may take to accept connections, in seconds. After a kill it replays what was written since a checkpoint. */
const READY_WITHIN = 120;

/** Waits until a database accepts connections. */
export function untilReady(url) {
  return until(() => accepts(url), 'PostgreSQL accepts connections', READY_WITHIN);
}

/**
 * Starts a cluster whose first process was killed, and waits until it accepts connections. It refuses to start as long as a
 * child process of the killed one has not exited, which takes as long as the machine is busy.
 *
 * @returns its process
 */
export async function startAgain(cluster) {
  let child = cluster.start();
  const isReady = () => {
    if (child.exitCode !== null || child.signalCode !== null) child = cluster.start();
    return accepts(cluster.url);
  };
  await until(isReady, 'PostgreSQL has started again', READY_WITHIN);
  return child;
}

async function accepts(url) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
  return true;
}
