// Reads an ENS as it was registered, house consignments page by page, so that a large one costs no memory.
import type { Queryable } from '../database/database.js';
import { toMembers } from './compare-registrables.js';
import {
  type DeclarationRow,
  selectDeclarations,
  selectHousePage,
  selectKnownMrns,
} from './queries.js';

/** House consignments that are read at once. */
const HOUSES_AT_ONCE = 1000;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Which of these MRNs are those of declarations that are registered. */
export async function findKnownDeclarations(
  database: Queryable,
  mrns: readonly string[],
): Promise<Set<string>> {
  const rows = await database.query<{ mrn: string }>(selectKnownMrns(mrns));
  return new Set(rows.map(({ mrn }) => mrn));
}

/** The ENS as JSON text, in parts; `undefined` when there is none. */
export async function getDeclaration(
  database: Queryable,
  mrn: string,
): Promise<AsyncGenerator<string> | undefined> {
  const [row] = await database.query<DeclarationRow>(selectDeclarations([mrn]));
  return row === undefined ? undefined : readParts(database, row);
}

async function* readParts(database: Queryable, row: DeclarationRow): AsyncGenerator<string> {
  yield `${JSON.stringify(toMembers(row)).slice(0, -1)},"houseConsignments":[`;
  for (let after = FIRST_ID; ; ) {
    const [page] = await database.query<{ houses: number; last: string; body: string }>(
      selectHousePage(row.id, after, HOUSES_AT_ONCE),
    );
    if (page === undefined || page.houses === 0) break;
    yield after === FIRST_ID ? page.body : `,${page.body}`;
    if (page.houses < HOUSES_AT_ONCE) break;
    after = page.last;
  }
  yield ']}';
}
