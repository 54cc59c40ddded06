// Reads an ENS as it was registered last, with its house consignments page by page, so that a large one needs no memory.
import type { Queryable } from '../database/database.js';
import type { StreamRoom } from '../feed/stream-room.js';
import { type ExistingDeclaration, selectHousePage } from './existing-queries.js';
import { readDeclarations } from './read-existing.js';

/** House consignments that are read at once. */
const HOUSES_AT_ONCE = 200;

const COMMA = Buffer.from(',');

/** The ENS as JSON text in parts; `undefined` if it does not exist. */
export async function getEntrySummaryDeclaration(
  database: Queryable,
  mrn: string,
  room: StreamRoom,
): Promise<AsyncGenerator<Buffer> | undefined> {
  const declaration = (await readDeclarations(database, [mrn])).get(mrn);
  return declaration === undefined ? undefined : renderDeclaration(database, declaration, room);
}

async function* renderDeclaration(
  database: Queryable,
  { id, members }: ExistingDeclaration,
  room: StreamRoom,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(members).slice(0, -1)},"houseConsignments":[`);
  for (let after: string | undefined; ; ) {
    const statement = selectHousePage(id, after, HOUSES_AT_ONCE);
    const page = await room.take(async () => {
      const [row] = await database.query(statement);
      return { last: row?.last ?? undefined, bytes: Buffer.from(row?.body ?? '') };
    }, Number.POSITIVE_INFINITY);
    // Nobody reads any longer.
    if (page === undefined) return;
    if (page.last === undefined) break;
    if (after !== undefined) yield COMMA;
    yield page.bytes;
    room.release();
    after = page.last;
  }
  yield Buffer.from(']}');
}
