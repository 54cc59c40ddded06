// Looks up the current rights of an organisation and its client, cached for less than a minute.
import { LRUCache } from 'lru-cache';
import { Batch } from '../database/batch.js';
import type { Database } from '../database/database.js';
import { findOrganisations, type OrganisationKey, type OrganisationRow } from './queries.js';

/** How long a row is cached, in milliseconds: a block takes effect within a minute on every server. */
const CACHE_TTL_MS = 30_000;

/** Maximum age of a row for open reads, in milliseconds. */
const RECENT_MS = 1000;

/** The maximum number of cached pairs of organisation and client. */
const MAX_CACHED = 50_000;

/** Looks up organisations by their identifier and client. */
export class OrganisationLookup {
  readonly #current: Batch<OrganisationKey, { found: OrganisationRow | undefined }>;
  readonly #cache: LRUCache<string, OrganisationRow>;
  readonly #inFlight = new Map<string, Promise<OrganisationRow | undefined>>();
  /** The number of changes on this server. A row that was read before the latest change is not cached. */
  #changes = 0;

  constructor(database: Database, clock: () => Date) {
    // Requests that arrive during a query share the next one, so no row is older than its request.
    this.#current = new Batch(async (keys) => {
      type Row = OrganisationRow | { id: null };
      const rows = await database.lookUps.query<Row>(findOrganisations(keys));
      return rows.map((row) => ({ found: row.id === null ? undefined : row }));
    });
    database.onOutdated(() => this.forget());
    this.#cache = new LRUCache({
      max: MAX_CACHED,
      ttl: CACHE_TTL_MS,
      // Reads the clock on each access, which is cheaper than the library's timer for each millisecond.
      ttlResolution: 0,
      perf: { now: () => clock().getTime() },
    });
  }

  /** The row, at most half a minute old; `undefined` if it is not cached. */
  cached(identifier: string, clientId: string): OrganisationRow | undefined {
    return this.#cache.get(keyOf(identifier, clientId));
  }

  /** The row, at most a second old, for open reads, which re-check often. */
  async recent(identifier: string, clientId: string): Promise<OrganisationRow | undefined> {
    const key = keyOf(identifier, clientId);
    const isRecent = this.#cache.getRemainingTTL(key) > CACHE_TTL_MS - RECENT_MS;
    return (isRecent ? this.#cache.get(key) : undefined) ?? this.refresh(identifier, clientId);
  }

  /** Queries the row and caches it; concurrent calls share the query. */
  refresh(identifier: string, clientId: string): Promise<OrganisationRow | undefined> {
    const key = keyOf(identifier, clientId);
    const found = this.#inFlight.get(key) ?? this.#query(key, identifier, clientId);
    this.#inFlight.set(key, found);
    return found;
  }

  async #query(key: string, identifier: string, clientId: string) {
    const changes = this.#changes;
    try {
      const organisation = await this.current(identifier, clientId);
      if (organisation !== undefined && changes === this.#changes)
        this.#cache.set(key, organisation);
      return organisation;
    } finally {
      if (changes === this.#changes) this.#inFlight.delete(key);
    }
  }

  /** The current row. */
  async current(identifier: string, clientId: string): Promise<OrganisationRow | undefined> {
    return (await this.#current.submit({ identifier, clientId })).found;
  }

  /** Empties the cache after a change on this server. */
  forget(): void {
    this.#changes += 1;
    this.#cache.clear();
    this.#inFlight.clear();
  }
}

/** No identifier contains a line break, so no two pairs have the same key. */
function keyOf(identifier: string, clientId: string): string {
  return `${identifier}\n${clientId}`;
}
