// PostgreSQL 15 or newer, by its connection address.
import pg from 'pg';
import { Announcements } from './announcements.js';
import { Connection, runTransaction, send, types } from './connection.js';
import type { Database, Lane } from './database.js';
import { OutdatedSessionError, translateDatabaseError } from './errors.js';
import { sessionArguments } from './session.js';
import { trySessionLock } from './session-lock.js';

/** How long PostgreSQL may take to accept a connection before it counts as away, in milliseconds. */
const CONNECT_LIMIT = 10_000;

/** Memory for sorting and hashing in a large transaction: 100,000 house consignments with their texts fit. */
const LARGE_WORK_MEM = '256MB';

/** Memory for taking a block of goods-item messages apart. */
const STREAM_WORK_MEM = '64MB';

/**
 * Opens a PostgreSQL database. Nothing is connected to until it is needed, and a lost connection is made anew.
 *
 * @param url connection address, such as `postgresql://user:password@host:5432/landfall`
 * @param options `connections`: sessions for reading and for interactive transactions (default 8)
 */
export function openPostgresql(
  url: string,
  { connections = 8 }: { connections?: number } = {},
): Database {
  const config: pg.ClientConfig = {
    connectionString: url,
    application_name: 'landfall',
    connectionTimeoutMillis: CONNECT_LIMIT,
    options: sessionArguments.join(' '),
  };
  const pool = new pg.Pool({ ...config, types, max: connections });
  // An idle session that the server ends is taken out of the pool; whoever needs one gets a new one.
  pool.on('error', () => undefined);
  const lanes: Record<Lane, Connection> = {
    small: new Connection(config),
    large: new Connection({
      ...config,
      options: `${config.options} -c work_mem=${LARGE_WORK_MEM}`,
    }),
    stream: new Connection({
      ...config,
      options: `${config.options} -c work_mem=${STREAM_WORK_MEM}`,
    }),
  };
  const lookUps = new Connection(config);
  const announcements = new Announcements(config);

  return {
    kind: 'postgresql',

    lookUps: { query: (statement) => lookUps.lookUp(statement) },

    query: (statement) => send(pool, statement),

    transact: async (work, lane) => {
      if (lane !== undefined) return lanes[lane].transact(work);
      const client = await pool.connect().catch((error: unknown) => {
        throw translateDatabaseError(error);
      });
      client.on('error', alreadyReported);
      try {
        const result = await runTransaction(client, work);
        client.release();
        return result;
      } catch (error) {
        client.release(error instanceof OutdatedSessionError);
        throw error;
      } finally {
        client.off('error', alreadyReported);
      }
    },

    commit: (statements, lane = 'small') => lanes[lane].commit(statements),

    tryLock: (number, whenLost) => trySessionLock(config, number, whenLost),

    announce: async (message) => {
      await send(pool, announcements.statement(message));
    },

    onAnnouncement: (handle) => announcements.listen(handle),

    close: async () => {
      await Promise.all([
        announcements.close(),
        lookUps.close(),
        ...Object.values(lanes).map((connection) => connection.close()),
        pool.end(),
      ]);
    },
  };
}

/** A session that is lost fails its statement, and also emits an error, which unheard would end the process. */
function alreadyReported(): void {}
