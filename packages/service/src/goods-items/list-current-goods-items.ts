// A page of the current goods items, with the marker from which the stream continues after them.
//
// The marker is the end of the stream when the first page was read. Later pages may show later states of their items.
// A reader that applies all pages and then the stream after the marker still ends with the same items as a reader of
// the whole stream: every change after the marker is in the stream again, in order (decision 0040).
import type { Database, Statement } from '../database/database.js';
import { UnknownMarkerError } from '../feed/feed.js';
import type { Framing } from '../feed/queries.js';
import { findMarker } from '../feed/read-feed.js';
import { type ItemsRow, selectItems } from './current-item-queries.js';
import { goodsItemStream } from './event-feed.js';
import type { ItemKey } from './goods-item-event.js';

/** The position of a reader among the pages. */
export type ItemsPage = {
  /** The end of the stream at the first page; `undefined` while nothing had been published. */
  marker: string | undefined;
  /** The last item that was read. */
  after: ItemKey;
};

/** The items of one page as one text, and the position of the next page. */
export type CurrentItems = {
  body: string;
  count: number;
  marker: string | undefined;
  next: ItemsPage | undefined;
};

/** Which current items are read: those of one declaration if one is given, after a position, as one text. */
export type ItemsRequest = {
  declaration: string | undefined;
  /** Without it, the first page is read. */
  page: ItemsPage | undefined;
  limit: number;
  framing: Exclude<Framing, 'events'>;
};

/** The current items, for an organisation that sees all of them; `ShownItems` reads for the others. */
export async function listCurrentGoodsItems(
  database: Database,
  { declaration, page, limit, framing }: ItemsRequest,
): Promise<CurrentItems> {
  const row = await readRow(database, selectItems(page?.after, declaration, limit, framing));
  const marker = page === undefined ? (row?.marker ?? undefined) : page.marker;
  const empty = framing === 'json' ? '[]' : '';
  if (!row || row.declaration === null || row.number === null) {
    return { body: empty, count: 0, marker, next: undefined };
  }
  const after = { declaration: row.declaration, number: row.number };
  return {
    body: row.body ?? empty,
    count: row.count,
    marker,
    next: row.more ? { marker, after } : undefined,
  };
}

/** Reads from a standby if there is one, else from the primary. */
async function readRow(
  database: Database,
  statement: Statement<ItemsRow>,
): Promise<ItemsRow | undefined> {
  const [found] = (await database.standbys?.queryLatest(statement)) ?? [];
  if (found !== undefined && (await isOnPrimary(database, found.marker))) return found;
  const [row] = await database.query(statement);
  return row;
}

/**
 * Whether the primary has the last event of a standby. A standby may have events that are not acknowledged: the stream
 * would not change their items again if they were lost.
 */
async function isOnPrimary(database: Database, marker: string | null): Promise<boolean> {
  if (marker === null) return true;
  try {
    await findMarker(database.lookUps, goodsItemStream, marker);
    return true;
  } catch (error) {
    if (error instanceof UnknownMarkerError) return false;
    throw error;
  }
}

/** Encodes the position of a page for a query parameter. */
export function writeItemsPage({ marker = '', after }: ItemsPage): string {
  return Buffer.from(`${marker} ${after.declaration} ${after.number}`).toString('base64url');
}

const PAGE_PATTERN = /^([0-9a-f-]{36})? ([0-9-]{1,40}) (-?\d{1,16})$/;

/** Decodes the position of a page; `undefined` when the text is invalid. */
export function readItemsPage(text: string): ItemsPage | undefined {
  const found = PAGE_PATTERN.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (found === null) return undefined;
  const [, marker, declaration = '', number] = found;
  return { marker, after: { declaration, number: Number(number) } };
}
