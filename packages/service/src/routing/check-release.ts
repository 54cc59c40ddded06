// Checks whether goods may be released: the routing of everything that one identifier identifies. Decision 0110.
import {
  identifierKey,
  MAX_CHECKED_CONSIGNMENTS,
  MAX_LISTED_CONSIGNMENTS,
  PAGE_LIMIT,
  type ReleaseCheck,
  type ReleaseOutcome,
} from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { type ReleaseRow, selectRelease } from './release-queries.js';

/** The result of a check. */
export type CheckedRelease = {
  outcome: ReleaseOutcome;
  /** The `ReleaseCheck` as JSON text. */
  body: string;
  /** Whether whatever changes the outcome issues a signal to whoever checks. */
  isTold: boolean;
  /** The signals of the organisation that the result is from: ranges of positions in its feed, in their order. */
  read: readonly PositionRange[];
};

/** Consecutive positions of a feed. */
export type PositionRange = { first: number; last: number };

/**
 * Checks the goods of an identifier.
 *
 * @param identifier as it was scanned or typed
 * @param organisationId who checks; `undefined` for the authority, which sees all goods
 * @param max maximum number of house consignments that are examined
 */
export async function checkRelease(
  database: Queryable,
  identifier: string,
  organisationId: number | undefined,
  max: number = MAX_CHECKED_CONSIGNMENTS,
): Promise<CheckedRelease> {
  const [row] = await database.query(
    selectRelease(organisationId, identifierKey(identifier), max, MAX_LISTED_CONSIGNMENTS),
  );
  if (row === undefined) throw new Error('a check returned no row');
  const outcome = outcomeOf(row);
  const [location] = row.locations;
  const check: Omit<ReleaseCheck, 'houseConsignments'> = {
    outcome,
    // The cast is true because the database has no others.
    ...(row.locations.length === 1 &&
      location != null && {
        routingControlLocation: location as 'ON_ENTRY' | 'AFTER_ENTRY',
      }),
    toEntry: row.to_entry,
    toControl: row.to_control,
    ...(row.entry_pending > 0 && { entryPending: row.entry_pending }),
    ...(row.entry_denied > 0 && { entryDenied: row.entry_denied }),
    undecided: row.undecided,
    notPresented: row.not_presented,
    // Of goods that are unknown, nothing is said.
    complete: !row.entered && (outcome === 'UNKNOWN' || (row.complete && !row.unpresented)),
  };
  return {
    outcome,
    body: `${JSON.stringify(check).slice(0, -1)},"houseConsignments":${row.listed}}`,
    // The authority has no signals, and what others do with goods of theirs gives the organisation none.
    isTold: organisationId !== undefined && !row.entered,
    read: toRanges(row.positions),
  };
}

/** Goods are released only if nothing speaks against it: one house consignment that goes to control decides for all. */
function outcomeOf(row: ReleaseRow): ReleaseOutcome {
  if (row.to_control > 0) return 'TO_CONTROL';
  if (row.entry_denied > 0) return 'ENTRY_DENIED';
  if (row.undecided > 0) return 'UNDECIDED';
  if (row.entry_pending > 0) return 'ENTRY_PENDING';
  if (row.not_presented > 0) return 'NOT_PRESENTED';
  if (row.to_entry === 0) return 'UNKNOWN';
  // Others' goods have entered what was presented: nothing is said of them, except that not everything may be released.
  if (row.entered) return 'UNDECIDED';
  if (row.unpresented) return 'NOT_PRESENTED';
  return row.complete ? 'TO_ENTRY' : 'TOO_MANY';
}

/** As pages of the feed would have them: at most `PAGE_LIMIT` positions each. */
function toRanges(positions: readonly number[]): PositionRange[] {
  const ranges: PositionRange[] = [];
  for (const position of positions) {
    const range = ranges.at(-1);
    const continues = range?.last === position - 1 && position - range.first < PAGE_LIMIT;
    if (range !== undefined && continues) range.last = position;
    else ranges.push({ first: position, last: position });
  }
  return ranges;
}
