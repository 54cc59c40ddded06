// A lock that is held by a PostgreSQL session of its own, and released however that session ends.
import { tryLock } from './queries.js';
import { openSession, type SessionConfig } from './session-client.js';

/**
 * Takes a lock, if it is free.
 *
 * @param whenLost is called once when the session was lost
 * @returns a function that releases it; `undefined` when another session holds it
 */
export async function trySessionLock(
  config: SessionConfig,
  number: number,
  whenLost: () => void,
): Promise<(() => Promise<void>) | undefined> {
  const session = await openSession(config);
  let held = false;
  session.once('end', () => {
    if (held) whenLost();
    held = false;
  });
  try {
    const [row] = await session.execute(tryLock(number));
    held = row?.taken === true;
  } finally {
    if (!held) await session.end();
  }
  if (!held) return undefined;
  return async () => {
    held = false;
    await session.end();
  };
}
