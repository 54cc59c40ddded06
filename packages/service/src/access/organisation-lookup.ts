// What an organisation and its client may do now, remembered for less than a minute.
import { LRUCache } from 'lru-cache';
import { Batch } from '../database/batch.js';
import type { Database } from '../database/database.js';
import { findOrganisations, type OrganisationAsked, type OrganisationRow } from './queries.js';

/** How long an answer is used, in milliseconds: a block takes effect within a minute on every server. */
const REMEMBERED = 30_000;

/** How old an answer may be for a read that stays open, in milliseconds. */
const RECENT = 1000;

/** Most organisations and clients that are remembered. */
const MOST_REMEMBERED = 50_000;

/** Remembers organisations by their identifier and client. */
export class OrganisationLookup {
  readonly #current: Batch<OrganisationAsked, { found: OrganisationRow | undefined }>;
  readonly #known: LRUCache<string, OrganisationRow>;
  readonly #asked = new Map<string, Promise<OrganisationRow | undefined>>();
  /** Counts the changes on this server: what was read before the latest is not remembered. */
  #changes = 0;

  constructor(database: Database, clock: () => Date) {
    // Whoever asks while an answer is under way shares the next one: it is never older than the question.
    this.#current = new Batch(async (asked) => {
      type Row = OrganisationRow | { id: null };
      const rows = await database.lookUps.query<Row>(findOrganisations(asked));
      return rows.map((row) => ({ found: row.id === null ? undefined : row }));
    });
    this.#known = new LRUCache({
      max: MOST_REMEMBERED,
      ttl: REMEMBERED,
      // The clock is asked at each look: a timer for each millisecond would cost more than the look.
      ttlResolution: 0,
      perf: { now: () => clock().getTime() },
    });
  }

  /** As it was at most half a minute ago; `undefined` when nobody has asked since. */
  remembered(identifier: string, clientId: string): OrganisationRow | undefined {
    return this.#known.get(keyOf(identifier, clientId));
  }

  /** As it was at most a second ago: for reads that stay open, which re-check often. */
  async recent(identifier: string, clientId: string): Promise<OrganisationRow | undefined> {
    const key = keyOf(identifier, clientId);
    const isRecent = this.#known.getRemainingTTL(key) > REMEMBERED - RECENT;
    return (isRecent ? this.#known.get(key) : undefined) ?? this.ask(identifier, clientId);
  }

  /** As it stands, to be remembered; whoever asks for the same meanwhile waits for the same answer. */
  ask(identifier: string, clientId: string): Promise<OrganisationRow | undefined> {
    const key = keyOf(identifier, clientId);
    const asked = this.#asked.get(key) ?? this.#ask(key, identifier, clientId);
    this.#asked.set(key, asked);
    return asked;
  }

  async #ask(key: string, identifier: string, clientId: string) {
    const changes = this.#changes;
    try {
      const organisation = await this.current(identifier, clientId);
      if (organisation !== undefined && changes === this.#changes)
        this.#known.set(key, organisation);
      return organisation;
    } finally {
      if (changes === this.#changes) this.#asked.delete(key);
    }
  }

  /** As it stands. */
  async current(identifier: string, clientId: string): Promise<OrganisationRow | undefined> {
    return (await this.#current.submit({ identifier, clientId })).found;
  }

  /** After a change on this server nothing that was remembered counts. */
  forget(): void {
    this.#changes += 1;
    this.#known.clear();
    this.#asked.clear();
  }
}

/** No identifier has a line break, so no two pairs have the same key. */
function keyOf(identifier: string, clientId: string): string {
  return `${identifier}\n${clientId}`;
}
