// Whether goods under a master consignment are presented, for whoever cancels or replaces it.
import type { Transaction } from '../database/database.js';
import { ChangedMeanwhileError, type FeedTransaction } from '../feed/transact-on-feeds.js';
import {
  type ExistingMovement,
  selectPartiesUnder,
  selectPresentedUnder,
} from './changing-queries.js';

/**
 * The parties of the goods under a current master consignment. Whoever presents those has locked their feeds, and not those of
 * the parties of the master consignment.
 */
export async function findPartiesUnder(
  transaction: FeedTransaction,
  { id, level, state }: Pick<ExistingMovement, 'id' | 'level' | 'state'>,
): Promise<readonly number[]> {
  if (level !== 'MASTER_CONSIGNMENT' || state !== null) return [];
  const [under] = await listPartiesUnder(transaction, [id]);
  return under?.organisations ?? [];
}

/** The same of each of these master consignments. */
export function listPartiesUnder(
  transaction: Transaction,
  ids: readonly number[],
): Promise<{ id: number; organisations: number[] }[]> {
  return transaction.query(selectPartiesUnder(ids));
}

/**
 * Whether goods under a current master consignment are presented. Nobody presents them until the end of the transaction.
 *
 * @throws ChangedMeanwhileError if the feed of a party of theirs is not locked
 */
export async function isPresentedUnder(transaction: FeedTransaction, id: number): Promise<boolean> {
  const master = { id, level: 'MASTER_CONSIGNMENT', state: null } as const;
  const parties = await findPartiesUnder(transaction, master);
  if (parties.some((party) => !transaction.locked.has(party))) {
    throw new ChangedMeanwhileError('goods of another party were lodged under it meanwhile');
  }
  const [under] = await transaction.query(selectPresentedUnder(id));
  return under?.presented === true;
}
