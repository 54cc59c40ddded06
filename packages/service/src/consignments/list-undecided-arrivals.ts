// Lists presented house consignments that wait for a decision, page by page.
import { PAGE_LIMIT, type UndecidedArrival, type UndecidedArrivalQuery } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { UnknownMarkerError } from '../feed/feed.js';
import { selectFirstPresentation, selectUndecided } from './arrival-queries.js';

/** A page, and the marker of the next page if more may follow. */
export type UndecidedPage = { page: UndecidedArrival[]; next: string | undefined };

/** Before the first presentation. */
const BEGINNING = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

/** The goods that wait for a decision, after the marker, those that have waited longest first. */
export async function listUndecidedArrivals(
  database: Queryable,
  { marker, limit = PAGE_LIMIT, office }: UndecidedArrivalQuery,
): Promise<UndecidedPage> {
  const after = marker === undefined ? BEGINNING : await findMarker(database, marker);
  const rows = await database.query(selectUndecided(after, limit, office));
  const page = rows.map(({ known, ...arrival }) => ({ ...arrival, ...known }));
  return { page, next: page.length === limit ? page.at(-1)?.id : undefined };
}

/** The position of a marker, which may be decided meanwhile. */
async function findMarker(database: Queryable, id: string): Promise<{ at: Date; id: string }> {
  const [row] = await database.query(selectFirstPresentation(id));
  if (row === undefined)
    throw new UnknownMarkerError('is not the id of a presented house consignment');
  return { at: row.at, id };
}
