// Two servers in production configuration on one PostgreSQL database, whose clocks differ by two seconds.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findPort } from '../../../packages/playground/dist/find-port.js';
import { until } from '../../until.js';
import { OFFICER_SCOPES, OFFICERS } from '../world.js';

/** Debian's package libfaketime. It shifts the clock of a process, and not the one by which it measures durations. */
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** A server is not ready if its clock is off by more than 2 s, so each is off by half of the difference. */
const CLOCK_OFFSETS = ['+1.0', '-1.0'];

/** Whether the clocks of the servers can be shifted on this machine. */
export const canShiftClocks = existsSync(FAKETIME);

/** Two servers. */
export class Service {
  ports;
  databaseUrl;
  #command;
  #environment;
  #children = [];
  #shifted;
  #log;
  #logFile;

  /**
   * Migrates a database, unless it is migrated, and starts two servers on it.
   *
   * @param {{ build: string, databaseUrl: string, isMigrated: boolean, folder: string, provider: { issuer: string }, shiftedClocks: boolean }}
   *   settings `build`: the root of a checkout that is built, whose command is run; `folder`: for the signing keys
   */
  static async start({ build, databaseUrl, isMigrated, folder, provider, shiftedClocks }) {
    const service = new Service();
    service.ports = [await findPort('127.0.0.1', 0), await findPort('127.0.0.1', 0)];
    service.databaseUrl = databaseUrl;
    service.#command = join(build, 'packages/cli/bin/landfall.js');
    service.#shifted = shiftedClocks;
    service.#logFile = join(folder, 'servers.log');
    service.#log = openSync(service.#logFile, 'a');
    service.#environment = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      LANDFALL_BASE_URL: `http://localhost:${service.ports[0]}`,
      LANDFALL_IDP_ISSUER: provider.issuer,
      LANDFALL_IDP_JWKS_URL: `${provider.issuer}/jwks`,
      LANDFALL_KEYS: join(folder, 'keys'),
      LANDFALL_LOG_LEVEL: 'error',
      LANDFALL_OFFICER_CLIENTS: OFFICERS.filter(({ origin }) => origin === 'OFFICER')
        .map(({ client }) => client)
        .join(','),
    };
    if (!isMigrated) await service.run('admin', 'migrate');
    const [{ organisation }] = OFFICERS;
    await service.run('admin', 'bootstrap', organisation, '--scope', ...OFFICER_SCOPES);
    // The first makes the signing keys that the second reads.
    await service.#startServer(0);
    await service.#startServer(1);
    return service;
  }

  /** Runs a command of the build on the database; returns its exit code and its standard output. */
  async run(...args) {
    const options = { env: this.#environment, maxBuffer: 64 * 1024 * 1024 };
    try {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [this.#command, ...args],
        options,
      );
      return { code: 0, stdout };
    } catch (error) {
      if (args[1] !== 'audit') throw error;
      return { code: error.code, stdout: error.stdout };
    }
  }

  async #startServer(index) {
    const child = spawn(
      process.execPath,
      [this.#command, 'serve', '--port', String(this.ports[index])],
      {
        stdio: ['ignore', 'ignore', this.#log],
        env: {
          ...this.#environment,
          ...(this.#shifted && {
            LD_PRELOAD: FAKETIME,
            FAKETIME: CLOCK_OFFSETS[index],
            FAKETIME_DONT_FAKE_MONOTONIC: '1',
          }),
        },
      },
    );
    this.#children[index] = child;
    await until(
      async () => {
        const end = child.exitCode ?? child.signalCode;
        if (end !== null && !child.killed) throw new Error(`a server ended with ${end}`);
        return (await fetch(`http://127.0.0.1:${this.ports[index]}/readyz`)).ok;
      },
      'a server is ready',
      60,
    );
  }

  /** Kills a server as a crash does, without starting it again. */
  kill(index) {
    this.#children[index].kill('SIGKILL');
  }

  /** Starts servers that were killed. */
  async restart() {
    for (const index of [0, 1]) {
      const child = this.#children[index];
      if (child.signalCode === null && child.exitCode === null && !child.killed) continue;
      if (child.signalCode === null && child.exitCode === null) await once(child, 'exit');
      await this.#startServer(index);
    }
  }

  /** Starts servers that were killed, and waits until the database does nothing more for a request. */
  async settle() {
    await this.restart();
    let quiet = 0;
    await until(async () => {
      const [{ busy }] = await this.query(`
        select count(*)::integer as busy from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name = 'landfall'
          and (state = 'active' or state like 'idle in transaction%')`);
      quiet = busy === 0 ? quiet + 1 : 0;
      return quiet >= 2;
    }, 'the database is quiet');
  }

  /** Cancels or terminates what the sessions of the servers are doing; returns how many were hit. */
  async disturb(kind) {
    const disturbing = kind === 'cancel' ? 'pg_cancel_backend' : 'pg_terminate_backend';
    const [{ hit }] = await this.query(`
      select count(${disturbing}(pid))::integer as hit from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'landfall'
        and (state = 'active' or state like 'idle in transaction%')`);
    return hit;
  }

  /** Sends the request of an operation to its server, with its disturbance. */
  async sendDisturbed(client, { server, disturbance }, request) {
    if (disturbance === undefined) return client.send(server, request);
    const { kind, afterMs } = disturbance;
    if (kind === 'lose') return client.send(server, request, { loseAfterMs: afterMs + 1 });
    let ended = false;
    const disturb = async () => {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      if (kind === 'kill') this.kill(server);
      else while (!ended && (await this.disturb(kind)) === 0);
    };
    const [response] = await Promise.all([
      client.send(server, request).finally(() => {
        ended = true;
      }),
      disturb(),
    ]);
    return response;
  }

  #client;

  /** Runs a statement on the database, in a session of its own. */
  async query(text, values) {
    if (this.#client === undefined) {
      this.#client = new pg.Client({ connectionString: this.databaseUrl });
      await this.#client.connect();
    }
    return (await this.#client.query(text, values)).rows;
  }

  /** The end of what the servers have written. */
  readLog() {
    return readFileSync(this.#logFile, 'utf8').slice(-4000);
  }

  async stop() {
    await this.#client?.end();
    closeSync(this.#log);
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGKILL');
        await once(child, 'exit');
      }),
    );
  }
}
