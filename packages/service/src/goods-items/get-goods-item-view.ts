// Reads the view of an organisation.
import type { StoredGoodsItemView } from '@landfall/contract';
import { isOrganisationIdentifier } from '../access/organisation-identifier.js';
import type { Queryable } from '../database/database.js';
import { toStoredView } from './stored-view.js';
import { selectView } from './view-queries.js';

/** The view; `undefined` if the organisation has none, or is not registered. */
export async function getGoodsItemView(
  database: Queryable,
  organisation: string,
): Promise<StoredGoodsItemView | undefined> {
  if (!isOrganisationIdentifier(organisation)) return undefined;
  const [row] = await database.query(selectView(organisation));
  return row && toStoredView(row);
}
