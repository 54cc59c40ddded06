// What the operations of routing runs share: their parts, their errors and their form.
import type { RoutingRunPreview } from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import type { Caller } from '../http/caller.js';
import type { DecisionContext } from '../routing/decision-context.js';
import type { RoutingResults } from '../routing/routing-results.js';
import type { RunRow } from './queries.js';

/** What the operations need. */
export type Runs = {
  database: Database;
  audit: AuditTrail;
  /** The time of what an audit record says. */
  clock: () => Date;
  /** Reads house consignments, as a JSON array. */
  readHouseConsignments: (ids: readonly string[]) => Promise<string>;
  /** Called when a run may go on. */
  wake: () => void;
  fourEyes: FourEyes;
  results: RoutingResults;
};

/** For what the authority wants two officers. */
export type FourEyes = {
  /** Whether for releasing what is to be controlled. */
  release: boolean;
  /** For runs with so many house consignments, or more; 0: for none because of their number. */
  runSize: number;
};

/** Makes the context of what a caller decides. */
export type MakeRunContext = (
  caller: Caller,
  requestId: string,
  at: Date | undefined,
) => DecisionContext;

/** There is no such run. */
export class RunNotFoundError extends Error {
  readonly code = 'RUN_NOT_FOUND';
  override name = 'RunNotFoundError';

  constructor(id: string) {
    super(`There is no routing run ${id}`);
  }
}

/** The run has another state than the one that was to be changed. Nothing was changed. */
export class RunChangedError extends Error {
  readonly code = 'RUN_CHANGED';
  override name = 'RunChangedError';

  constructor(id: string) {
    super(`The state of the routing run ${id} has changed since it was read: read it again`);
  }
}

/** A run: JSON text, and its entity tag. */
export type ShownRun = { id: string; body: string; etag: string };

export function showRun(id: string, { body, version }: RunRow): ShownRun {
  return { id, body, etag: etagOf(version) };
}

export function etagOf(version: number): string {
  return `"${version}"`;
}

/** The counts of a preview, by the current routing of each house consignment. */
export function countRoutings(
  routings: readonly (string | null)[],
): Omit<RoutingRunPreview, 'houseConsignments' | 'needsConfirmation'> {
  const count = (routing: string | null) => routings.filter((one) => one === routing).length;
  const pending = count('ENTRY_PENDING');
  const denied = count('ENTRY_DENIED');
  return {
    count: routings.length,
    undecided: count(null),
    toControl: count('TO_CONTROL'),
    toEntry: count('TO_ENTRY'),
    ...(pending > 0 && { entryPending: pending }),
    ...(denied > 0 && { entryDenied: denied }),
  };
}
