// Reads the tree of a transport or of a master consignment: all that it reaches, with weights and statuses.
import type { Queryable } from '../database/database.js';
import {
  type Asking,
  selectMasterDescendants,
  selectTransportDescendants,
} from './descendant-queries.js';
import { type Queried, readQueried } from './queried-text.js';

const statements = {
  transport: selectTransportDescendants,
  'master-consignment': selectMasterDescendants,
} as const;

/** The tree of the message with this MRN. */
export async function getDescendants(
  database: Queryable,
  level: keyof typeof statements,
  mrn: string,
  asking: Asking,
): Promise<Queried> {
  return readQueried(database, statements[level](mrn, asking));
}
