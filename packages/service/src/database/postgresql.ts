// PostgreSQL 15 or newer, by its connection address.
import { setTimeout as delay } from 'node:timers/promises';
import { BatchMetrics } from '../metrics/batch-metrics.js';
import type { Measure } from '../metrics/measure.js';
import { Announcements } from './announcements.js';
import { CommitGate } from './commit-gate.js';
import { Connection } from './connection.js';
import { readAddress } from './connection-address.js';
import {
  type Database,
  type Lane,
  LEVEL_SESSIONS,
  type Statement,
  type Transaction,
  WRITE_SESSIONS,
} from './database.js';
import { FailedWrites, retryFailedWrites } from './failed-writes.js';
import { numberInSchema } from './locks.js';
import { OpenSessions } from './open-sessions.js';
import { PrimaryServer } from './primary-server.js';
import { confirmCommit, findWorkingBackends } from './queries.js';
import { checkReady } from './readiness.js';
import { Replacements } from './replacements.js';
import { checkSchemaName } from './schema-name.js';
import { CONNECT_TIMEOUT_MS, KEEP_ALIVE_MS, type SessionKind } from './session.js';
import { SessionClient, type SessionConfig } from './session-client.js';
import { SessionGroup } from './session-group.js';
import { trySessionLock } from './session-lock.js';
import { SessionPool } from './session-pool.js';
import { StandbyServer, type StandbySettings } from './standby-server.js';
import { Standbys } from './standbys.js';

/** How long sessions get to end by themselves, in milliseconds: what is under way may be the last commit. */
const CLOSE_TIMEOUT_MS = 10_000;

/**
 * Opens a PostgreSQL database. Nothing is connected to until it is needed, and a lost connection is made anew.
 *
 * @param url connection address, such as `postgresql://user:password@host:5432/landfall`; of several hosts, separated
 * by commas, the one that takes writes is used
 * @param options `connections`: sessions for reading and for interactive transactions (default 8), and as many with each
 * standby; `maintenance`: their statements take as long as they take; `standbys`: connection address of the servers that
 * are read from while they are standbys; `readPassword`: gives the password for each new session, in place of one in the
 * addresses
 * @throws DatabaseAddressError when the address cannot be used, or sets what Landfall sets itself
 */
export function openPostgresql(
  url: string,
  {
    connections = 8,
    maintenance = false,
    standbys: standbyUrl = '',
    readPassword,
  }: {
    connections?: number;
    maintenance?: boolean;
    standbys?: string;
    readPassword?: (() => Promise<string>) | undefined;
  } = {},
): Database {
  const { servers, options } = readAddress(url);
  const replacements = new Replacements();
  const failedWrites = new FailedWrites();
  /** Those of the schemas that are used. */
  const ofSchemas = new Set<Replacements>();
  const outdated = () => {
    for (const each of [replacements, ...ofSchemas]) each.outdated();
  };
  const watcher: { connection?: Connection } = {};
  const watch = <Result extends object>(statement: Statement<Result>) => {
    watcher.connection ??= new Connection(config('service'));
    return watcher.connection.lookUp(statement);
  };
  const sessions = new OpenSessions(
    async (backends) => (await watch(findWorkingBackends(backends))).map(({ pid }) => pid),
    {
      onOverdue: () => gate.close(),
      onOtherHistory: () => outdated(),
      // What cannot be read now is read again later, as without a replacement.
      onOtherData: () => {
        for (const each of [replacements, ...ofSchemas]) each.replaced().catch(() => undefined);
      },
    },
  );
  const primary = new PrimaryServer(
    servers,
    (server) => {
      const session = new SessionClient({ ...config('service'), connectionString: server });
      return {
        result: session.open().then(() => session.end()),
        cancel: () => session.destroy(),
      };
    },
    (address) => sessions.keepOnly(address, 'another server became the primary'),
  );
  const config = (kind: SessionKind): SessionConfig => ({
    primary,
    application_name: 'landfall',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(options !== '' && { options }),
    readPassword,
    kind,
    sessions,
    failedWrites,
  });

  const pool = new SessionPool(config(maintenance ? 'maintenance' : 'pool'), connections);
  const probe = new Connection(config('probe'));
  const lanes: Record<Lane, Connection | SessionGroup> = {
    small: new Connection(config('small')),
    // One more for house consignments that wait for their turn.
    levels: new SessionGroup(config('large'), LEVEL_SESSIONS + 1),
    large: new Connection(config('imports')),
    writes: new SessionGroup(config('writes'), WRITE_SESSIONS),
    stream: new Connection(config('stream')),
    probe,
    maintenance: new Connection(config('maintenance')),
  };
  const gate = new CommitGate(() => lanes.probe.commit([confirmCommit]));
  const lookUps = new Connection(config('lookUps'));
  const readingOf = (schema: string | undefined): Pick<Database, 'query' | 'lookUps'> => ({
    query: (statement) => pool.query(statement, () => gate.isOpen, schema),
    lookUps: { query: (statement) => lookUps.lookUp(statement, schema) },
  });
  const writingOf = (schema: string | undefined): Pick<Database, 'transact' | 'commit'> => ({
    transact: async (work, lane) => {
      gate.check();
      // It is checked again when a session is free: what waited for one must not commit after the gate was closed.
      const checked = (transaction: Transaction) => {
        gate.check();
        return work(transaction);
      };
      return lane === undefined
        ? pool.transact(checked, schema)
        : lanes[lane].transact(checked, schema);
    },
    commit: async (statements, lane = 'small') => {
      if (lane !== 'probe') gate.check();
      return lanes[lane].commit(statements, schema);
    },
  });
  const reading = readingOf(undefined);
  const standbys =
    standbyUrl === ''
      ? undefined
      : openStandbys(standbyUrl, { connections, readPassword }, reading);
  const batches = new BatchMetrics();
  let readiness: Promise<void> | undefined;
  const announcements = new Announcements(config('service'));

  const endAll = () =>
    Promise.all([
      announcements.close(),
      watcher.connection?.close(),
      lookUps.close(),
      standbys?.close(),
      ...Object.values(lanes).map((connection) => connection.close()),
      pool.close(),
    ]);

  const database: Database = {
    kind: 'postgresql',

    ...reading,
    ...writingOf(undefined),
    standbys,

    checkReady: () => {
      // Concurrent checks are coalesced into one: the endpoint is open to everybody.
      readiness ??= checkReady([
        () => sessions.check(),
        async () => gate.check(),
        () => lookUps.verify(),
        () => pool.verifyIdle(),
        ...Object.values(lanes).map((lane) => () => lane.verifyIdle()),
      ]).finally(() => {
        readiness = undefined;
      });
      return readiness;
    },

    failedWrites: {
      onBegin: (handle) => failedWrites.onBegin(handle),
      retry: () => retryFailedWrites(failedWrites, probe),
    },

    tryLock: (number, whenLost) => trySessionLock(config('service'), number, whenLost),

    announcements: {
      send: async (message) => {
        // An announcement commits too. Readers find by themselves what was not announced.
        if (gate.isOpen) await pool.query(announcements.statement(message), () => gate.isOpen);
      },
      onMessage: (handle) => announcements.listen(handle),
      onFailure: (report) => {
        announcements.onFailure = report;
      },
    },

    replacements,

    inSchema: (given) => {
      const schema = checkSchemaName(given);
      const own = new Replacements();
      ofSchemas.add(own);
      return {
        ...database,
        ...readingOf(schema),
        ...writingOf(schema),
        standbys: undefined,
        tryLock: (number, whenLost) =>
          trySessionLock(config('service'), numberInSchema(number, schema), whenLost),
        announcements: {
          send: async () => undefined,
          onMessage: () => undefined,
          onFailure: () => undefined,
        },
        replacements: own,
        close: async () => {
          ofSchemas.delete(own);
        },
      };
    },

    measures: [
      ...measuresOf(pool, sessions, gate),
      ...batches.measures,
      ...(standbys?.measures ?? []),
    ],
    batches,

    close: async () => {
      gate.end();
      const ended = endAll();
      const late = delay(CLOSE_TIMEOUT_MS, 'late', { ref: false });
      // A socket whose other side does not respond would keep the process alive.
      if ((await Promise.race([ended, late])) === 'late') sessions.destroyAll();
      await ended;
    },
  };
  return database;
}

function openStandbys(
  url: string,
  settings: StandbySettings,
  primary: Pick<Database, 'query' | 'lookUps'>,
): Standbys {
  const { servers, options } = readAddress(url, 'LANDFALL_READ_DATABASE_URL');
  return new Standbys(
    servers.map((server) => new StandbyServer(server, options, settings)),
    primary,
  );
}

function measuresOf(pool: SessionPool, sessions: OpenSessions, gate: CommitGate): Measure[] {
  const measure = (name: string, help: string, read: () => number): Measure => ({
    name: `landfall_database_${name}`,
    help,
    read: async () => read(),
  });
  return [
    measure('pool_sessions', 'Sessions of the pool that are open', () => pool.use().total),
    measure('pool_idle_sessions', 'Sessions of the pool that are idle', () => pool.use().idle),
    measure(
      'pool_waiting',
      'Requests that wait for a session of the pool',
      () => pool.use().waiting,
    ),
    measure(
      'sessions_given_up',
      'Sessions given up since the start because the database did not respond',
      () => sessions.givenUp,
    ),
    measure(
      'commits_refused',
      'Whether commits are refused because an earlier one got no response, and none is confirmed since',
      () => Number(!gate.isOpen),
    ),
  ];
}
