// LANDFALL_DURABILITY=replicated: what is acknowledged is on a second server.
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { confirmCommit } from '../database/queries.js';
import { type ReadinessCondition, UnmetConditionError } from '../http/readiness-conditions.js';
import { messageOf } from '../native-error.js';
import { selectServerSettings } from './queries.js';

/** The values of synchronous_commit with which a standby has written a commit to its disk before it is acknowledged. */
const CONFIRMED = ['on', 'remote_apply'];

/** How long a standby may take to confirm a commit, in milliseconds. */
const CONFIRM_TIMEOUT_MS = 3000;

/**
 * The condition that commits are confirmed by a synchronous standby: the settings require it, and a commit was
 * confirmed within 3 s. PostgreSQL waits for the standbys in synchronous_standby_names without exception, so this
 * needs no privilege to read the state of replication.
 */
export function makeDurabilityCheck(database: Database): ReadinessCondition {
  let pending: Promise<unknown> | undefined;
  return {
    task: 'durability',
    message: 'no standby confirms commits: this server is not ready',
    runbook: 'DURABILITY',
    check: async () => {
      const [settings] = await database.query(selectServerSettings);
      if (settings === undefined) return;
      const { synchronous_standby_names: standbys, synchronous_commit: mode } = settings;
      if (standbys.trim() === '') {
        throw unmet("PostgreSQL's synchronous_standby_names is empty: commits wait for no standby");
      }
      if (!CONFIRMED.includes(mode)) {
        throw unmet(
          `PostgreSQL's synchronous_commit is ${mode}: it must be ${CONFIRMED.join(' or ')}`,
        );
      }
      // PostgreSQL waits without limit, so there is one such commit at a time, and the next one when it has ended.
      pending ??= database.commit([confirmCommit], 'probe').finally(() => {
        pending = undefined;
      });
      const late = delay(CONFIRM_TIMEOUT_MS, 'late', { ref: false });
      const result = await Promise.race([pending, late]).catch((error: unknown) => {
        throw unmet(`a commit was not confirmed by a synchronous standby: ${messageOf(error)}`);
      });
      if (result === 'late') {
        pending?.catch(() => undefined);
        throw unmet('no synchronous standby confirmed a commit within 3 s');
      }
    },
  };
}

function unmet(reason: string): UnmetConditionError {
  return new UnmetConditionError(`LANDFALL_DURABILITY is replicated, but ${reason}`);
}
