// Tables that are partitioned by a time: partitions of equal length are created ahead, and old ones are dropped.
//
// The last partition, `<table>_later`, has no end, so that no write ever fails. It is a range and not PostgreSQL's default
// partition, because partitions of a table with a default one cannot be detached concurrently (decision 0125).
import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Statement } from './database.js';
import { DatabaseUnavailableError, isLockTimeout } from './errors.js';
import {
  forgetAttached,
  forgetDetaching,
  type PartitionRow,
  recordDetaching,
  selectDetached,
  selectHasRows,
  selectPartitions,
} from './partition-queries.js';

/** A table that is partitioned by a range of times, in UTC. */
export type PartitionedTable = {
  table: string;
  /** The column that it is partitioned by: `timestamptz not null`. */
  column: string;
  interval: 'day' | 'month';
};

/** A partition: the rows from a time on (`undefined`: the oldest) and before another one (`undefined`: all later ones). */
export type Partition = { name: string; from: Date | undefined; until: Date | undefined };

/**
 * How long a step waits for a lock on the whole table, in milliseconds: while it waits, everybody waits who wants the
 * table. It is tried again after a pause.
 */
const LOCK_TIMEOUT_MS = 100;
const MAX_ATTEMPTS = 10;
const BETWEEN_ATTEMPTS_MS = 500;

/** The last partition is divided while it is empty, this long before its first rows, in milliseconds. */
const MARGIN_MS = 86_400_000;

/** The partitions of a table, the oldest first. */
export async function listPartitions(
  database: Database,
  { table }: PartitionedTable,
): Promise<Partition[]> {
  const rows = await database.query(selectPartitions(table));
  return rows.map(({ name, from, until }) => ({
    name,
    from: from === null ? undefined : new Date(from),
    until: until === null ? undefined : new Date(until),
  }));
}

/**
 * Creates the partitions of the coming intervals. Only one session may do this at a time (`tryLock`).
 *
 * If the last partition has rows, or soon will have, it is closed at the end of the next interval and replaced. Its rows
 * are read for this while others write; they are not copied.
 *
 * @param ahead how many intervals after the current one have a partition afterwards, at least 1
 * @throws DatabaseUnavailableError when the table was locked by others at each attempt
 */
export async function createPartitionsAhead(
  database: Database,
  partitioned: PartitionedTable,
  { now, ahead }: { now: Date; ahead: number },
): Promise<void> {
  const { table, interval } = partitioned;
  const later = `${table}_later`;
  const last = (await listPartitions(database, partitioned)).at(-1);
  const end = startOf(interval, now, ahead + 1);
  if (last === undefined || (last.from !== undefined && last.from >= end)) return;
  const [row] = await database.query(selectHasRows(later));
  const remaining = (last.from?.getTime() ?? 0) - now.getTime();
  if (last.from === undefined || row?.hasRows === true || remaining < MARGIN_MS) {
    await closeLast(database, partitioned, last.from, { now, end });
    return;
  }
  await runLocked(
    database,
    `alter table ${table} detach partition ${later};
    ${createPartitions(partitioned, later, last.from, end)}
    ${attach(table, later, end)}`,
  );
}

/** Closes the last partition at the end of the next interval, and creates those after it. */
async function closeLast(
  database: Database,
  partitioned: PartitionedTable,
  from: Date | undefined,
  { now, end }: { now: Date; end: Date },
): Promise<void> {
  const { table, column, interval } = partitioned;
  const later = `${table}_later`;
  const closed = `${table}_${from === undefined ? 'first' : nameOf(from)}`;
  // Without this constraint, attaching would read all rows while nobody else can.
  const constraint = `${later}_end`;
  const removeConstraint = `alter table ${later} drop constraint if exists ${constraint};`;
  // It refuses later rows, so it must be gone by then: at least one interval remains.
  const until = startOf(interval, from !== undefined && from > now ? from : now, 2);
  await runLocked(
    database,
    `${removeConstraint}
    alter table ${later} add constraint ${constraint} check (${column} < ${literal(until)}) not valid;`,
  );
  try {
    await database.transact(
      (transaction) => transaction.run(`alter table ${later} validate constraint ${constraint}`),
      'maintenance',
    );
    const next = end > until ? end : until;
    await runLocked(
      database,
      `alter table ${table} detach partition ${later};
      alter table ${later} rename to ${closed};
      ${attach(table, closed, from, until)}
      alter table ${closed} drop constraint ${constraint};
      ${createPartitions(partitioned, closed, until, next)}
      create table ${later} (like ${closed} including all);
      ${attach(table, later, next)}`,
    );
  } catch (error) {
    await runLocked(database, removeConstraint);
    throw error;
  }
}

/**
 * Removes the partitions whose rows are all before a time. Transactions that use the table continue, and so do those that
 * begin meanwhile. Run it again after a failure: it continues. A partition that somebody else has detached stays.
 *
 * @returns the names of the removed partitions
 */
export async function dropPartitions(
  database: Database,
  { table }: PartitionedTable,
  before: Date,
): Promise<string[]> {
  await database.query(forgetAttached(table));
  for (const partition of await database.query(selectPartitions(table))) {
    const { name, until, isDetaching, isRecorded } = partition;
    if (isDetaching) {
      const finalize = statement(`alter table ${table} detach partition ${name} finalize`);
      if (isRecorded) await database.query(finalize);
    } else if (until !== null && until <= before.getTime()) {
      await detach(database, table, partition, new Date(until));
    }
  }
  return dropDetached(database, table, before);
}

/** Detaches a partition, and records before that it is Landfall that does. */
async function detach(
  database: Database,
  table: string,
  { id, name }: PartitionRow,
  until: Date,
): Promise<void> {
  const [recorded] = await database.query(recordDetaching(id, table, until));
  if (recorded === undefined) return;
  const how = database.kind === 'embedded' ? '' : 'concurrently';
  try {
    await database.query(statement(`alter table ${table} detach partition ${name} ${how}`));
  } catch (error) {
    // When the session was lost, the database may be detaching it. Otherwise it has refused to.
    if (!(error instanceof DatabaseUnavailableError)) await database.query(forgetDetaching(id));
    throw error;
  }
}

async function dropDetached(database: Database, table: string, before: Date): Promise<string[]> {
  const detached = await database.query(selectDetached(table, before));
  for (const { id, table: detachedTable } of detached) {
    await database.transact(async (transaction) => {
      await transaction.run(`drop table ${detachedTable}`);
      await transaction.query(forgetDetaching(id));
    }, 'maintenance');
  }
  return detached.map(({ name }) => name);
}

/** The start of the interval that is `offset` intervals after that of a time. */
function startOf(interval: PartitionedTable['interval'], at: Date, offset = 0): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  return interval === 'month'
    ? new Date(Date.UTC(year, month + offset, 1))
    : new Date(Date.UTC(year, month, day + offset));
}

/** Statements that create and attach a partition for each interval from one time to another. */
function createPartitions(
  { table, interval }: PartitionedTable,
  template: string,
  from: Date,
  until: Date,
): string {
  const statements: string[] = [];
  for (let start = from; start < until; start = startOf(interval, start, 1)) {
    const name = `${table}_${nameOf(start)}`;
    statements.push(
      `create table ${name} (like ${template} including all);`,
      attach(table, name, start, startOf(interval, start, 1)),
    );
  }
  return statements.join('\n');
}

function attach(table: string, partition: string, from: Date | undefined, until?: Date): string {
  const first = from === undefined ? 'minvalue' : literal(from);
  const last = until === undefined ? 'maxvalue' : literal(until);
  return `alter table ${table} attach partition ${partition} for values from (${first}) to (${last});`;
}

function nameOf(from: Date): string {
  return from.toISOString().slice(0, 10).replaceAll('-', '');
}

function literal(at: Date): string {
  return `timestamptz '${at.toISOString()}'`;
}

/** Runs a script that needs the whole table for a moment, when nobody else has it. */
async function runLocked(database: Database, script: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transact(async (transaction) => {
        await transaction.run(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
        await transaction.run(script);
      }, 'maintenance');
    } catch (error) {
      if (!isLockTimeout(error) || attempt === MAX_ATTEMPTS) throw error;
      await delay(BETWEEN_ATTEMPTS_MS);
    }
  }
}

function statement(text: string): Statement {
  return { name: '', text, values: [] };
}
