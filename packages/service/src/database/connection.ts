// One session with the database on which transactions go one after the other, each in one round trip.
import type { RowsOf, Statement, Transaction } from './database.js';
import { isRetryable, UnusableSessionError } from './errors.js';
import { requireTransaction } from './queries.js';
import { openSession, type SessionClient, type SessionConfig } from './session-client.js';

/** How often a transaction that lost a deadlock is run again before its error is reported. */
const RETRIES = 5;

/** Deferrable has no effect on such a transaction, but shows `requireTransaction` that there is one. */
const BEGIN = 'begin deferrable';

/** One session; it is opened when first needed, and again after it was lost. */
export class Connection {
  readonly #config: SessionConfig;
  #session: Promise<SessionClient> | undefined;
  /** Calls that use the session, or wait for it to be opened. */
  #using = 0;
  #verifying: Promise<void> | undefined;
  /** The last interactive transaction: it has the session for itself. */
  #alone: Promise<void> = Promise.resolve();
  /** All work that may be sent before the previous one has completed: the database runs it in order. */
  #pipelined: Promise<void> = Promise.resolve();
  #gathering = false;

  constructor(config: SessionConfig) {
    this.#config = { ...config, pipeline: true };
  }

  /** @param schema whose tables it means; default, as in the other functions: the schema of the server */
  query<Result extends object>(statement: Statement<Result>, schema?: string): Promise<Result[]> {
    return this.#pipeline((session) => {
      session.useSchema(schema);
      return session.execute(statement);
    });
  }

  /**
   * Sends a read of its own without waiting for those before it. The reads of one turn of the event loop are written
   * together: waking the database up for each costs more than most of the reads.
   */
  lookUp<Result extends object>(statement: Statement<Result>, schema?: string): Promise<Result[]> {
    return this.#use((session) => {
      if (!this.#gathering) {
        this.#gathering = true;
        const { stream } = session.connection;
        stream.cork();
        setImmediate(() => {
          this.#gathering = false;
          stream.uncork();
        });
      }
      session.useSchema(schema);
      return session.execute(statement);
    });
  }

  transact<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    schema?: string,
  ): Promise<Result> {
    const turn = Promise.all([this.#alone, this.#pipelined]).then(() =>
      this.#use((session) => {
        session.useSchema(schema);
        return runTransaction(session, work);
      }),
    );
    this.#alone = settled(turn);
    return turn;
  }

  /**
   * Commits statements as one transaction in one round trip. Another commit may be sent before this one has
   * completed: it is carried out after this one, and sees what it has done.
   */
  commit<const Statements extends readonly Statement[]>(
    statements: Statements,
    schema?: string,
  ): Promise<RowsOf<Statements>> {
    return this.#pipeline(async (session) => {
      for (let attempt = 1; ; attempt++) {
        try {
          session.useSchema(schema);
          return await sendTransaction(session, statements);
        } catch (error) {
          if (!isRetryable(error) || attempt > RETRIES) throw error;
        }
      }
    });
  }

  /** Verifies the session, and opens it if need be. */
  verify(): Promise<void> {
    return this.#pipeline((session) => session.verify());
  }

  /**
   * Verifies an open session that is idle, and waits for a verification that is in progress; a failure of a busy one is
   * noticed by its statements.
   */
  async verifyIdle(): Promise<void> {
    if (this.#session !== undefined && this.#using === 0) {
      this.#verifying = this.verify().finally(() => {
        this.#verifying = undefined;
      });
    }
    await this.#verifying;
  }

  async close(): Promise<void> {
    await Promise.all([this.#alone, this.#pipelined]);
    // One that could not be opened needs no closing.
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    await session?.end();
  }

  /** Does what is sent at once, in the order in which it comes; never within an interactive transaction. */
  #pipeline<Result>(work: (session: SessionClient) => Promise<Result>): Promise<Result> {
    const turn = this.#alone.then(() => this.#use(work));
    this.#pipelined = settled(Promise.all([this.#pipelined, settled(turn)]));
    return turn;
  }

  /** Does something with the session; one that turns out to be unusable is not used again. */
  async #use<Result>(work: (session: SessionClient) => Promise<Result>): Promise<Result> {
    this.#using++;
    try {
      const opening = this.#open();
      const session = await opening;
      try {
        return await work(session);
      } catch (error) {
        if (error instanceof UnusableSessionError) {
          this.#forget(opening);
          // Other statements that were sent over it still get their responses.
          void session.end();
        }
        throw error;
      }
    } finally {
      this.#using--;
    }
  }

  #open(): Promise<SessionClient> {
    if (this.#session === undefined) {
      const opening = this.#connect(() => this.#forget(opening));
      opening.catch(() => this.#forget(opening));
      this.#session = opening;
    }
    return this.#session;
  }

  async #connect(forget: () => void): Promise<SessionClient> {
    const session = await openSession(this.#config);
    for (const event of ['error', 'end'] as const) session.once(event, forget);
    return session;
  }

  #forget(session: Promise<SessionClient>): void {
    if (this.#session === session) this.#session = undefined;
  }
}

/** Resolves when a promise is resolved or rejected. */
function settled(promise: Promise<unknown>): Promise<void> {
  const nothing = () => undefined;
  return promise.then(nothing, nothing);
}

/** Runs the work between BEGIN and COMMIT on a session that is not shared meanwhile. */
export async function runTransaction<Result>(
  session: SessionClient,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  await session.execute('begin');
  try {
    const result = await work({
      query: (statement) => session.execute(statement),
      run: async (script) => {
        await session.execute(script);
      },
    });
    await session.execute('commit');
    return result;
  } catch (error) {
    // A session that is lost has nothing to roll back. Where rolling back fails, the first error says more.
    if (!(error instanceof UnusableSessionError))
      await session.execute('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * Sends BEGIN, the statements and COMMIT at once; when one fails, the server rolls all back at the COMMIT. When BEGIN itself
 * fails, the server ends the session before it reads the statements, which would each be a transaction of their own.
 */
async function sendTransaction<const Statements extends readonly Statement[]>(
  session: SessionClient,
  statements: Statements,
): Promise<RowsOf<Statements>> {
  const { stream } = session.connection;
  // One write to the socket instead of one for each message: the database wakes up once, and has all it needs.
  stream.cork();
  const sent = [BEGIN, requireTransaction, ...statements, 'commit'].map((statement) =>
    session.execute(statement),
  );
  stream.uncork();
  const results = await Promise.allSettled(sent);
  const rows = results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  // The cast is true because these are the rows of each statement in their order, without those around them.
  return rows.slice(2, -1) as RowsOf<Statements>;
}
