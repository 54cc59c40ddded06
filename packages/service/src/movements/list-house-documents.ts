// Lists the statuses of house consignments: of a transport, of a master consignment, of a receptacle, or of one alone.
import type { Queryable } from '../database/database.js';
import {
  type Asking,
  type Named,
  selectHouseDocument,
  selectHouseDocumentsOfMaster,
  selectHouseDocumentsOfReceptacle,
  selectHouseDocumentsOfTransport,
} from './descendant-queries.js';
import { type Queried, readQueried } from './queried-text.js';

/** What the house consignments belong to, or the one that is meant. */
export type DocumentsOf =
  | { transport: string }
  | { master: Named }
  | { house: Named }
  | { receptacle: string };

/** The statuses of the house consignments as a list; of one alone as an object. */
export async function listHouseDocuments(
  database: Queryable,
  of: DocumentsOf,
  asking: Asking,
): Promise<Queried> {
  return readQueried(database, statementOf(of, asking));
}

function statementOf(of: DocumentsOf, asking: Asking) {
  if ('transport' in of) return selectHouseDocumentsOfTransport(of.transport, asking);
  if ('master' in of) return selectHouseDocumentsOfMaster(of.master, asking);
  if ('house' in of) return selectHouseDocument(of.house, asking);
  return selectHouseDocumentsOfReceptacle(of.receptacle, asking);
}
