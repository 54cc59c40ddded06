// Removes the view of an organisation, which sees everything from then on.
import { isOrganisationIdentifier } from '../access/organisation-identifier.js';
import type { AuditContext } from '../audit/audit-entry.js';
import { getGoodsItemView } from './get-goods-item-view.js';
import { checkPrecondition, type Precondition, type ViewsContext } from './stored-view.js';
import { lockViewOf, writeView } from './view-queries.js';

/**
 * Removes the view, and records it; without a view nothing is changed.
 *
 * @throws ViewChangedError when there is a view, and not the one that was read
 */
export async function deleteGoodsItemView(
  { database, audit, currentViews }: ViewsContext,
  organisation: string,
  context: AuditContext & { actor: { organisation: string; client: string } },
  precondition: Precondition,
): Promise<void> {
  if (!isOrganisationIdentifier(organisation)) return;
  await database.transact(async (transaction) => {
    const [locked] = await transaction.query(lockViewOf(organisation));
    const before = await getGoodsItemView(transaction, organisation);
    if (locked === undefined || before === undefined) return;
    checkPrecondition(organisation, before, precondition);
    await transaction.query(writeView(locked.id, undefined, { at: context.at, ...context.actor }));
    const details = { organisation, version: before.version + 1, before: before.view };
    await audit.record(transaction, { ...context, action: 'goods-item-view.removed', details });
  }, 'writes');
  currentViews.forget();
}
