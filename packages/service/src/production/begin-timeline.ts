// Tells a restored database that it is one: its feeds get a new timeline, so that no reader continues after a marker that means
// another entry now.
import type { Config } from '../config.js';
import type { BegunTimeline } from '../feed/timeline-queries.js';
import { UnsafeError } from './check-safety.js';
import { withProductionDatabase } from './maintain-database.js';

export type { BegunTimeline };

/**
 * Begins a new timeline of feeds in a database that was restored to an earlier time, and ends all sessions of the console, of
 * which somebody may have signed out since that time. Before the first server is started.
 *
 * @returns the timeline, and when the last change of the restored database was recorded
 * @throws NoDatabaseError when DATABASE_URL is not set or is not an address of PostgreSQL
 * @throws UnsafeError when the schema is not that of this version, or a server is connected
 * @throws DatabaseUnavailableError when PostgreSQL does not respond
 */
export async function declareRestored(given: Partial<Config> = {}): Promise<BegunTimeline> {
  const { AuditTrail } = await import('../audit/audit-trail.js');
  const { RESTORATION, selectChainEnds } = await import('../audit/queries.js');
  const { deleteAllSessions } = await import('../console/session-queries.js');
  const { countServerSessions, insertTimeline } = await import('../feed/timeline-queries.js');
  const { checkSchema } = await import('./check-safety.js');
  return withProductionDatabase(given, async (database) => {
    const [servers] = await database.query(countServerSessions);
    const reasons = await checkSchema(database);
    if (servers !== undefined && servers.sessions > 0) {
      reasons.push(`${servers.sessions} sessions of servers are open: stop all servers first`);
    }
    if (reasons.length > 0) throw new UnsafeError(reasons);
    return database.transact(async (transaction) => {
      const ends = await transaction.query(selectChainEnds([]));
      const [begun] = await transaction.query(insertTimeline);
      if (begun === undefined) throw new Error('no timeline was begun');
      await transaction.query(deleteAllSessions);
      await new AuditTrail('database').record(transaction, {
        at: begun.begunAt,
        actor: undefined,
        requestId: undefined,
        action: RESTORATION,
        details: {
          timeline: begun.id,
          lastChangeAt: begun.lastChangeAt,
          // What of the trail was kept elsewhere and is not up to here is lost.
          ends: ends.map(({ chain, position, digest }) => ({ chain, position, digest })),
        },
      });
      return begun;
    });
  });
}
