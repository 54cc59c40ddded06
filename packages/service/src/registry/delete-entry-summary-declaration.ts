// Withdraws an ENS with its house consignments, unless one of them is presented.
import type { EntrySummaryDeclarationResult, ValidationError } from '@landfall/contract';
import { type FeedTransaction, transactOnFeeds } from '../feed/transact-on-feeds.js';
import type { RegistrationContext } from '../routing/decision-context.js';
import { deleteDeclaration, deleteHouses } from './change-queries.js';
import { lockDeclarations, selectUnlistedHouses, type UnlistedHouse } from './existing-queries.js';
import { readDeclarations } from './read-existing.js';
import type { Registry } from './register.js';
import { withdrawnEvent } from './write-changes.js';

/** What was withdrawn, or why nothing was; `undefined` if there is no such ENS. */
export type Withdrawal =
  | EntrySummaryDeclarationResult
  | { errors: readonly ValidationError[] }
  | undefined;

/**
 * Withdraws an ENS. Presented goods are never deleted.
 *
 * @throws DatabaseUnavailableError if it is unknown whether it was withdrawn
 */
export async function deleteEntrySummaryDeclaration(
  { database, audit }: Pick<Registry, 'database' | 'audit'>,
  mrn: string,
  context: RegistrationContext,
): Promise<Withdrawal> {
  return transactOnFeeds(database, (transaction) => withdraw(transaction, audit, mrn, context));
}

async function withdraw(
  transaction: FeedTransaction,
  audit: Registry['audit'],
  mrn: string,
  context: RegistrationContext,
): Promise<Withdrawal> {
  await transaction.query(lockDeclarations([mrn]));
  const existing = (await readDeclarations(transaction, [mrn])).get(mrn);
  if (existing === undefined) return undefined;
  const readHouses = () => transaction.query(selectUnlistedHouses([existing.id], []));
  // What is refused locks nobody. It is read again under the locks, without which goods can be presented.
  const refused = findPresented(await readHouses());
  if (refused !== undefined) return refused;
  await transaction.lock(existing.organisations);
  const houses = await readHouses();
  const presented = findPresented(houses);
  if (presented !== undefined) return presented;
  const removed = houses.length;
  await transaction.query(deleteHouses(houses.map(({ id }) => id)));
  await transaction.query(deleteDeclaration(existing.id));
  await audit.record(
    transaction,
    {
      ...context,
      action: 'entry-summary-declaration.withdrawn',
      details: { mrn, houseConsignments: { removed } },
    },
    houses.map((house) => withdrawnEvent(mrn, house)),
  );
  return {
    mrn,
    status: 'WITHDRAWN',
    houseConsignments: { added: 0, changed: 0, removed, unchanged: 0 },
  };
}

function findPresented(houses: readonly UnlistedHouse[]): Withdrawal {
  const presented = houses.filter((house) => house.presented).length;
  if (presented === 0) return undefined;
  const which = `${presented} of ${houses.length} house consignments`;
  const error = `must not be withdrawn: ${which} are presented`;
  return { errors: [{ field: 'mrn', error, code: 'PRESENTED' }] };
}
