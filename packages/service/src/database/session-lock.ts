// A lock that lives in a session of its own with PostgreSQL, and is free again however that session ends.
import pg from 'pg';
import { translateDatabaseError } from './errors.js';
import { SESSION_LOCK } from './locks.js';

/** How soon the system notices that the other side is gone without a word, in milliseconds. */
const KEEP_ALIVE = 5000;

/**
 * Takes a lock, if nobody has it.
 *
 * @param whenLost is called once when the session was lost
 * @returns how to give it back; `undefined` when somebody else has it
 */
export async function trySessionLock(
  config: pg.ClientConfig,
  number: number,
  whenLost: () => void,
): Promise<(() => Promise<void>) | undefined> {
  const client = new pg.Client({
    ...config,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
  });
  let held = false;
  const lose = () => {
    if (held) whenLost();
    held = false;
  };
  client.on('error', lose);
  client.on('end', lose);
  try {
    await client.connect();
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(${SESSION_LOCK}, $1) as taken`,
      [number],
    );
    held = rows[0]?.taken === true;
  } catch (error) {
    throw translateDatabaseError(error);
  } finally {
    if (!held) await client.end().catch(() => undefined);
  }
  if (!held) return undefined;
  return async () => {
    held = false;
    await client.end().catch(() => undefined);
  };
}
