// Reads the organisations among which a search finds some.
import type { Landfall, OrganisationSummary } from '@landfall/client';

/** How many pages of 1,000 organisations are read. The page of organisations reads on. */
const MAX_PAGES = 5;

/** The first organisations, and whether these are all. */
export async function findOrganisations(
  landfall: Landfall,
  signal: AbortSignal,
): Promise<{ organisations: readonly OrganisationSummary[]; isAll: boolean }> {
  const organisations: OrganisationSummary[] = [];
  let next: Parameters<Landfall['listOrganisations']>[0] | undefined = {};
  for (let page = 0; page < MAX_PAGES && next !== undefined; page++) {
    const read: Awaited<ReturnType<Landfall['listOrganisations']>> =
      await landfall.listOrganisations(next, { signal });
    organisations.push(...read.entries);
    next = read.next;
  }
  return { organisations, isAll: next === undefined };
}
