// Decisions on goods that are registered, for the registry: reads what was decided before, and stores what is decided.
import type { Queryable, Transaction } from '../database/database.js';
import type { Recorded, RegistrationContext } from './decision-context.js';
import {
  type DecidedBeforeRow,
  insertRegisteredDecisions,
  selectDecidedBefore,
} from './decision-queries.js';
import type { LiveProfile } from './profiles.js';
import type { NewDecision } from './registered-decisions.js';

/** What was decided on house consignments, also on withdrawn ones, by their ids. */
export async function readDecidedBefore(
  database: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DecidedBeforeRow>> {
  const rows = await database.query(selectDecidedBefore(ids));
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Stores decisions on goods that are not presented, so nobody gets a signal.
 *
 * @param contextOf gives the request in which each is made
 */
export async function storeDecisions(
  transaction: Transaction,
  decisions: readonly NewDecision[],
  contextOf: (decision: NewDecision) => Recorded<RegistrationContext>,
  profile: LiveProfile | undefined,
): Promise<void> {
  if (decisions.length === 0) return;
  await transaction.query(insertRegisteredDecisions(decisions, contextOf, profile));
}
