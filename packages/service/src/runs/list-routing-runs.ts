// Lists runs in the order in which they were created.
import { PAGE_LIMIT, type RoutingRunQuery } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { selectRuns } from './queries.js';

/** Entries, each as JSON text, and the marker of the next page if there are more. */
export type Page = { entries: readonly string[]; next: string | undefined };

export async function listRoutingRuns(
  database: Queryable,
  { limit = PAGE_LIMIT, ...query }: RoutingRunQuery,
): Promise<Page> {
  const rows = await database.query(selectRuns(query, limit));
  return toPage(rows, limit);
}

/** A page that may be followed by others if it is full. */
export function toPage(rows: readonly { id: string; body: string }[], limit: number): Page {
  return {
    entries: rows.map(({ body }) => body),
    next: rows.length === limit ? rows.at(-1)?.id : undefined,
  };
}
