// Reads an ENS as it was registered last, page by page, so that a large one needs no memory and no session for as long as
// its reader takes. All pages are of one version: if it changes meanwhile, the read begins again, or ends without its end.
import type { Queryable } from '../database/database.js';
import type { StreamRoom } from '../feed/stream-room.js';
import { ChangedMeanwhileError } from '../feed/transact-on-feeds.js';
import type { ExistingDeclaration } from './declaration-queries.js';
import { readDeclarations } from './read-existing.js';
import { type ElementFrame, selectHousePage } from './registered-house-queries.js';

/** House consignments that are read at once. */
const HOUSES_AT_ONCE = 500;

/** What is read before anything is sent, in bytes: until then a change does not concern the reader. */
const START_BYTES = 1024 * 1024;

/** How often the read begins again before it fails. */
const MAX_RESTARTS = 20;

/** A form in which an ENS is read. */
type Form = { start: string; frame: ElementFrame; end: string };

/** One JSON text. */
const asText = ({ members }: ExistingDeclaration): Form => ({
  start: `${JSON.stringify(members).slice(0, -1)},"houseConsignments":[`,
  frame: { before: '', after: '', between: ',' },
  end: ']}',
});

/** Lines of an upload that registers the same again: the ENS with an empty list, then each house consignment. */
const asLines = ({ members }: ExistingDeclaration): Form => ({
  start: `${JSON.stringify({ ...members, houseConsignments: [] })}\n`,
  frame: { before: `{"mrn":"${members.mrn}","houseConsignment":`, after: '}\n', between: '' },
  end: '',
});

/** Reads when it is the turn of the organisation that reads. */
type ReadInTurn = <Result>(read: () => Promise<Result>) => Promise<Result>;

/** An ENS in parts, and its version. */
export type ReadDeclaration = {
  version: number;
  /** Throws ChangedMeanwhileError if the ENS is changed before all of it was read. */
  parts: AsyncGenerator<Buffer>;
};

/**
 * Reads the ENS as it is at one moment, as one JSON text or as lines.
 *
 * @returns `undefined` if it does not exist; `no room` if too much that was read before is not sent yet
 * @throws ChangedMeanwhileError if it is changed again and again
 */
export async function getEntrySummaryDeclaration(
  database: Queryable,
  mrn: string,
  room: StreamRoom,
  readInTurn: ReadInTurn,
  form: 'text' | 'lines' = 'text',
): Promise<ReadDeclaration | 'no room' | undefined> {
  for (let restarts = 0; ; restarts++) {
    const declaration = (await readDeclarations(database, [mrn])).get(mrn);
    if (declaration === undefined || declaration.withdrawn) return undefined;
    const { start: beginning, frame, end } = (form === 'text' ? asText : asLines)(declaration);
    const read = (after: string | undefined) =>
      readInTurn(() => readPage(database, declaration, after, frame, end));
    try {
      const start = await room.take(() => readStart(beginning, read), 0);
      if (start === undefined) return 'no room';
      return { version: declaration.version, parts: readParts(read, start, room) };
    } catch (error) {
      if (!(error instanceof ChangedMeanwhileError) || restarts >= MAX_RESTARTS) throw error;
    }
  }
}

/** A part of the text, and the id of the house consignment after which the next one begins; `undefined` at the end. */
type Part = { bytes: Buffer; after: string | undefined };

type ReadPage = (after: string | undefined) => Promise<Part>;

async function* readParts(read: ReadPage, start: Part, room: StreamRoom): AsyncGenerator<Buffer> {
  for (let part: Part | undefined = start; part !== undefined; ) {
    yield part.bytes;
    room.release();
    const after: string | undefined = part.after;
    if (after === undefined) return;
    part = await room.take(() => read(after), Number.POSITIVE_INFINITY);
  }
}

/** The members of the ENS and its first house consignments. */
async function readStart(beginning: string, read: ReadPage): Promise<Part> {
  const parts: Buffer[] = [Buffer.from(beginning)];
  let bytes = 0;
  let after: string | undefined;
  do {
    const page = await read(after);
    parts.push(page.bytes);
    bytes += page.bytes.length;
    after = page.after;
  } while (after !== undefined && bytes < START_BYTES);
  return { bytes: Buffer.concat(parts), after };
}

async function readPage(
  database: Queryable,
  { id, version }: ExistingDeclaration,
  after: string | undefined,
  frame: ElementFrame,
  end: string,
): Promise<Part> {
  const [page] = await database.query(selectHousePage(id, after, HOUSES_AT_ONCE, frame));
  if (page === undefined) throw new Error('a page has no row');
  if (page.version !== version) throw new ChangedMeanwhileError('changed while it was read');
  if (page.last === null) return { bytes: Buffer.from(end), after: undefined };
  const between = after === undefined ? '' : frame.between;
  return { bytes: Buffer.from(`${between}${page.body ?? ''}`), after: page.last };
}
