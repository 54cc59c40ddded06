// Reads the stored profiles, which the service returns page by page.
import type { Landfall, StoredRoutingProfile } from '@landfall/client';

/** The operation that lists them, page by page. */
type Service = {
  listRoutingProfiles(
    ...given: Parameters<Landfall['listRoutingProfiles']>
  ): Promise<Awaited<ReturnType<Landfall['listRoutingProfiles']>>>;
};

/** All versions, sorted by name and version: a page of some has neither every latest version nor always the live one. */
export async function readProfiles(
  landfall: Service,
  signal?: AbortSignal,
): Promise<StoredRoutingProfile[]> {
  return readPages(landfall, {}, signal);
}

/** All versions of one profile. */
export async function readVersions(
  landfall: Service,
  name: string,
): Promise<StoredRoutingProfile[]> {
  const found = await readPages(landfall, { name });
  return found.filter((one) => one.name === name);
}

async function readPages(
  landfall: Service,
  first: NonNullable<Parameters<Service['listRoutingProfiles']>[0]>,
  signal?: AbortSignal,
): Promise<StoredRoutingProfile[]> {
  const found: StoredRoutingProfile[] = [];
  for (let query: typeof first | undefined = first; query !== undefined; ) {
    const page: Awaited<ReturnType<Service['listRoutingProfiles']>> =
      await landfall.listRoutingProfiles(query, { ...(signal && { signal }) });
    found.push(...page.entries);
    query = page.next;
  }
  return found;
}
