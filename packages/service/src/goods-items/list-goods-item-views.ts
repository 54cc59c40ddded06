// Lists the organisations that have a view, page by page.
import { type GoodsItemViewQuery, PAGE_LIMIT, type StoredGoodsItemView } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { toStoredView } from './stored-view.js';
import { selectViews } from './view-queries.js';

/** The views after the marker, sorted by organisation, and the marker of the next page if more may follow. */
export async function listGoodsItemViews(
  database: Queryable,
  { marker = '', limit = PAGE_LIMIT }: GoodsItemViewQuery,
): Promise<{ page: StoredGoodsItemView[]; next: string | undefined }> {
  const rows = await database.query(selectViews(marker, limit));
  const page = rows.flatMap((row) => toStoredView(row) ?? []);
  return { page, next: rows.length === limit ? rows.at(-1)?.organisation : undefined };
}
