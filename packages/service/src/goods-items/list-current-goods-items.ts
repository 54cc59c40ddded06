// A page of the current goods items, with the marker from which the stream continues after them.
//
// The first page notes where the stream ends. The pages after it show items as they stand by then, which may be later.
// Who reads all pages and then the stream after that marker comes to the same items as who read everything: what is
// told of an item is what it was at the marker or became after it, and all that became of it after the marker comes
// again, in its order (decision 0040).
import type { Queryable } from '../database/database.js';
import type { Framing } from '../feed/queries.js';
import type { ItemKey } from './goods-item-event.js';
import { type ItemsRow, selectItems } from './queries.js';

/** Where a reader is among the pages. */
export type ItemsPage = {
  /** The end of the stream at the first page; `undefined` while nothing had been published. */
  marker: string | undefined;
  /** The last item that was read. */
  after: ItemKey;
};

/** What is answered: the items as one text, and where to go on. */
export type CurrentItems = {
  body: string;
  marker: string | undefined;
  next: ItemsPage | undefined;
};

/** @param page where to go on; without it from the first item */
export async function listCurrentGoodsItems(
  database: Queryable,
  {
    declaration,
    page,
    limit,
    framing,
  }: {
    declaration: string | undefined;
    page: ItemsPage | undefined;
    limit: number;
    framing: Exclude<Framing, 'events'>;
  },
): Promise<CurrentItems> {
  const [row] = await database.query<ItemsRow>(
    selectItems(page?.after, declaration, limit, framing),
  );
  const marker = page === undefined ? (row?.marker ?? undefined) : page.marker;
  const empty = framing === 'json' ? '[]' : '';
  if (!row || row.declaration === null || row.number === null) {
    return { body: empty, marker, next: undefined };
  }
  const after = { declaration: row.declaration, number: row.number };
  return {
    body: row.body ?? empty,
    marker,
    next: row.more ? { marker, after } : undefined,
  };
}

/** A page as a text for an address. */
export function writeItemsPage({ marker = '', after }: ItemsPage): string {
  return Buffer.from(`${marker} ${after.declaration} ${after.number}`).toString('base64url');
}

const PAGE_PATTERN = /^([0-9a-f-]{36})? ([0-9-]{1,40}) (-?\d{1,16})$/;

/** Reads such a text; `undefined` when it is none. */
export function readItemsPage(text: string): ItemsPage | undefined {
  const found = PAGE_PATTERN.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (found === null) return undefined;
  const [, marker, declaration = '', number] = found;
  return { marker, after: { declaration, number: Number(number) } };
}
