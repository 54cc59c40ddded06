// Sets what an organisation sees of the goods-item stream. Repeating it changes nothing.
import { isDeepStrictEqual } from 'node:util';
import type { GoodsItemView, StoredGoodsItemView } from '@landfall/contract';
import { isOrganisationIdentifier } from '../access/organisation-identifier.js';
import type { AuditContext } from '../audit/audit-entry.js';
import { getGoodsItemView } from './get-goods-item-view.js';
import {
  checkPrecondition,
  type Precondition,
  ViewStateRequiredError,
  type ViewsContext,
} from './stored-view.js';
import { lockViewOf, writeView } from './view-queries.js';

/**
 * Stores a valid view, and records the change.
 *
 * @returns `undefined` if the organisation is not registered: a view of a misspelt one would restrict nobody
 * @throws ViewChangedError, ViewExistsError, ViewStateRequiredError
 */
export async function putGoodsItemView(
  { database, audit, currentViews }: ViewsContext,
  organisation: string,
  view: GoodsItemView,
  context: AuditContext & { actor: { organisation: string; client: string } },
  precondition: Precondition,
): Promise<StoredGoodsItemView | undefined> {
  if (!isOrganisationIdentifier(organisation)) return undefined;
  const stored = await database.transact(async (transaction) => {
    const [locked] = await transaction.query(lockViewOf(organisation));
    if (locked === undefined) return undefined;
    const before = await getGoodsItemView(transaction, organisation);
    // The response to the request that stored it may have been lost.
    if (before !== undefined && isDeepStrictEqual(before.view, view)) return before;
    if (before !== undefined && precondition === 'any') {
      throw new ViewStateRequiredError(organisation);
    }
    checkPrecondition(organisation, before, precondition);
    await transaction.query(writeView(locked.id, view, { at: context.at, ...context.actor }));
    const after = await getGoodsItemView(transaction, organisation);
    if (after === undefined) throw new Error(`the view of ${organisation} was not stored`);
    const details = { organisation, version: after.version, before: before?.view, after: view };
    await audit.record(transaction, { ...context, action: 'goods-item-view.put', details });
    return after;
  }, 'writes');
  currentViews.forget();
  return stored;
}
