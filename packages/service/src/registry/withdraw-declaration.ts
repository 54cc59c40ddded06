// Withdraws an ENS with its house consignments, unless one of them is presented.
import type { ValidationError } from '@landfall/contract';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Database, Transaction } from '../database/database.js';
import { lockOrganisations } from '../feed/organisation-locks.js';
import { deleteDeclaration, deleteHouses } from './change-queries.js';
import { findStanding } from './compare-registrables.js';
import { lockDeclarations, type OtherHouseRow, selectOtherHouses } from './queries.js';
import type { Registration } from './registration.js';
import { transactAgain } from './run-again.js';

/** Withdrawn with so many house consignments, or why not; `undefined` when there is no such ENS. */
export type Withdrawal = { removed: number } | { errors: readonly ValidationError[] } | undefined;

/**
 * Withdraws an ENS. What is presented is never deleted. Wire contract, section 7.
 *
 * @throws DatabaseUnavailableError when it cannot be known whether it was withdrawn
 */
export type WithdrawDeclaration = (mrn: string, registration: Registration) => Promise<Withdrawal>;

/** Makes the operation. */
export function makeWithdrawDeclaration(
  database: Database,
  audit: AuditTrail,
): WithdrawDeclaration {
  return (mrn, registration) =>
    transactAgain(database, (transaction) => withdraw(transaction, mrn, registration, audit));
}

async function withdraw(
  transaction: Transaction,
  mrn: string,
  { at, actor, requestId }: Registration,
  audit: AuditTrail,
): Promise<Withdrawal> {
  await transaction.query(lockDeclarations([mrn]));
  const standing = (await findStanding(transaction, [mrn])).get(mrn);
  if (standing === undefined) return undefined;
  await lockOrganisations(transaction, standing.organisations);
  const houses = await transaction.query<OtherHouseRow>(selectOtherHouses([standing.id], []));
  const presented = houses.filter((house) => house.presented).length;
  if (presented > 0) {
    const which = `${presented} of ${houses.length} house consignments`;
    const error = `must not be withdrawn: ${which} are presented`;
    return { errors: [{ field: 'mrn', error, code: 'PRESENTED' }] };
  }
  await transaction.query(deleteHouses(houses.map(({ id }) => id)));
  await transaction.query(deleteDeclaration(standing.id));
  await audit.record(
    transaction,
    {
      at,
      actor,
      requestId,
      action: 'entry-summary-declaration.withdrawn',
      details: { mrn, houseConsignments: { removed: houses.length } },
    },
    houses.map(withdrawnEvent(mrn)),
  );
  return { removed: houses.length };
}

/** Makes the event that a house consignment of an ENS was withdrawn; it outlives the consignment. */
function withdrawnEvent(mrn: string) {
  return ({ id, documentNumber, type }: OtherHouseRow) => ({
    houseConsignmentId: id,
    action: 'withdrawn',
    details: { mrn, transportDocumentHouseLevel: { documentNumber, type } },
  });
}
