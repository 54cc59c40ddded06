// Checkpoints of the audit trail: records that state where every chain ends, so that truncating a chain is detected.
import { BackgroundJob } from '../background-job.js';
import type { Database } from '../database/database.js';
import { renderEntry } from './audit-entry.js';
import { CHECKPOINT, type ChainEnd, insertRecord, selectChainEnds } from './queries.js';

/** How often the ends of the chains are compared, in milliseconds: no record is without a checkpoint for longer. */
const CHECKPOINT_INTERVAL_MS = 60_000;

/** Writes checkpoints at the start, in every minute in which something was recorded, and at the close. */
export class AuditCheckpoints {
  readonly #database: Database;
  readonly #clock: () => Date;
  #covered: readonly ChainEnd[] = [];
  readonly #job: BackgroundJob;

  /** @param reportFailure is called with the error of a background checkpoint; the next one covers the same ends */
  constructor(
    database: Database,
    reportFailure: (error: unknown) => void,
    clock: () => Date = () => new Date(),
  ) {
    this.#database = database;
    this.#clock = clock;
    const write = () => this.write(this.#clock());
    this.#job = new BackgroundJob(CHECKPOINT_INTERVAL_MS, write, reportFailure);
    database.replacements.onOutdated(() => {
      this.#covered = [];
    });
  }

  /** Writes the first checkpoint, and further ones until `close`. */
  async start(): Promise<void> {
    await this.write(this.#clock());
    this.#job.start();
  }

  /** Writes a checkpoint if anything but checkpoints was recorded since the last one of this server. */
  async write(at: Date): Promise<void> {
    const ends = await this.#database.query(selectChainEnds(this.#covered));
    // Checkpoints do not count: otherwise servers would cover each other's checkpoints without end.
    if (!ends.some(({ grown }) => grown)) return;
    const stated = ends.map(({ chain, position, digest }) => ({ chain, position, digest }));
    const entry = renderEntry({
      at,
      actor: undefined,
      requestId: undefined,
      action: CHECKPOINT,
      details: { ends: stated },
    });
    await this.#database.transact(async (transaction) => {
      await transaction.query(insertRecord(entry, false, at, []));
    });
    // After the commit only: a failed checkpoint covers nothing.
    this.#covered = ends;
  }

  /** Writes the last checkpoint; if that fails, the next server that starts writes it. */
  async close(): Promise<void> {
    await this.#job.close();
    await this.#job.run();
  }
}
