// One session with the database on which transactions go one after the other, each in one round trip.
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Row, Statement, Transaction } from './database.js';
import { isRetryable, OutdatedSessionError, translateDatabaseError } from './errors.js';
import { shortName } from './statement-name.js';

/** How often a transaction that lost a deadlock is run again before its error is told. */
const RETRIES = 5;

/** Gives bigint as number: positions and counts stay far below 2^53. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
};

/** A session that is open, the socket that carries it, and how it is ended so that the next one is another. */
type Session = { client: pg.Client; socket: Duplex; giveUp: () => void };

/** One session; it is opened when first needed, and again after it was lost. */
export class Connection {
  readonly #config: pg.ClientConfig;
  #session: Promise<Session> | undefined;
  /** The last interactive transaction: it has the session for itself. */
  #alone: Promise<void> = Promise.resolve();
  /** What is sent at once, and so may be sent while another is under way: the database does one after the other. */
  #pipelined: Promise<void> = Promise.resolve();
  #gathering = false;

  constructor(config: pg.ClientConfig) {
    this.#config = { ...config, types, pipeline: true };
  }

  query<Result extends object>(statement: Statement): Promise<Result[]> {
    return this.#pipeline(({ client }) => send<Result>(client, statement));
  }

  /**
   * Sends a read of its own without waiting for those before it. What is asked in one turn of the event loop is
   * written at once: waking the database up for each costs more than most of the reads.
   */
  lookUp<Result extends object>(statement: Statement): Promise<Result[]> {
    return this.#use(({ client, socket }) => {
      if (!this.#gathering) {
        this.#gathering = true;
        socket.cork();
        setImmediate(() => {
          this.#gathering = false;
          socket.uncork();
        });
      }
      return send<Result>(client, statement);
    });
  }

  transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const turn = Promise.all([this.#alone, this.#pipelined]).then(() =>
      this.#use(({ client }) => runTransaction(client, work)),
    );
    this.#alone = settled(turn);
    return turn;
  }

  /**
   * Commits statements as one transaction in one round trip. Another commit may follow before this one is answered:
   * it is carried out after this one, and sees what it has done.
   */
  commit(statements: readonly Statement[]): Promise<Row[][]> {
    return this.#pipeline(async (session) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await sendTransaction(session, statements);
        } catch (error) {
          if (!isRetryable(error) || attempt > RETRIES) throw error;
        }
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#alone, this.#pipelined]);
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    await session?.client.end();
  }

  /** Does what is sent at once, in the order in which it comes; never within an interactive transaction. */
  #pipeline<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const turn = this.#alone.then(() => this.#use(work));
    this.#pipelined = settled(Promise.all([this.#pipelined, settled(turn)]));
    return turn;
  }

  /** Does something with the session; one that turns out to be outdated is not used again. */
  async #use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const session = await this.#open();
    try {
      return await work(session);
    } catch (error) {
      if (error instanceof OutdatedSessionError) session.giveUp();
      throw error;
    }
  }

  #open(): Promise<Session> {
    if (this.#session === undefined) {
      const opening = this.#connect(() => {
        if (this.#session === opening) this.#session = undefined;
      });
      this.#session = opening;
    }
    return this.#session;
  }

  async #connect(forget: () => void): Promise<Session> {
    const socket = this.#config.stream?.() ?? new Socket();
    const client = new pg.Client({ ...this.#config, stream: () => socket });
    const giveUp = () => {
      forget();
      void client.end();
    };
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      return { client, socket, giveUp };
    } catch (error) {
      forget();
      throw translateDatabaseError(error);
    }
  }
}

/** Ends when a promise does, however it does. */
function settled(promise: Promise<unknown>): Promise<void> {
  const nothing = () => undefined;
  return promise.then(nothing, nothing);
}

/** Sends one statement, or a script without values, and gives its rows. */
export async function send<Result extends object>(
  client: pg.ClientBase | pg.Pool,
  statement: Statement | string,
): Promise<Result[]> {
  try {
    return (await client.query<Result>(asQuery(statement))).rows;
  } catch (error) {
    throw translateDatabaseError(error);
  }
}

/** Runs the work between BEGIN and COMMIT on a session that nobody else uses meanwhile. */
export async function runTransaction<Result>(
  client: pg.ClientBase,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  await send(client, 'begin');
  try {
    const result = await work({
      query: <Answer extends object>(statement: Statement) => send<Answer>(client, statement),
      run: async (script) => {
        await send(client, script);
      },
    });
    await send(client, 'commit');
    return result;
  } catch (error) {
    // When the session is lost there is nothing to roll back, and the first error says more.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Sends BEGIN, the statements and COMMIT at once; when one fails, the server rolls all back at the COMMIT. */
async function sendTransaction(
  { client, socket }: Session,
  statements: readonly Statement[],
): Promise<Row[][]> {
  // One write to the socket instead of one for each message: the database wakes up once, and has all it needs.
  socket.cork();
  const sent = ['begin', ...statements, 'commit'].map((statement) => send<Row>(client, statement));
  socket.uncork();
  const answers = await Promise.allSettled(sent);
  const rows = answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
  return rows.slice(1, -1);
}

/** The driver takes the values as they are; it does not change them, though its type says that it might. */
function asQuery(statement: Statement | string): pg.QueryConfig {
  if (typeof statement === 'string') return { text: statement };
  return {
    name: shortName(statement.name),
    text: statement.text,
    values: statement.values as unknown[],
  };
}
