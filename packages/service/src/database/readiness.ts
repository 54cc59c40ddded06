// Whether the database takes reads and writes at this moment, checked over the sessions that requests use.
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnavailableError } from './errors.js';

/** How long the database may take, in milliseconds: a load balancer gives up soon after. */
const READY_TIMEOUT_MS = 1500;

/**
 * Runs every probe.
 *
 * @throws DatabaseUnavailableError when one fails, or they take longer than 1.5 s together
 */
export async function checkReady(probes: readonly (() => Promise<void>)[]): Promise<void> {
  const completed = Promise.all(probes.map((probe) => probe()));
  const late = delay(READY_TIMEOUT_MS, 'late', { ref: false });
  if ((await Promise.race([completed, late])) === 'late') {
    // A late result is ignored; sessions that stay silent are closed by OpenSessions.
    completed.catch(() => undefined);
    throw new DatabaseUnavailableError('the database does not respond in time');
  }
}
