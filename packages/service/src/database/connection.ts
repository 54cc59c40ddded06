// One session with the database on which transactions go one after the other, each in one round trip.
import pg from 'pg';
import type { Row, Statement, Transaction } from './database.js';
import { isRetryable, translateDatabaseError } from './errors.js';

/** How often a transaction that lost a deadlock is run again before its error is told. */
const RETRIES = 5;

/** Gives bigint as number: positions and counts stay far below 2^53. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
};

/** One session; it is opened when first needed, and again after it was lost. */
export class Connection {
  readonly #config: pg.ClientConfig;
  #client: Promise<pg.Client> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(config: pg.ClientConfig) {
    this.#config = { ...config, types, pipeline: true };
  }

  query<Result extends object>(statement: Statement): Promise<Result[]> {
    return this.#inTurn((client) => send<Result>(client, statement));
  }

  transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#inTurn((client) => runTransaction(client, work));
  }

  commit(statements: readonly Statement[]): Promise<Row[][]> {
    return this.#inTurn(async (client) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await sendTransaction(client, statements);
        } catch (error) {
          if (!isRetryable(error) || attempt > RETRIES) throw error;
        }
      }
    });
  }

  async close(): Promise<void> {
    await this.#last;
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end();
  }

  /** A session has one transaction at a time: whoever comes meanwhile waits. */
  #inTurn<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(async () => work(await this.#open()));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #open(): Promise<pg.Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    const forget = () => {
      this.#client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      return client;
    } catch (error) {
      forget();
      throw translateDatabaseError(error);
    }
  }
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
  client: pg.Client,
  statements: readonly Statement[],
): Promise<Row[][]> {
  const answers = await Promise.allSettled(
    ['begin', ...statements, 'commit'].map((statement) => send<Row>(client, statement)),
  );
  const rows = answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
  return rows.slice(1, -1);
}

/** The driver takes the values as they are; it does not change them, though its type says that it might. */
function asQuery(statement: Statement | string): pg.QueryConfig {
  if (typeof statement === 'string') return { text: statement };
  return { ...statement, values: statement.values as unknown[] };
}
