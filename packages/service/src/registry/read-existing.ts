// Reads the existing data that incoming data is compared with.
import type { PreNotifiedHouseConsignment } from '@landfall/contract';
import type { Queryable, Transaction } from '../database/database.js';
import {
  compareHouses,
  type ExistingDeclaration,
  type ExistingHouse,
  selectDeclarations,
  selectUnlistedHouses,
  type UnlistedHouse,
} from './existing-queries.js';
import type { Incoming } from './read-incoming.js';

/** What exists of the incoming data. */
export type Existing = {
  /** By MRN. */
  declarations: ReadonlyMap<string, ExistingDeclaration>;
  /** By the incoming house consignment that has the same ENS and transport document. */
  houses: ReadonlyMap<PreNotifiedHouseConsignment, ExistingHouse>;
  /** House consignments that a complete incoming declaration does not list. */
  unlisted: readonly UnlistedHouse[];
};

/** Reads what exists; entirely new data costs one query. */
export async function readExisting(
  transaction: Transaction,
  incoming: readonly Incoming[],
): Promise<Existing> {
  const declarations = await readDeclarations(
    transaction,
    incoming.map(({ mrn }) => mrn),
  );
  const houses = await readHouses(transaction, incoming, declarations);
  const complete = incoming.flatMap(({ mrn, isComplete }) =>
    isComplete ? (declarations.get(mrn)?.id ?? []) : [],
  );
  const listed = [...houses.values()].map(({ id }) => id);
  const unlisted =
    complete.length === 0 ? [] : await transaction.query(selectUnlistedHouses(complete, listed));
  return { declarations, houses, unlisted };
}

/** The existing declarations with these MRNs. */
export async function readDeclarations(
  database: Queryable,
  mrns: readonly string[],
): Promise<Map<string, ExistingDeclaration>> {
  const rows = await database.query(selectDeclarations([...new Set(mrns)]));
  return new Map(rows.map((row) => [row.members.mrn, row]));
}

async function readHouses(
  transaction: Transaction,
  incoming: readonly Incoming[],
  declarations: Existing['declarations'],
): Promise<Map<PreNotifiedHouseConsignment, ExistingHouse>> {
  const toCompare = incoming.flatMap(({ mrn, houses }) => {
    const declaration = declarations.get(mrn);
    return declaration === undefined ? [] : houses.map((house) => ({ declaration, house }));
  });
  if (toCompare.length === 0) return new Map();
  const rows = await transaction.query(compareHouses(toCompare));
  return new Map(
    rows.flatMap((row) => {
      const house = toCompare[row.index]?.house;
      return house === undefined ? [] : [[house, row] as const];
    }),
  );
}
