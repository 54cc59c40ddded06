// Finds house consignments page by page. A page may be short or empty although more pages follow.
import { compileCheck, HouseConsignment, operations, PAGE_LIMIT } from '@landfall/contract';
import { callService } from '../../http/call-service.js';
import type { Session } from '../../http/credentials.js';
import { nextPageQuery, readText } from '../../http/reach-service.js';
import { readMessages } from '../../http/read-message.js';
import { withProgress } from '../../output/progress.js';

/** The filters of the query. */
export type ConsignmentFilters = Record<string, string | undefined>;

/** The consignments found, and the marker of the next page if there may be more. */
export type FoundConsignments = { found: HouseConsignment[]; next: string | undefined };

const { operationId } = operations.findHouseConsignments;

/** Reads pages until `limit` consignments are found or no pages are left. */
export async function findConsignments(
  session: Session,
  filters: ConsignmentFilters,
  { limit, marker }: { limit: number; marker?: string | undefined },
): Promise<FoundConsignments> {
  const check = compileCheck<HouseConsignment>(HouseConsignment);
  const found: HouseConsignment[] = [];
  let next = marker;
  let pages = 0;
  const line = () => `${found.length} found, page ${pages}`;
  await withProgress(line, async () => {
    do {
      const query = {
        ...filters,
        marker: next,
        limit: Math.min(PAGE_LIMIT, limit - found.length),
      };
      const response = await callService(session, operations.findHouseConsignments, { query });
      found.push(...readMessages(await readText(response), check, operationId));
      next = nextPageQuery(response)?.get('marker') ?? undefined;
      pages += 1;
    } while (next !== undefined && found.length < limit);
  });
  return { found, next };
}
