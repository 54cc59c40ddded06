// One server of LANDFALL_READ_DATABASE_URL: its sessions, and whether it can be used now.
import { nameServer } from './connection-address.js';
import type { Statement } from './database.js';
import { OpenSessions } from './open-sessions.js';
import { KEEP_ALIVE_MS } from './session.js';
import { SessionGroup } from './session-group.js';
import { selectHistory, selectStandby } from './standby-queries.js';

/** How long a standby may take to accept a session, in milliseconds: the primary takes the read then. */
const CONNECT_TIMEOUT_MS = 1500;

/** Why a standby is not used now. */
export class UnusableStandbyError extends Error {
  readonly code = 'UNUSABLE_STANDBY';
  override name: string = 'UnusableStandbyError';
}

/** The server takes writes: it is the primary, or was promoted. */
export class NotAStandbyError extends UnusableStandbyError {
  override name = 'NotAStandbyError';

  constructor() {
    super('it is not a standby');
  }
}

/** How many sessions there are with each standby, and the password in place of that in its address. */
export type StandbySettings = {
  connections: number;
  readPassword?: (() => Promise<string>) | undefined;
};

/**
 * A server that is read from while it is a standby of the primary. Its sessions are closed after some two seconds of
 * silence: unlike the primary, it is not queried whether it still works for them.
 */
export class StandbyServer {
  readonly name: string;
  readonly #sessions: SessionGroup;
  readonly #open = new OpenSessions(async () => []);
  /** The history that it is known to have; `undefined` if it must not be read from. */
  #history: string | undefined;
  #replayed = 0;
  /** Reads that are under way. */
  reading = 0;
  /** Reads since the start that it took. */
  reads = 0;
  /** For how long it has not had everything, in seconds; `undefined` if that is not known. */
  lag: number | undefined;

  constructor(server: string, options: string, { connections, readPassword }: StandbySettings) {
    this.name = nameServer(server);
    this.#sessions = new SessionGroup(
      {
        connectionString: server,
        application_name: 'landfall',
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
        ...(options !== '' && { options }),
        readPassword,
        kind: 'standby',
        sessions: this.#open,
      },
      connections,
    );
  }

  get isUsable(): boolean {
    return this.#history !== undefined;
  }

  /** Up to where it has replayed the WAL of the primary, in bytes, when it was last read from. */
  get replayed(): number {
    return this.#replayed;
  }

  /** Whether it may be read from where the primary has this history. */
  follows(history: string): boolean {
    return this.#history === history;
  }

  /** Does not use it until the next check that succeeds. */
  lose(): void {
    this.#history = undefined;
  }

  /**
   * Finds out whether it can be used.
   *
   * @param history that of the primary
   * @throws UnusableStandbyError when it is no standby of this primary, or has not replayed the token yet
   * @throws DatabaseUnavailableError when it does not respond
   */
  async check(history: string): Promise<void> {
    try {
      const [row] = await this.read(selectHistory);
      if (row?.history !== history) {
        throw new UnusableStandbyError('it is not a standby of this primary, or is far behind it');
      }
      this.#history = history;
    } catch (error) {
      this.lose();
      throw error;
    }
  }

  /**
   * Reads from it.
   *
   * @throws UnusableStandbyError when it is no standby, or was promoted meanwhile
   * @throws DatabaseUnavailableError when it does not respond
   */
  async read<Result extends object>(statement: Statement<Result>): Promise<Result[]> {
    this.reading++;
    try {
      // One after the other in one session: what was read before was read from a standby too.
      const [rows, [state]] = await this.#sessions.lookUpBoth(statement, selectStandby);
      if (state?.isStandby !== true) throw new NotAStandbyError();
      this.#replayed = state.replayed ?? 0;
      return rows;
    } finally {
      this.reading--;
    }
  }

  /** Reads up to where it has replayed the WAL. */
  async readReplayed(): Promise<number> {
    await this.read(selectStandby);
    return this.#replayed;
  }

  async close(): Promise<void> {
    const closed = this.#sessions.close();
    // Its sessions have only read, so none of them is waited for.
    this.#open.destroyAll();
    await closed;
  }
}
