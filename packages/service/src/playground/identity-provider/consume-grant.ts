// Uses a grant up: each is taken once, by whichever server, also after a restart.
import { Batch } from '../../database/batch.js';
import type { Database } from '../../database/database.js';
import { forgetUsedGrants, type GrantUse, type GrantUseRow, useGrants } from './queries.js';

/** How often expired grants are deleted, in milliseconds. */
const FORGET_INTERVAL_MS = 60_000;

/** What became of a grant, as committed: left alone where its client has changed since the grant was checked. */
export type GrantOutcome = 'taken' | 'used before' | 'client changed';

/** Uses a grant up. */
export type ConsumeGrant = (grant: GrantUse, now: Date) => Promise<GrantOutcome>;

/** Makes the operation. Grants that come while a commit is under way share the next one. */
export function makeConsumeGrant(database: Database): ConsumeGrant {
  const batch = new Batch<{ grant: GrantUse; now: Date }, GrantOutcome>(
    async (requests) => {
      const now = new Date(Math.max(...requests.map((request) => request.now.getTime())));
      const grants = requests.map(({ grant }) => grant);
      // One statement is a transaction by itself.
      const rows = await database.query<GrantUseRow>(useGrants(grants, now));
      const taken = new Map(rows.map((row) => [keyOf(row), row.taken]));
      return grants.map((grant) => {
        const found = taken.get(keyOf(grant));
        if (found === undefined) return 'used before';
        return found ? 'taken' : 'client changed';
      });
    },
    // The same grant twice in one commit could be taken twice.
    { keys: ({ grant }) => [keyOf(grant)] },
  );
  return (grant, now) => batch.submit({ grant, now });
}

/** No client is called by a line break, so no two grants have the same key. */
function keyOf({ clientId, jti }: Pick<GrantUse, 'clientId' | 'jti'>): string {
  return `${clientId}\n${jti}`;
}

/** Deletes expired grants again and again; the timer that it returns ends it. */
export function forgetConsumedGrants(
  database: Database,
  clock: () => Date,
  reportFailure: (error: unknown) => void,
): NodeJS.Timeout {
  return setInterval(() => {
    database.query(forgetUsedGrants(clock())).catch(reportFailure);
  }, FORGET_INTERVAL_MS).unref();
}
