// Refuses commits while an earlier one may still wait for a synchronous standby. The server process of such a commit must
// not be ended: PostgreSQL would complete the commit on the primary alone, and everybody would see it (decision 0142).
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnavailableError } from './errors.js';

/** How long after a failure the gate tries again to commit, in milliseconds. */
const RETRY_DELAY_MS = 500;

/** Open until a commit got no response in time, and again when a later one is confirmed. */
export class CommitGate {
  readonly #confirm: () => Promise<unknown>;
  readonly #ending = new AbortController();
  #confirming: Promise<void> | undefined;

  /**
   * @param confirm commits something, and resolves when PostgreSQL has confirmed it, however long that takes. Standbys
   * confirm commits in their order: then all earlier ones are confirmed too
   */
  constructor(confirm: () => Promise<unknown>) {
    this.#confirm = confirm;
  }

  get isOpen(): boolean {
    return this.#confirming === undefined;
  }

  /** Refuses commits from now on, until one of its own is confirmed. */
  close(): void {
    if (this.#confirming !== undefined || this.#ending.signal.aborted) return;
    this.#confirming = this.#confirmOne().finally(() => {
      this.#confirming = undefined;
    });
  }

  /** @throws DatabaseUnavailableError while it is closed */
  check(): void {
    if (this.isOpen) return;
    throw new DatabaseUnavailableError(
      'a commit got no response in time, and none is confirmed since: it may wait for a synchronous standby',
    );
  }

  /** Ends its attempts. */
  end(): void {
    this.#ending.abort();
  }

  async #confirmOne(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        await this.#confirm();
        return;
      } catch {
        // It ends early when the database is closed.
        await delay(RETRY_DELAY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }
}
