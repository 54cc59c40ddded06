// Checkpoints of the audit trail: now and then a record names where all chains end, so that no end can be cut off
// unnoticed.
import type { Database } from '../database/database.js';
import { renderEntry } from './audit-entry.js';
import { type ChainEnd, insertRecord, lockChain, SEAL, selectChainEnds } from './queries.js';

/** How often the ends of the chains are compared, in milliseconds: an end has no checkpoint for at most this long. */
const CHECKPOINT_INTERVAL_MS = 60_000;

/** The checkpoints of this server: at the start, in every minute in which something was recorded, and at the close. */
export class AuditCheckpoints {
  readonly #database: Database;
  readonly #reportFailure: (error: unknown) => void;
  #covered: readonly ChainEnd[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  /** @param reportFailure is given the error of a checkpoint in the background; the next one covers the same ends */
  constructor(database: Database, reportFailure: (error: unknown) => void) {
    this.#database = database;
    this.#reportFailure = reportFailure;
  }

  /** Writes the first checkpoint, and goes on until `close`. */
  async start(): Promise<void> {
    await this.write(new Date());
    this.#timer = setInterval(() => void this.#writeInBackground(), CHECKPOINT_INTERVAL_MS).unref();
  }

  /** Names where all chains end, if anything was recorded since the last checkpoint of this server. */
  async write(at: Date): Promise<void> {
    const ends = await this.#database.query<ChainEnd>(selectChainEnds(this.#covered));
    // A checkpoint alone is no news: otherwise servers would go on covering each other's checkpoints.
    if (!ends.some(({ news }) => news)) return;
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
    // Only after the commit: a checkpoint that failed covers nothing.
    this.#covered = ends;
  }

  /** Writes the last checkpoint; if that fails, the next server that starts writes it. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.#writeInBackground();
  }

  /** One at a time: while the database hangs, attempts do not pile up. */
  #writeInBackground(): Promise<void> {
    this.#writing ??= this.write(new Date())
      .catch(this.#reportFailure)
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }
}
