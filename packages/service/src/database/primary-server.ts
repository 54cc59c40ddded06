// Which of the servers that DATABASE_URL lists is the primary. All sessions are with that one.
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../native-error.js';
import { nameServer } from './connection-address.js';
import { DatabaseReplacedError, DatabaseUnavailableError } from './errors.js';

/**
 * How long the servers are not queried again after none of them was a primary, in milliseconds. Each request would
 * otherwise connect to all of them.
 */
const SEARCH_AGAIN_MS = 250;

/**
 * How long after its loss a new primary is waited for, in milliseconds: a switchover takes some seconds. Later everything
 * that needs a primary fails at once.
 */
const WAIT_FOR_PRIMARY_MS = 10_000;

/** Connects to a server, for a moment: resolves if it takes writes. `cancel` ends an attempt that is not needed. */
export type Probe = (server: string) => { result: Promise<void>; cancel: () => void };

/** The primary: the first server of the list until it is found to be another one. */
export class PrimaryServer {
  readonly #servers: readonly [string, ...string[]];
  readonly #probe: Probe;
  readonly #found: (address: string) => void;
  readonly #waitMs: number;
  #address: string;
  /** Whether the server at `address` could not be used, and no primary was found since. */
  #isLost = false;
  #lostAt = 0;
  #searching: Promise<void> | undefined;
  /** The last search without a result, if no primary was found since. */
  #failed: { error: DatabaseUnavailableError; at: number } | undefined;

  /**
   * @param found is called with the address of the primary each time that it was searched for and found
   * @param waitMs how long after its loss a new primary is waited for
   */
  constructor(
    servers: readonly [string, ...string[]],
    probe: Probe,
    found: (address: string) => void,
    waitMs = WAIT_FOR_PRIMARY_MS,
  ) {
    this.#servers = servers;
    this.#probe = probe;
    this.#found = found;
    this.#waitMs = waitMs;
    this.#address = servers[0];
  }

  /** The address with which a session is opened. */
  get address(): string {
    return this.#address;
  }

  /** Whether there is no other server. */
  get isOnly(): boolean {
    return this.#servers.length === 1;
  }

  /** Reports that a session with a server could not be opened, or that it takes no writes. */
  lose(server: string | undefined): void {
    if (server !== this.#address || this.#isLost) return;
    this.#isLost = true;
    this.#lostAt = performance.now();
  }

  /**
   * Opens a session with the primary. If that fails, finds the primary among all servers, waits for up to 10 s after the
   * loss of the last one, and opens the session there.
   *
   * @param open opens a session with the server at `address`
   * @throws DatabaseUnavailableError when no server takes writes
   */
  async open<Session>(open: () => Promise<Session>): Promise<Session> {
    if (this.isOnly) return open();
    if (this.#isLost) await this.#search();
    const tried = this.#address;
    try {
      return await open();
    } catch (error) {
      if (error instanceof DatabaseReplacedError) throw error;
      if (this.#isLost) await this.#search();
      else if (tried === this.#address) throw error;
      return open();
    }
  }

  async #search(): Promise<void> {
    this.#searching ??= this.#waitForPrimary().finally(() => {
      this.#searching = undefined;
    });
    await this.#searching;
  }

  async #waitForPrimary(): Promise<void> {
    const { error, at = 0 } = this.#failed ?? {};
    if (error !== undefined && performance.now() - at < SEARCH_AGAIN_MS) throw error;
    for (;;) {
      try {
        return await this.#probeAll();
      } catch (error) {
        if (performance.now() - this.#lostAt > this.#waitMs) throw error;
        await delay(SEARCH_AGAIN_MS);
      }
    }
  }

  /** Probes all servers at once: one whose machine is gone responds to nothing for seconds. */
  async #probeAll(): Promise<void> {
    const probes = this.#servers.map((server) => ({ server, ...this.#probe(server) }));
    const results = probes.map(async ({ server, result }) => {
      await result;
      return server;
    });
    try {
      this.#address = await Promise.any(results);
      this.#isLost = false;
      this.#failed = undefined;
      this.#found(this.#address);
    } catch (error) {
      this.#failed = { error: describeAll(this.#servers, error), at: performance.now() };
      throw this.#failed.error;
    } finally {
      for (const { cancel } of probes) cancel();
    }
  }
}

function describeAll(servers: readonly string[], error: unknown): DatabaseUnavailableError {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const reasons = servers.map(
    (server, index) => `${nameServer(server)}: ${messageOf(errors[index])}`,
  );
  return new DatabaseUnavailableError(
    `none of the servers in DATABASE_URL takes writes (${reasons.join('; ')})`,
    { cause: error },
  );
}
