// Reads the existing data that incoming data is compared with.

import { MAX_REPORTED_ERRORS, type PreNotifiedHouseConsignment } from '@landfall/contract';
import type { Queryable, Transaction } from '../database/database.js';
import { type ExistingDeclaration, selectDeclarations } from './declaration-queries.js';
import { compareHouses, type ExistingHouse, type HouseToCompare } from './house-queries.js';
import type { MrnOwner, OtherKind } from './other-kind.js';
import type { Incoming } from './read-incoming.js';
import {
  selectUnlistedHouses,
  selectWithdrawnHouses,
  type UnlistedHouses,
  type WithdrawnHouse,
} from './withdrawal-queries.js';

/** What exists of the incoming data. */
export type Existing = {
  /** By MRN. */
  declarations: ReadonlyMap<string, ExistingDeclaration>;
  /** By MRN: what is no ENS, whose MRN none can have. */
  otherKinds: ReadonlyMap<string, MrnOwner>;
  /** By the incoming house consignment that has the same ENS and transport document. */
  houses: ReadonlyMap<PreNotifiedHouseConsignment, ExistingHouse>;
  /** By the incoming house consignment: the same one, if it was withdrawn. */
  withdrawn: ReadonlyMap<PreNotifiedHouseConsignment, WithdrawnHouse>;
  /** What complete incoming declarations do not list. */
  unlisted: readonly UnlistedHouses[];
};

/** Reads what exists; entirely new data costs one query. */
export async function readExisting(
  transaction: Transaction,
  incoming: readonly Incoming[],
): Promise<Existing> {
  const { declarations, otherKinds } = await readByMrn(
    transaction,
    incoming.map(({ mrn }) => mrn),
    kindOf(incoming),
  );
  const toCompare = incoming.flatMap(({ mrn, houses }) => {
    const declaration = declarations.get(mrn);
    return declaration === undefined ? [] : houses.map((house) => ({ declaration, house }));
  });
  const houses = await readHouses(transaction, toCompare);
  const withdrawn = await readWithdrawn(
    transaction,
    toCompare.filter(({ house }) => !houses.has(house)),
  );
  const complete = incoming.flatMap(({ mrn, isComplete }) =>
    isComplete ? (declarations.get(mrn)?.id ?? []) : [],
  );
  const listed = [...houses.values()].map(({ id }) => id);
  const unlisted =
    complete.length === 0
      ? []
      : await transaction.query(selectUnlistedHouses(complete, listed, MAX_REPORTED_ERRORS));
  return { declarations, otherKinds, houses, withdrawn, unlisted };
}

/** The existing ENS with these MRNs. */
export async function readDeclarations(
  database: Queryable,
  mrns: readonly string[],
): Promise<Map<string, ExistingDeclaration>> {
  return (await readByMrn(database, mrns)).declarations;
}

/** What entries are that are registered together: ENS, or the one that is lodged. */
export function kindOf(incoming: readonly Incoming[]): OtherKind | null {
  return incoming[0]?.declaration?.kind ?? null;
}

async function readByMrn(
  database: Queryable,
  mrns: readonly string[],
  wanted: OtherKind | null = null,
) {
  const declarations = new Map<string, ExistingDeclaration>();
  const otherKinds = new Map<string, MrnOwner>();
  for (const { kind, ...row } of await database.query(selectDeclarations([...new Set(mrns)]))) {
    if (kind === wanted) declarations.set(row.members.mrn, row);
    else if (kind !== null) otherKinds.set(row.members.mrn, kind);
  }
  return { declarations, otherKinds };
}

async function readHouses(
  transaction: Transaction,
  toCompare: readonly HouseToCompare[],
): Promise<Map<PreNotifiedHouseConsignment, ExistingHouse>> {
  if (toCompare.length === 0) return new Map();
  return byHouse(toCompare, await transaction.query(compareHouses(toCompare)));
}

async function readWithdrawn(
  transaction: Transaction,
  missing: readonly HouseToCompare[],
): Promise<Map<PreNotifiedHouseConsignment, WithdrawnHouse>> {
  if (missing.length === 0) return new Map();
  return byHouse(missing, await transaction.query(selectWithdrawnHouses(missing)));
}

function byHouse<Row extends { index: number }>(
  houses: readonly HouseToCompare[],
  rows: readonly Row[],
): Map<PreNotifiedHouseConsignment, Row> {
  return new Map(
    rows.flatMap((row) => {
      const house = houses[row.index]?.house;
      return house === undefined ? [] : [[house, row] as const];
    }),
  );
}
