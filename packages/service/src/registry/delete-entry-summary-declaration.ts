// Withdraws an ENS with its house consignments, unless one of them is presented.
import type { EntrySummaryDeclarationResult, ValidationError } from '@landfall/contract';
import { type FeedTransaction, tryOnFeeds } from '../feed/transact-on-feeds.js';
import type { RegistrationContext } from '../routing/decision-context.js';
import { checkEtag, type DeclarationPrecondition } from './declaration-etag.js';
import { type DeclarationTurns, lockExisting } from './declaration-locks.js';
import { insertRegistration } from './declaration-queries.js';
import { readDeclarations } from './read-existing.js';
import type { Registry } from './register.js';
import { RegistrationEvents } from './registration-events.js';
import { withdrawUnlisted } from './withdraw-houses.js';
import {
  keepControls,
  selectUnlistedHouses,
  type UnlistedHouses,
  withdrawDeclarations,
} from './withdrawal-queries.js';

/** What was withdrawn, or why nothing was; `undefined` if there is no such ENS. */
export type Withdrawal =
  | EntrySummaryDeclarationResult
  | { errors: readonly ValidationError[] }
  | undefined;

/**
 * Withdraws an ENS. Presented goods are never withdrawn, and what is withdrawn is kept.
 *
 * @throws DeclarationChangedError if it is not in the state of the precondition
 * @throws DatabaseUnavailableError if it is unknown whether it was withdrawn
 */
export async function deleteEntrySummaryDeclaration(
  { database, audit, turns }: Pick<Registry, 'database' | 'audit'> & { turns: DeclarationTurns },
  mrn: string,
  context: RegistrationContext,
  precondition: DeclarationPrecondition = 'any',
): Promise<Withdrawal> {
  const attempts = {};
  return turns.run(mrn, () =>
    tryOnFeeds(
      database,
      (transaction) => withdraw(transaction, audit, mrn, context, precondition),
      {
        lane: 'writes',
        attempts,
      },
    ),
  );
}

async function withdraw(
  transaction: FeedTransaction,
  audit: Registry['audit'],
  mrn: string,
  context: RegistrationContext,
  precondition: DeclarationPrecondition,
): Promise<Withdrawal> {
  const requireLocked = await lockExisting(transaction, [mrn]);
  const declarations = await readDeclarations(transaction, [mrn]);
  requireLocked(declarations.keys());
  const existing = declarations.get(mrn);
  if (existing === undefined || existing.withdrawn) return undefined;
  checkEtag(mrn, existing, precondition);
  const readHouses = async () => {
    const [houses] = await transaction.query(selectUnlistedHouses([existing.id], [], 0));
    return houses;
  };
  // What is refused locks nobody. It is read again under the locks, without which goods can be presented.
  const refused = findPresented(await readHouses());
  if (refused !== undefined) return refused;
  await transaction.lock(existing.organisations);
  const presented = findPresented(await readHouses());
  if (presented !== undefined) return presented;
  const [registration] = await transaction.query(insertRegistration(context));
  if (registration === undefined) throw new Error('a registration was not inserted');
  const events = new RegistrationEvents(
    audit,
    transaction,
    { ...context, at: registration.at },
    registration.id,
  );
  const declaration = { id: existing.id, mrn };
  const leaving = { withdrawnFrom: [existing.id], listed: [], changed: [], partiesOf: [] };
  await transaction.query(keepControls(leaving, registration.at));
  const removed = await withdrawUnlisted(transaction, declaration, [], registration.id, events);
  await transaction.query(withdrawDeclarations([existing.id], registration.id));
  await events.record('entry-summary-declaration.withdrawn', {
    mrn,
    houseConsignments: { removed },
  });
  return {
    mrn,
    status: 'WITHDRAWN',
    houseConsignments: { added: 0, changed: 0, removed, unchanged: 0 },
  };
}

function findPresented(found: UnlistedHouses | undefined): Withdrawal {
  if (found === undefined || found.presented === 0) return undefined;
  const which = `${found.presented} of ${found.houses} house consignments`;
  const error = `must not be withdrawn: ${which} are presented`;
  return { errors: [{ field: 'mrn', error, code: 'PRESENTED' }] };
}
