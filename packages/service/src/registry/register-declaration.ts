// Registers what is pre-notified: an entry summary declaration with its house consignments.
import type { Database, Queryable } from '../database/database.js';
import type { EntrySummaryDeclaration } from './entry-summary-declaration.js';
import {
  insertDeclaration,
  insertHouseConsignments,
  insertOrganisations,
  selectKnownMrns,
} from './queries.js';

/** Which of these MRNs are those of declarations that are registered. */
export async function findKnownDeclarations(
  database: Queryable,
  mrns: readonly string[],
): Promise<Set<string>> {
  const rows = await database.query<{ mrn: string }>(selectKnownMrns(mrns));
  return new Set(rows.map(({ mrn }) => mrn));
}

/**
 * Registers an ENS unless its MRN is known already.
 *
 * @param mintId gives the ids of the house consignments; ids minted later sort later
 * @returns whether it was registered now
 */
export async function registerDeclaration(
  database: Database,
  declaration: EntrySummaryDeclaration,
  mintId: () => string,
): Promise<boolean> {
  const { declarant, representative, houseConsignments } = declaration;
  const ids = houseConsignments.map(() => mintId());
  return database.transact(async (transaction) => {
    await transaction.query(
      insertOrganisations(representative === undefined ? [declarant] : [declarant, representative]),
    );
    const [added] = await transaction.query<{ id: number }>(insertDeclaration(declaration));
    if (added === undefined) return false;
    await transaction.query(insertHouseConsignments(added.id, declaration, ids));
    return true;
  });
}
