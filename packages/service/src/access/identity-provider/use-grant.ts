// Uses a grant up: each is taken once, by whichever server, also after a restart.
import { Batch } from '../../database/batch.js';
import type { Database } from '../../database/database.js';
import { type GrantUse, useGrants } from '../queries.js';

/** Whether the grant was not used before, as committed. */
export type UseGrant = (grant: GrantUse, now: Date) => Promise<boolean>;

type UsedGrant = Pick<GrantUse, 'clientId' | 'jti'>;

/** Makes the operation. Grants that come while a commit is under way share the next one. */
export function makeUseGrant(database: Database): UseGrant {
  const batch = new Batch<{ grant: GrantUse; now: Date }, { taken: boolean }>(
    async (requests) => {
      const now = new Date(Math.max(...requests.map((request) => request.now.getTime())));
      const grants = requests.map(({ grant }) => grant);
      // One statement is a transaction by itself.
      const taken = new Set((await database.query<UsedGrant>(useGrants(grants, now))).map(keyOf));
      return grants.map((grant) => ({ taken: taken.has(keyOf(grant)) }));
    },
    // The same grant twice in one commit could be taken twice.
    { key: ({ grant }) => keyOf(grant) },
  );
  return async (grant, now) => (await batch.submit({ grant, now })).taken;
}

/** No client is called by a line break, so no two grants have the same key. */
function keyOf({ clientId, jti }: UsedGrant): string {
  return `${clientId}\n${jti}`;
}
