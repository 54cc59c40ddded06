// Withdraws the house consignments of a declaration in steps, so that a large one needs no memory.
import type { Transaction } from '../database/database.js';
import type { RegistrationEvents } from './registration-events.js';
import { type WithdrawnRow, withdrawHouses } from './withdrawal-queries.js';

/** House consignments that are withdrawn at once. */
const HOUSES_AT_ONCE = 500;

/**
 * Withdraws all that are not listed. None of them is presented, and nobody can present them meanwhile.
 *
 * @returns how many were withdrawn
 */
export async function withdrawUnlisted(
  transaction: Transaction,
  { id, mrn }: { id: number; mrn: string },
  listed: readonly string[],
  registration: number,
  events: RegistrationEvents,
): Promise<number> {
  let last: WithdrawnRow | undefined;
  for (let withdrawn = 0; ; ) {
    const houses: WithdrawnRow[] = await transaction.query(
      withdrawHouses(id, listed, registration, HOUSES_AT_ONCE, last),
    );
    last = houses.at(-1);
    withdrawn += houses.length;
    await events.add(
      houses.map(({ id: houseConsignmentId, documentNumber, type }) => ({
        houseConsignmentId,
        action: 'withdrawn',
        details: { mrn, transportDocumentHouseLevel: { documentNumber, type }, registration },
      })),
    );
    if (houses.length < HOUSES_AT_ONCE) return withdrawn;
  }
}
