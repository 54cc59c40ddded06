// Reads an ENS as it was registered last, with its house consignments page by page, so that a large one needs no memory.
import type { Queryable } from '../database/database.js';
import { type ExistingDeclaration, selectHousePage } from './existing-queries.js';
import { readDeclarations } from './read-existing.js';

/** House consignments that are read at once. */
const HOUSES_AT_ONCE = 1000;

/** The ENS as JSON text in parts; `undefined` if it does not exist. */
export async function getEntrySummaryDeclaration(
  database: Queryable,
  mrn: string,
): Promise<AsyncGenerator<string> | undefined> {
  const declaration = (await readDeclarations(database, [mrn])).get(mrn);
  return declaration === undefined ? undefined : renderDeclaration(database, declaration);
}

async function* renderDeclaration(
  database: Queryable,
  { id, members }: ExistingDeclaration,
): AsyncGenerator<string> {
  yield `${JSON.stringify(members).slice(0, -1)},"houseConsignments":[`;
  for (let after: string | undefined; ; ) {
    const [page] = await database.query<{ houses: number; last: string; body: string }>(
      selectHousePage(id, after, HOUSES_AT_ONCE),
    );
    if (page === undefined || page.houses === 0) break;
    yield after === undefined ? page.body : `,${page.body}`;
    if (page.houses < HOUSES_AT_ONCE) break;
    after = page.last;
  }
  yield ']}';
}
