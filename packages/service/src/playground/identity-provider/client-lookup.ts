// Clients as they are registered. What is remembered of them may be out of date: it is enough to check a grant with
// that is used up only while its client still stands so, and never enough to refuse one.
import { LRUCache } from 'lru-cache';
import { Batch } from '../../database/batch.js';
import type { Database } from '../../database/database.js';
import { type ClientState, findClients } from './queries.js';

/** Most clients that are remembered. */
const MOST_REMEMBERED = 10_000;

/** Looks clients up; `undefined` where one is not registered. */
export class ClientLookup {
  readonly #current: Batch<string, { found: ClientState | undefined }>;
  readonly #known = new LRUCache<string, ClientState>({ max: MOST_REMEMBERED });

  constructor(database: Database) {
    // Whoever asks while an answer is under way shares the next one: it is never older than the question.
    this.#current = new Batch(async (clientIds) => {
      const rows = await database.lookUps.query<ClientState>(findClients([...new Set(clientIds)]));
      const found = new Map(rows.map((row) => [row.clientId, row]));
      return clientIds.map((clientId) => ({ found: found.get(clientId) }));
    });
  }

  /** As it stood when it was looked up last; `undefined` also where nobody has. */
  remembered(clientId: string): ClientState | undefined {
    return this.#known.get(clientId);
  }

  /** As it stands. */
  async current(clientId: string): Promise<ClientState | undefined> {
    const { found } = await this.#current.submit(clientId);
    if (found === undefined) this.#known.delete(clientId);
    else this.#known.set(clientId, found);
    return found;
  }
}

/** Finds the client of one grant, and knows afterwards what was found and whether it was only remembered. */
export class ClientOfGrant {
  readonly #clients: Pick<ClientLookup, 'remembered' | 'current'>;
  readonly #remembering: boolean;
  found: ClientState | undefined;
  remembered = false;

  /** @param remembering whether what is remembered will do */
  constructor(clients: Pick<ClientLookup, 'remembered' | 'current'>, remembering: boolean) {
    this.#clients = clients;
    this.#remembering = remembering;
  }

  readonly find = async (clientId: string): Promise<ClientState | undefined> => {
    const known = this.#remembering ? this.#clients.remembered(clientId) : undefined;
    this.remembered = known !== undefined;
    this.found = known ?? (await this.#clients.current(clientId));
    return this.found;
  };
}
