// A playground resets its database, so it takes none that has anything of somebody else.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '@landfall/service';
import { type Database, SESSION_LOCKS } from '@landfall/service/assembly';
import { claimTables, keep, makeKeptTable, selectKept } from './data-queries.js';
import { PlaygroundOptionError } from './option-error.js';
import { DatabaseTakenError } from './playground.js';

/** What `raise exception` gives. */
const RAISED = 'P0001';

/** Under what the database keeps which playground has claimed it last. */
const CLAIM = 'claim';

/** How often a claim that was lost is made again, in milliseconds. */
const RETRY_INTERVAL_MS = 500;

/** How long the server may take to notice that the session of a claim that was lost has ended, in milliseconds. */
const LOST_SESSION_MS = 5000;

/** A claim that is held, and held again after its connection was lost. */
export type DatabaseClaim = {
  /** Resolves when another playground has taken the database while the connection was lost. */
  lost: Promise<Error>;
  giveUp(): Promise<void>;
};

/**
 * Claims a database of PostgreSQL.
 *
 * @throws PlaygroundOptionError when it has tables that no playground has made, or another playground uses it
 */
export async function claimDatabase(database: Database): Promise<DatabaseClaim> {
  const id = randomUUID();
  const ended = new AbortController();
  let noteLost: (error: Error) => void = () => undefined;
  const lost = new Promise<Error>((resolve) => {
    noteLost = resolve;
  });
  const take = () =>
    database.tryLock(SESSION_LOCKS.playground, () => {
      release = undefined;
      retaking = retake();
    });
  /** Claims it again, which takes as long as the database is away. */
  const retake = async () => {
    let refusedAt: number | undefined;
    while (!ended.signal.aborted) {
      try {
        release = await take();
        // Another may have taken it, and have ended since.
        if (release !== undefined)
          return (await isClaimed(database, id)) ? undefined : noteLost(new DatabaseTakenError());
        refusedAt ??= performance.now();
        if (performance.now() - refusedAt > LOST_SESSION_MS)
          return noteLost(new DatabaseTakenError());
      } catch {
        // It is away.
      }
      await delay(RETRY_INTERVAL_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  let retaking: Promise<void> | undefined;
  let release = await take();
  const giveUp = async () => {
    ended.abort();
    await retaking;
    await release?.();
  };
  if (release === undefined) {
    throw new PlaygroundOptionError(
      'databaseUrl: another playground uses this database; give each one a database of its own',
    );
  }
  try {
    await checkOwned(database);
    await database.transact((transaction) => transaction.run(makeKeptTable));
    await database.query(keep(CLAIM, id));
  } catch (error) {
    await giveUp();
    throw error;
  }
  return { lost, giveUp };
}

async function isClaimed(database: Database, id: string): Promise<boolean> {
  const [row] = await database.query(selectKept(CLAIM));
  return row?.value === id;
}

async function checkOwned(database: Database): Promise<void> {
  try {
    await database.transact((transaction) => transaction.run(claimTables));
  } catch (error) {
    if (codeOf(error) !== RAISED || !(error instanceof Error)) throw error;
    throw new PlaygroundOptionError(
      `databaseUrl: the database has tables that no playground has made (${error.message}), and a playground deletes what it finds; give it an empty one`,
    );
  }
}
