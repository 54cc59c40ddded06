// The sessions for reading and for interactive transactions: each serves one at a time, by the driver's pool.
import pg from 'pg';
import { runTransaction } from './connection.js';
import type { Statement, Transaction } from './database.js';
import { translateOpeningError, UnusableSessionError } from './errors.js';
import type { PrimaryServer } from './primary-server.js';
import { SessionClient, type SessionConfig } from './session-client.js';

/** How many sessions there are, are idle, and how many requests wait for one. */
export type PoolUse = { total: number; idle: number; waiting: number };

/** A pool of sessions; each is opened when needed, and one that is lost is replaced. */
export class SessionPool {
  readonly #pool: pg.Pool;
  readonly #max: number;
  readonly #primary: PrimaryServer | undefined;

  constructor(config: SessionConfig, max: number) {
    this.#max = max;
    this.#primary = config.primary;
    this.#pool = new pg.Pool({
      ...config,
      max,
      Client: class extends SessionClient {
        constructor() {
          super(config);
        }
      },
      verify: (client, done) => {
        asSession(client)
          .verify()
          .then(() => done(), done);
      },
    });
    // An idle session that the server ends is removed from the pool; the next request gets a new one.
    this.#pool.on('error', () => undefined);
  }

  /**
   * Runs a statement.
   *
   * @param mayWrite is asked when a session is free; if not, a statement that writes fails as unavailable
   * @param schema whose tables it means; default: the schema of the server
   */
  query<Result extends object>(
    statement: Statement<Result>,
    mayWrite: () => boolean = () => true,
    schema?: string,
  ): Promise<Result[]> {
    return this.#use(schema, (session) =>
      mayWrite() ? session.execute(statement) : session.executeReadOnly(statement),
    );
  }

  transact<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    schema?: string,
  ): Promise<Result> {
    return this.#use(schema, (session) => runTransaction(session, work));
  }

  /** Verifies every idle session, or a new one where none is idle; where all are busy, none. */
  async verifyIdle(): Promise<void> {
    const { total, idle } = this.use();
    const count = idle === 0 && total < this.#max ? 1 : idle;
    await Promise.all(
      Array.from({ length: count }, () => this.#use(undefined, (session) => session.verify())),
    );
  }

  use(): PoolUse {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #use<Result>(
    schema: string | undefined,
    work: (session: SessionClient) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.#connect();
    try {
      const session = asSession(client);
      session.useSchema(schema);
      const result = await work(session);
      client.release();
      return result;
    } catch (error) {
      client.release(error instanceof UnusableSessionError);
      throw error;
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      const connect = () => this.#pool.connect();
      return await (this.#primary === undefined ? connect() : this.#primary.open(connect));
    } catch (error) {
      throw translateOpeningError(error);
    }
  }
}

/** True because the pool makes its clients by the class that it was given. */
function asSession(client: pg.ClientBase): SessionClient {
  if (client instanceof SessionClient) return client;
  throw new Error('the pool gave a client of another class than the configured one');
}
