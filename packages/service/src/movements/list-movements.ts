// Lists the movement messages of an organisation, newest first.
import { type MovementQuery, PAGE_LIMIT } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { UnknownMarkerError } from '../feed/feed.js';
import type { MessageKind } from './message-kind.js';
import { findMovements, type ListedWay, type MovementFilters, selectMarked } from './queries.js';

/** Messages, each as JSON text, and the marker of the next page if more may follow. */
export type MovementsPage = { movements: string[]; next: string | undefined };

/** How many messages are examined for one page. */
const MAX_EXAMINED = 10_000;

/** So many messages have one document or one means of transport at most; if there are more, those of the party are examined. */
const MAX_NAMED = 1000;

/**
 * Examines a limited number of the organisation's messages after the marker and returns those that match. The page may
 * therefore be short or empty although more follow; then it has `next`.
 *
 * @param limits how many are examined, for a test
 * @throws UnknownMarkerError if the marker is not the MRN of one of its messages
 */
export async function listMovements(
  database: Queryable,
  organisationId: number,
  kind: MessageKind,
  { marker, limit = PAGE_LIMIT, ...filters }: MovementQuery,
  { maxExamined = MAX_EXAMINED, maxNamed = MAX_NAMED } = {},
): Promise<MovementsPage> {
  const wanted: MovementFilters = { ...filters, ...kind };
  const after =
    marker === undefined ? undefined : await findMarked(database, organisationId, marker);
  const find = async (
    way: ListedWay,
    start: number | undefined,
    count: number,
    examined: number,
  ) => {
    const [row] = await database.query(
      findMovements(organisationId, wanted, way, { after: start, limit: count, examined }),
    );
    if (row === undefined) throw new Error('a search returned no row');
    return row;
  };

  const named = wayByName(filters);
  if (named !== undefined) {
    const row = await find(named, after, limit, maxNamed);
    // Those of others may be among them: none of these may be where a page ends.
    if (row.found.length === limit)
      return { movements: row.found, next: row.lastFound ?? undefined };
    if (row.examined < maxNamed) return { movements: row.found, next: undefined };
  }

  const movements: string[] = [];
  let start = after;
  let left = maxExamined;
  // Without a filter that leaves out most, the page is full with the first ones.
  for (let examined = Math.min(limit, left); left > 0; examined = left) {
    const row = await find('party', start, limit - movements.length, examined);
    movements.push(...row.found);
    if (movements.length === limit) return { movements, next: row.lastFound ?? undefined };
    if (row.examined < examined || row.lastExamined === null) return { movements, next: undefined };
    left -= examined;
    if (left === 0) return { movements, next: row.lastExamined.mrn };
    start = row.lastExamined.id;
  }
  throw new Error('a search has examined nothing');
}

/** The index of a name that the filters have, which leads to few messages. */
function wayByName({ documentNumber, identificationNumber }: MovementQuery): ListedWay | undefined {
  if (documentNumber !== undefined) return 'document';
  return identificationNumber === undefined ? undefined : 'means';
}

async function findMarked(
  database: Queryable,
  organisationId: number,
  mrn: string,
): Promise<number> {
  const [row] = await database.query(selectMarked(organisationId, mrn));
  if (row === undefined) {
    throw new UnknownMarkerError('is not the MRN of a message of this organisation');
  }
  return row.id;
}
