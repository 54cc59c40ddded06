// Finds house consignments page by page.
import type { HouseConsignment, Landfall } from '@landfall/client';
import type { ListHouseConsignmentsQuery } from '@landfall/client/operations';
import { withProgress } from '../../output/progress.js';
import { type ReadPages, readPages } from '../../service/read-pages.js';

/** The filters of the query. */
export type ConsignmentFilters = Omit<ListHouseConsignmentsQuery, 'marker' | 'limit'>;

/** Reads pages until `limit` consignments are found or no pages are left. */
export async function findConsignments(
  client: Landfall,
  filters: ConsignmentFilters,
  { limit, marker }: { limit: number; marker?: string | undefined },
): Promise<ReadPages<HouseConsignment>> {
  let count = 0;
  let pages = 0;
  const onPage = (found: readonly HouseConsignment[]) => {
    count = found.length;
    pages++;
  };
  return withProgress(
    () => `${count} found, page ${pages}`,
    () =>
      readPages((query) => client.listHouseConsignments({ ...filters, ...query }), {
        limit,
        marker,
        onPage,
      }),
  );
}
