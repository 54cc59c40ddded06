// Seals the audit trail: now and then a record names where all chains end, so that no end can be cut off unnoticed.
import type { Database } from '../database/database.js';
import { renderEntry } from './audit-entry.js';
import { type ChainEnd, insertRecord, lockChain, SEAL, selectChainEnds } from './queries.js';

/** How often the ends of the chains are looked at, in milliseconds: the longest time that an end stands unsealed. */
const SEAL_EVERY = 60_000;

/** The seals that this server sets: when it starts, every minute in which something was recorded, when it closes. */
export class ChainSeals {
  readonly #database: Database;
  #known: readonly ChainEnd[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Seals what stands, and goes on until `close`. */
  async start(): Promise<void> {
    await this.seal(new Date());
    this.#timer = setInterval(() => {
      // While the database is away nothing is recorded either; the next seal covers it all.
      this.seal(new Date()).catch(() => undefined);
    }, SEAL_EVERY).unref();
  }

  /** Names where all chains end, if anything was recorded since the last time. */
  async seal(at: Date): Promise<void> {
    const ends = await this.#database.query<ChainEnd>(selectChainEnds(this.#known));
    // A seal alone is no news: otherwise servers would go on sealing each other's seals.
    if (!ends.some(({ news }) => news)) return;
    this.#known = ends;
    const named = ends.map(({ chain, position, digest }) => ({ chain, position, digest }));
    const entry = renderEntry({
      at,
      actor: undefined,
      requestId: undefined,
      action: SEAL,
      details: { ends: named },
    });
    await this.#database.transact(async (transaction) => {
      await transaction.query(lockChain);
      await transaction.query(insertRecord(entry, at, []));
    });
  }

  /** The last seal, if something was recorded; a database that is away is sealed at the next start. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.seal(new Date()).catch(() => undefined);
  }
}
