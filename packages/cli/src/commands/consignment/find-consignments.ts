// Finds house consignments page by page. A page may be short or empty although more pages follow.
import type { HouseConsignment, Landfall } from '@landfall/client';
import type { ListHouseConsignmentsQuery } from '@landfall/client/operations';
import { PAGE_LIMIT } from '@landfall/contract';
import { withProgress } from '../../output/progress.js';

/** The filters of the query. */
export type ConsignmentFilters = Omit<ListHouseConsignmentsQuery, 'marker' | 'limit'>;

/** The consignments found, and the marker of the next page if there may be more. */
export type FoundConsignments = { found: HouseConsignment[]; next: string | undefined };

/** Reads pages until `limit` consignments are found or no pages are left. */
export async function findConsignments(
  client: Landfall,
  filters: ConsignmentFilters,
  { limit, marker }: { limit: number; marker?: string | undefined },
): Promise<FoundConsignments> {
  const found: HouseConsignment[] = [];
  let next = marker;
  let pages = 0;
  const line = () => `${found.length} found, page ${pages}`;
  await withProgress(line, async () => {
    do {
      const page = await client.listHouseConsignments({
        ...filters,
        ...(next !== undefined && { marker: next }),
        limit: Math.min(PAGE_LIMIT, limit - found.length),
      });
      found.push(...page.entries);
      next = page.next?.marker;
      pages += 1;
    } while (next !== undefined && found.length < limit);
  });
  return { found, next };
}
