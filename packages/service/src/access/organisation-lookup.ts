// Looks up the current rights of the organisation of a token, and whether a party of it is blocked; cached for less than a minute.
import type { ParsedScope, ScopeName } from '@landfall/contract';
import { LRUCache } from 'lru-cache';
import { atMost } from '../bounded-cache.js';
import { Batch } from '../database/batch.js';
import type { Database } from '../database/database.js';
import { hasScope } from '../http/caller.js';
import { findOrganisations, type OrganisationRow } from './queries.js';
import type { TokenParties } from './token-parties.js';

/** How long a row is cached, in milliseconds: a block takes effect within a minute on every server. */
export const CACHE_TTL_MS = 30_000;

/** Maximum age of a row for open reads, in milliseconds. */
export const RECENT_MS = 1000;

/** The maximum number of cached combinations of parties. */
const MAX_CACHED = 50_000;

/** Looks up organisations by the parties of a token. */
export class OrganisationLookup {
  readonly #current: Batch<TokenParties, { found: OrganisationRow | undefined }>;
  readonly #cache: LRUCache<string, OrganisationRow>;
  readonly #inFlight = new Map<string, Promise<OrganisationRow | undefined>>();
  /** The number of changes on this server. A row that was read before the latest change is not cached. */
  #changes = 0;

  constructor(database: Database, clock: () => Date) {
    // Requests that arrive during a query share the next one, so no row is older than its request.
    this.#current = new Batch(async (keys) => {
      const rows = await database.lookUps.query(findOrganisations(keys));
      return rows.map((row) => ({ found: row.id === null ? undefined : row }));
    });
    database.replacements.onOutdated(() => this.forget());
    this.#cache = new LRUCache({
      ...atMost(MAX_CACHED),
      ttl: CACHE_TTL_MS,
      // Reads the clock on each access, which is cheaper than the library's timer for each millisecond.
      ttlResolution: 0,
      perf: { now: () => clock().getTime() },
    });
  }

  /** The row, at most half a minute old; `undefined` if it is not cached. */
  cached(parties: TokenParties): OrganisationRow | undefined {
    return this.#cache.get(keyOf(parties));
  }

  /** The row, at most a second old, for open reads, which re-check often. */
  async recent(parties: TokenParties): Promise<OrganisationRow | undefined> {
    const key = keyOf(parties);
    const isRecent = this.#cache.getRemainingTTL(key) > CACHE_TTL_MS - RECENT_MS;
    return (isRecent ? this.#cache.get(key) : undefined) ?? this.refresh(parties);
  }

  /** Queries the row and caches it; concurrent calls share the query. */
  refresh(parties: TokenParties): Promise<OrganisationRow | undefined> {
    const key = keyOf(parties);
    const found = this.#inFlight.get(key) ?? this.#query(key, parties);
    this.#inFlight.set(key, found);
    return found;
  }

  async #query(key: string, parties: TokenParties) {
    const changes = this.#changes;
    try {
      const organisation = await this.current(parties);
      if (organisation !== undefined && changes === this.#changes)
        this.#cache.set(key, organisation);
      return organisation;
    } finally {
      if (changes === this.#changes) this.#inFlight.delete(key);
    }
  }

  /** The current row. */
  async current(parties: TokenParties): Promise<OrganisationRow | undefined> {
    return (await this.#current.submit(parties)).found;
  }

  /** Empties the cache after a change on this server. */
  forget(): void {
    this.#changes += 1;
    this.#cache.clear();
    this.#inFlight.clear();
  }
}

/** No identifier of an organisation contains a line break, so no two tokens of other parties have the same key. */
function keyOf({ organisation, clientId, others = [] }: TokenParties): string {
  return `${organisation}\n${clientId}\n${others.join(' ')}`;
}

/**
 * Whether a caller of an organisation may still do something, by the row as it is now.
 *
 * @param scopesIn the caller's scopes that a row grants
 * @param access scopes of which one is needed; without it, being known and not blocked is enough
 */
export function isAllowedNow(
  now: OrganisationRow | undefined,
  organisationId: number,
  scopesIn: (row: OrganisationRow) => readonly ParsedScope[],
  access: readonly ScopeName[] | undefined,
): boolean {
  if (now === undefined || now.blocked || now.id !== organisationId) return false;
  return access === undefined || hasScope({ scopes: scopesIn(now) }, access);
}
