// Whether the database takes what this server writes: its disk may be full, a right may be missing, or a table may be in a state
// in which it cannot be changed.
import type { Database } from '../database/database.js';
import { COMMITS_TASK } from '../database/failed-writes.js';
import { type ReadinessCondition, UnmetConditionError } from '../http/readiness-conditions.js';
import type { Measure } from '../metrics/measure.js';

/**
 * The condition that the database refuses no statement for a reason that has nothing to do with the request. It is unmet
 * from the first such failure on. Then the statement is tried again and rolled back at each check, so that the server is
 * ready again by itself, without a request having to come.
 */
export function makeCommitCheck(database: Pick<Database, 'failedWrites'>): {
  condition: ReadinessCondition;
  measure: Measure;
} {
  let isRefused = false;
  return {
    condition: {
      task: COMMITS_TASK,
      message: 'this server cannot commit: requests that write get 503',
      runbook: 'CANNOT_COMMIT',
      watch: (check) => database.failedWrites?.onBegin(check),
      check: async () => {
        const failed = await database.failedWrites?.retry();
        isRefused = failed !== undefined;
        if (failed === undefined) return;
        throw new UnmetConditionError(`This server cannot commit: ${failed.reason}`, {
          cause: failed.cause,
        });
      },
    },
    measure: {
      name: 'landfall_database_writes_refused',
      help: 'Whether the database refuses what this server writes, because its disk is full, a right is missing or a table is in the wrong state',
      read: async () => Number(isRefused),
    },
  };
}
