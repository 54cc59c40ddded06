// A lock that lives in a session of its own with PostgreSQL, and is free again however that session ends.
import { SESSION_LOCK } from './locks.js';
import { SessionClient, type SessionConfig } from './session-client.js';

/**
 * Takes a lock, if nobody has it.
 *
 * @param whenLost is called once when the session was lost
 * @returns how to give it back; `undefined` when somebody else has it
 */
export async function trySessionLock(
  config: SessionConfig,
  number: number,
  whenLost: () => void,
): Promise<(() => Promise<void>) | undefined> {
  const session = new SessionClient(config);
  let held = false;
  session.once('end', () => {
    if (held) whenLost();
    held = false;
  });
  await session.open();
  try {
    const [row] = await session.ask<{ taken: boolean }>({
      name: '',
      text: `select pg_try_advisory_lock(${SESSION_LOCK}, $1) as taken`,
      values: [number],
    });
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
