// A PostgreSQL cluster for one test that must not use the shared server: standbys, settings, a full disk.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findPort } from '../../../playground/dist/find-port.js';

const run = promisify(execFile);

/** A cluster that a test starts and stops. */
export type OwnPostgresql = {
  url: string;
  /** Starts it and waits until it takes connections. */
  start(settings?: Record<string, string>): Promise<void>;
  /** Stops it: in order, so that its standbys have everything (SIGINT), or at once, as if it had crashed (SIGQUIT). */
  stop(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** The next start is as a standby, which is read-only until it is promoted; of another cluster if one is given. */
  makeStandby(primary?: OwnPostgresql): Promise<void>;
  /** Makes a standby of this cluster, which must be running; it is not started. */
  makeReplica(): Promise<OwnPostgresql>;
  /**
   * A cluster from a base backup of this one is not a standby: at its next start it recovers from an archive to a time, and takes
   * writes from then on.
   */
  recoverTo(time: string, archive: string): Promise<void>;
  /** Runs statements on it as its superuser. */
  run(...statements: string[]): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
};

/** Why the programs of PostgreSQL are missing, or `false`. In CI nothing is skipped. */
export function whyNoOwnPostgresql(): string | false {
  if (process.env.CI === 'true' || programs() !== undefined) return false;
  return 'no initdb: install PostgreSQL (apt-get install postgresql)';
}

/** Makes a cluster with PostgreSQL's own default settings, not started. */
export async function makeOwnPostgresql(): Promise<OwnPostgresql> {
  return makeCluster((cluster) => ['initdb', '-D', cluster, '-U', 'postgres', '-A', 'trust', '-N']);
}

/** Makes a cluster by a program, which is called with the arguments that it needs to create the folder of the cluster. */
async function makeCluster(
  program: (cluster: string) => [name: string, ...options: string[]],
): Promise<OwnPostgresql> {
  const bin = programs() ?? '';
  const user = await serverUser();
  const folder = await mkdtemp(join(tmpdir(), 'landfall-postgresql-'));
  await chmod(folder, 0o755);
  const data = join(folder, 'data');
  await mkdir(data);
  await chmod(data, 0o777);
  const cluster = join(data, 'cluster');
  const [name, ...options] = program(cluster);
  await run(join(bin, name), options, user);
  const port = await findPort('127.0.0.1', 0);
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;

  const stop = async (signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT') => {
    if (server === undefined) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    server = undefined;
    await ended;
  };
  return {
    url,
    start: async (settings = {}) => {
      const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
      const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      server = spawn(join(bin, 'postgres'), ['-D', cluster, '-p', String(port), ...options], {
        ...user,
        stdio: 'ignore',
      });
      await untilReady(url);
    },
    stop,
    makeStandby: async (primary) => {
      await writeFile(join(cluster, 'standby.signal'), '');
      if (primary === undefined) return;
      const source = `primary_conninfo = '${primary.url}'\n`;
      await appendFile(join(cluster, 'postgresql.auto.conf'), source);
    },
    makeReplica: () =>
      makeCluster((cluster) => [
        'pg_basebackup',
        '-D',
        cluster,
        '-d',
        url,
        '-R',
        '-N',
        '-c',
        'fast',
      ]),
    recoverTo: async (time, archive) => {
      await rm(join(cluster, 'standby.signal'), { force: true });
      await writeFile(join(cluster, 'recovery.signal'), '');
      const settings = [
        `restore_command = 'cp "${archive}/%f" "%p"'`,
        `recovery_target_time = '${time}'`,
        "recovery_target_action = 'promote'",
      ];
      await appendFile(join(cluster, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
    },
    run: async (...statements) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        for (const statement of statements) await client.query(statement);
      } finally {
        await client.end();
      }
    },
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of the newest PostgreSQL's programs; Debian does not add them to the path. */
function programs(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const newest = readdirSync(root).sort((one, other) => Number(other) - Number(one))[0];
  return newest === undefined ? undefined : join(root, newest, 'bin');
}

/** PostgreSQL refuses to run as root. */
async function serverUser(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

async function untilReady(url: string): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
