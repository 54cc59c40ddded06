// Finds house consignments page by page: a page may be short or empty though more follow.
import { compileCheck, HouseConsignment, operations, PAGE_LIMIT } from '@landfall/contract';
import { callService } from './call-service.js';
import type { Session } from './credentials.js';
import { withProgress } from './progress.js';
import { nextMarker, readText } from './reach-service.js';
import { readMessages } from './read-message.js';

/** The filters as the query has them. */
export type ConsignmentFilters = Record<string, string | undefined>;

/** What was found, and the marker to go on from when there may be more. */
export type Found = { found: HouseConsignment[]; next: string | undefined };

const { operationId } = operations.findHouseConsignments;

/** Reads on until so many are found, or there are no more. */
export async function findConsignments(
  session: Session,
  filters: ConsignmentFilters,
  { limit, marker }: { limit: number; marker?: string | undefined },
): Promise<Found> {
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
      next = nextMarker(response);
      pages += 1;
    } while (next !== undefined && found.length < limit);
  });
  return { found, next };
}
