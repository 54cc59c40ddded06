// Reads a movement message as it was last accepted, with its state.
import type { Queryable } from '../database/database.js';
import type { MessageKind } from './message-kind.js';
import { selectMovement } from './queries.js';

/**
 * The message as the JSON text that is sent; `undefined` if there is none of this kind that the organisation has lodged, or
 * that names it as representative.
 */
export async function getMovement(
  database: Queryable,
  organisationId: number,
  kind: MessageKind,
  mrn: string,
): Promise<string | undefined> {
  const [row] = await database.query(selectMovement(organisationId, kind, mrn));
  return row?.body;
}
