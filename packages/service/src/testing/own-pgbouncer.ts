// PgBouncer in front of a database, for one test.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { findPort } from '../../../playground/dist/find-port.js';

/** A connection pooler that is running. */
export type OwnPgbouncer = {
  /** The address of the database through it. */
  url: string;
  stop(): Promise<void>;
};

/** Why there is no PgBouncer, or `false`. In CI nothing is skipped. */
export async function whyNoPgbouncer(): Promise<string | false> {
  if (process.env.CI === 'true') return false;
  try {
    await promisify(execFile)('pgbouncer', ['--version']);
    return false;
  } catch {
    return 'there is no pgbouncer in the path: apt-get install pgbouncer';
  }
}

/** Starts it on a free port, with its own default settings otherwise. */
export async function startPgbouncer(
  target: string,
  poolMode: 'session' | 'transaction',
): Promise<OwnPgbouncer> {
  const { hostname, port, username, password, pathname } = new URL(target);
  const folder = await mkdtemp(join(tmpdir(), 'landfall-pgbouncer-'));
  await chmod(folder, 0o755);
  const ownPort = await findPort('127.0.0.1', 0);
  const settings = join(folder, 'pgbouncer.ini');
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`;
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${port || 5432} user=${decodeURIComponent(username)}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
`,
  );
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const server = spawn('pgbouncer', [...user, settings], { stdio: 'ignore' });
  const url = `postgresql://${username}@127.0.0.1:${ownPort}${pathname}`;
  await untilReady(url, server);
  return {
    url,
    stop: async () => {
      const ended = once(server, 'exit');
      // At once; SIGINT would wait for the clients.
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  const end = Date.now() + 30_000;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (Date.now() > end || server.exitCode !== null) throw error;
      await delay(50);
    }
  }
}
