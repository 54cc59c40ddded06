// Lists transports for the authority, by their estimated arrival.
import {
  isMrn,
  isRealDateTime,
  PAGE_LIMIT,
  TRANSPORTS_EXAMINED,
  type TransportQuery,
} from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { UnknownMarkerError } from '../feed/feed.js';
import { findTransports, selectMarkedTransport, type TransportWay } from './authority-queries.js';

/** Transports, each as JSON text, and the marker of the next page if more may follow. */
export type TransportsPage = { transports: string[]; next: string | undefined };

/**
 * Examines a limited number of transports after the marker and returns those that match. The page may therefore be short or
 * empty although more follow; then it has `next`.
 *
 * @param maxExamined how many are examined, for a test
 * @throws UnknownMarkerError if the marker does not have the MRN of a transport
 */
export async function listTransports(
  database: Queryable,
  { marker, limit = PAGE_LIMIT, ...filters }: TransportQuery,
  maxExamined = TRANSPORTS_EXAMINED,
): Promise<TransportsPage> {
  let after = marker === undefined ? undefined : await readMarker(database, marker);
  const transports: string[] = [];
  const way = wayOf(filters);
  let left = maxExamined;
  // Without a filter that leaves out most, the page is full with the first ones.
  for (let examined = Math.min(limit, left); left > 0; examined = left) {
    const step = { after, limit: limit - transports.length, examined };
    const [row] = await database.query(findTransports(filters, way, step));
    if (row === undefined) throw new Error('a search returned no row');
    transports.push(...row.found);
    if (transports.length === limit) return { transports, next: row.last ?? undefined };
    if (row.examined < examined || row.last === null) return { transports, next: undefined };
    left -= examined;
    if (left === 0) return { transports, next: row.last };
    after = await readMarker(database, row.last);
  }
  throw new Error('a search has examined nothing');
}

/** The index that leads to the fewest transports: vehicles come again less often than offices have others. */
function wayOf({ identificationNumber, office }: TransportQuery): TransportWay {
  if (identificationNumber !== undefined) return 'means';
  return office === undefined ? 'time' : 'office';
}

/** Where a page begins. A transport that was replaced since has another estimated arrival; the page begins where it was. */
async function readMarker(
  database: Queryable,
  marker: string,
): Promise<{ at: string; id: number }> {
  const [at = '', mrn = ''] = marker.split('_');
  const [row] =
    isMrn(mrn) && isRealDateTime(at) ? await database.query(selectMarkedTransport(mrn)) : [];
  if (row === undefined) throw new UnknownMarkerError('is not the end of a page of transports');
  return { at, id: row.id };
}
