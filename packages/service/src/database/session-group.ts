// Several sessions that run transactions, or reads, side by side.
import { Connection } from './connection.js';
import type { RowsOf, Statement, Transaction } from './database.js';
import type { SessionConfig } from './session-client.js';

/** Each goes to the session that has the fewest. */
export class SessionGroup {
  readonly #sessions: { connection: Connection; transactions: number }[];

  constructor(config: SessionConfig, size: number) {
    this.#sessions = Array.from({ length: size }, () => ({
      connection: new Connection(config),
      transactions: 0,
    }));
  }

  commit<const Statements extends readonly Statement[]>(
    statements: Statements,
    schema?: string,
  ): Promise<RowsOf<Statements>> {
    return this.#use((connection) => connection.commit(statements, schema));
  }

  transact<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    schema?: string,
  ): Promise<Result> {
    return this.#use((connection) => connection.transact(work, schema));
  }

  /** Reads two things over one session, the second after the first. */
  lookUpBoth<First extends object, Second extends object>(
    first: Statement<First>,
    second: Statement<Second>,
  ): Promise<[First[], Second[]]> {
    return this.#use((connection) =>
      Promise.all([connection.lookUp(first), connection.lookUp(second)]),
    );
  }

  async verifyIdle(): Promise<void> {
    await Promise.all(this.#sessions.map(({ connection }) => connection.verifyIdle()));
  }

  async close(): Promise<void> {
    await Promise.all(this.#sessions.map(({ connection }) => connection.close()));
  }

  async #use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const session = this.#sessions.reduce((min, one) =>
      one.transactions < min.transactions ? one : min,
    );
    session.transactions++;
    try {
      return await work(session.connection);
    } finally {
      session.transactions--;
    }
  }
}
