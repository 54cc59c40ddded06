// Lists the master consignments that a transport names, each with its status.
import type { Queryable } from '../database/database.js';
import { type Asking, selectMasterDocuments } from './descendant-queries.js';
import { type Queried, readQueried } from './queried-text.js';

/** The master consignments of the transport with this MRN. */
export async function listMasterDocumentsOfTransport(
  database: Queryable,
  mrn: string,
  asking: Asking,
): Promise<Queried> {
  return readQueried(database, selectMasterDocuments(mrn, asking));
}
