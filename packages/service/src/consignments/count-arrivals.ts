// Counts presented house consignments by office and hour.
import {
  type ArrivalCounts,
  type ArrivalQuery,
  DEFAULT_ARRIVAL_HOURS,
  MAX_ARRIVAL_HOURS,
  type ValidationError,
} from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { countByHour } from './arrival-queries.js';

const HOUR_MS = 3_600_000;

/** A range of time: from its beginning until before its end. */
export type ArrivalRange = { from: Date; to: Date };

/** The requested range of time, the last 24 hours by default, or the rule that it breaks. */
export function readRange(query: ArrivalQuery, now: Date): ArrivalRange | ValidationError {
  const to = query.to === undefined ? now : new Date(query.to);
  const from =
    query.from === undefined
      ? new Date(to.getTime() - DEFAULT_ARRIVAL_HOURS * HOUR_MS)
      : new Date(query.from);
  const length = to.getTime() - from.getTime();
  if (length > 0 && length <= MAX_ARRIVAL_HOURS * HOUR_MS) return { from, to };
  return {
    field: 'from',
    error: `must be before \`to\`, by at most ${MAX_ARRIVAL_HOURS} hours`,
    code: 'SIZE',
  };
}

/** The numbers of the first presentations in a range of time. */
export async function countArrivals(
  database: Queryable,
  { from, to }: ArrivalRange,
  office?: string,
): Promise<ArrivalCounts> {
  const rows = await database.query(countByHour(from, to, office));
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    arrivals: rows.map(({ oldestUndecided, entryPending, entryDenied, ...numbers }) => ({
      ...numbers,
      ...(entryPending > 0 && { entryPending }),
      ...(entryDenied > 0 && { entryDenied }),
      ...(oldestUndecided !== null && { oldestUndecided }),
    })),
  };
}
