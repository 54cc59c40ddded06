// Which organisations' feeds a database locks, and a transaction that holds feeds of others meanwhile.
import type { Database, Statement, Transaction } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';

/** A database that notes the organisations whose feeds its statements lock. */
export function observeLockedFeeds(database: Database): {
  database: Database;
  locked: Set<number>;
} {
  const locked = new Set<number>();
  const note = ({ text }: Statement, rows: readonly object[]) => {
    // What such a statement returns is organisations.
    if (!text.includes('lock_in_order')) return;
    for (const [number] of JSON.stringify(rows).matchAll(/\d+/g)) locked.add(Number(number));
  };
  const observed: Database = {
    ...database,
    transact: (work, lane) =>
      database.transact((transaction) => {
        const noting: Transaction = {
          ...transaction,
          run: (script) => transaction.run(script),
          query: async <Result extends object>(statement: Statement<Result>): Promise<Result[]> => {
            const rows = await transaction.query(statement);
            note(statement, rows);
            return rows;
          },
        };
        return work(noting);
      }, lane),
    commit: async (statements, lane) => {
      const results = await database.commit(statements, lane);
      for (const [index, statement] of statements.entries()) note(statement, results[index] ?? []);
      return results;
    },
  };
  return { database: observed, locked };
}

/** Runs the work while another transaction holds the feeds of all organisations except one. */
export function holdingOtherFeeds<Result>(
  database: Database,
  except: number,
  work: () => Promise<Result>,
): Promise<Result> {
  return database.transact(async (transaction) => {
    await transaction.query({
      name: '',
      text: `select pg_advisory_xact_lock(${FEED_LOCK}, id) from organisation where id <> $1 order by id`,
      values: [except],
    });
    // The transaction is not idle: an idle one would be ended.
    const busy = setInterval(() => {
      void transaction.query({ name: '', text: 'select 1', values: [] });
    }, 1000);
    return work().finally(() => clearInterval(busy));
  });
}
