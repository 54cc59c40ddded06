// What an organisation and its client may do now, remembered for less than a minute.
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.js';
import { findOrganisation, type OrganisationRow } from './queries.js';

/** How long an answer is used, in milliseconds: a block takes effect within a minute on every server. */
const REMEMBERED = 30_000;

/** Most organisations and clients that are remembered. */
const MOST_REMEMBERED = 50_000;

/** Remembers organisations by their identifier and client. */
export class OrganisationLookup {
  readonly #database: Database;
  readonly #known: LRUCache<string, OrganisationRow>;
  readonly #asked = new Map<string, Promise<OrganisationRow | undefined>>();

  constructor(database: Database, clock: () => Date) {
    this.#database = database;
    this.#known = new LRUCache({
      max: MOST_REMEMBERED,
      ttl: REMEMBERED,
      perf: { now: () => clock().getTime() },
    });
  }

  /** As it may have been up to half a minute ago. */
  async recent(identifier: string, clientId: string): Promise<OrganisationRow | undefined> {
    // No identifier has a line break, so no two pairs have the same key.
    const key = `${identifier}\n${clientId}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    // Whoever asks for the same meanwhile waits for the same answer.
    const asked = this.#asked.get(key) ?? this.#ask(key, identifier, clientId);
    this.#asked.set(key, asked);
    return asked;
  }

  async #ask(key: string, identifier: string, clientId: string) {
    try {
      const organisation = await this.current(identifier, clientId);
      if (organisation !== undefined) this.#known.set(key, organisation);
      return organisation;
    } finally {
      this.#asked.delete(key);
    }
  }

  /** As it stands. */
  async current(identifier: string, clientId: string): Promise<OrganisationRow | undefined> {
    const [organisation] = await this.#database.query<OrganisationRow>(
      findOrganisation(identifier, clientId),
    );
    return organisation;
  }

  /** After a change on this server nothing that was remembered counts. */
  forget(): void {
    this.#known.clear();
  }
}
