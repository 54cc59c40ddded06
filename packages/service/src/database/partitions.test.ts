// Partitions of a table: created ahead, divided when they were not, and dropped while others write.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { testDatabases } from '../testing/databases.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import type { Database } from './database.js';
import {
  createPartitionsAhead,
  dropPartitions,
  listPartitions,
  type PartitionedTable,
} from './partitions.js';
import { openPostgresql } from './postgresql.js';

const notes: PartitionedTable = { table: 'note', column: 'at', interval: 'month' };
const november = new Date('2026-11-23T12:00:00Z');

const createNotes = `
  create table note_later (number integer primary key, at timestamptz not null default '2026-11-23T12:00:00Z');
  create index on note_later (at);
  create table note (like note_later) partition by range (at);
  alter table note attach partition note_later for values from (minvalue) to (maxvalue);`;

const databases = await testDatabases();

for (const { name, skip, open } of databases) {
  describe(`partitions on ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
    });
    after(() => database.close());
    beforeEach(() => run(createNotes));
    afterEach(() => run('drop table note'));

    const run = (script: string) => database.transact((transaction) => transaction.run(script));
    const insert = (number: number, at: string) =>
      run(`insert into note values (${number}, '${at}')`);
    const ahead = (now: Date) => createPartitionsAhead(database, notes, { now, ahead: 2 });
    const list = async () =>
      (await listPartitions(database, notes)).map(
        ({ name: partition, from, until }) =>
          `${partition} ${from?.toISOString().slice(0, 10)} ${until?.toISOString().slice(0, 10)}`,
      );
    const readNotes = () =>
      database.query<{ number: number; partition: string }>({
        name: '',
        text: 'select number, tableoid::regclass::text as partition from note order by number',
        values: [],
      });

    test('the existing rows become the first one, and later rows always have one', async () => {
      await insert(1, '2020-01-01');
      await ahead(november);
      assert.deepEqual(await list(), [
        'note_first undefined 2027-01-01',
        'note_20270101 2027-01-01 2027-02-01',
        'note_later 2027-02-01 undefined',
      ]);
      await insert(2, '2026-12-31T23:59:59.999Z');
      await insert(3, '2027-01-01T00:00:00Z');
      await insert(4, '2100-01-01');
      assert.deepEqual(
        (await readNotes()).map(({ partition }) => partition),
        ['note_first', 'note_first', 'note_20270101', 'note_later'],
      );
    });

    test('months are added when they come nearer, with the keys and indexes of the others', async () => {
      await ahead(november);
      await ahead(november);
      await ahead(new Date('2027-01-10T00:00:00Z'));
      assert.deepEqual(await list(), [
        'note_first undefined 2027-01-01',
        'note_20270101 2027-01-01 2027-02-01',
        'note_20270201 2027-02-01 2027-03-01',
        'note_20270301 2027-03-01 2027-04-01',
        'note_later 2027-04-01 undefined',
      ]);
      const indexes = await database.query<{ table: string; count: number }>({
        name: '',
        text: `select tablename as table, count(*) as count from pg_indexes where tablename like 'note\\_%'
          group by tablename having count(*) <> 2`,
        values: [],
      });
      assert.deepEqual(indexes, []);
    });

    test('after months in which none was created, the last one is closed with its rows', async () => {
      await ahead(november);
      await insert(1, '2027-05-01');
      await ahead(new Date('2027-06-15T00:00:00Z'));
      assert.deepEqual((await list()).slice(-3), [
        'note_20270201 2027-02-01 2027-08-01',
        'note_20270801 2027-08-01 2027-09-01',
        'note_later 2027-09-01 undefined',
      ]);
      await insert(2, '2027-08-01');
      assert.deepEqual(await readNotes(), [
        { number: 1, partition: 'note_20270201' },
        { number: 2, partition: 'note_20270801' },
      ]);
    });

    test('a last one that has rows already is closed with them', async () => {
      await ahead(november);
      await insert(1, '2027-02-10');
      await ahead(new Date('2027-01-10T00:00:00Z'));
      assert.deepEqual((await list()).slice(-2), [
        'note_20270201 2027-02-01 2027-04-01',
        'note_later 2027-04-01 undefined',
      ]);
    });

    test('a row that is later than any end is reported, and later rows are still taken', async () => {
      await insert(1, '2036-01-01');
      await assert.rejects(ahead(november), /note_later_end/);
      await insert(2, '2037-01-01');
      assert.equal((await readNotes()).length, 2);
    });

    test('what an interrupted run has left refuses no row after the next run', async () => {
      await run(`alter table note_later add constraint note_later_end check (at < '2026-11-24')`);
      await ahead(november);
      await insert(1, '2026-12-01');
      assert.equal((await readNotes()).length, 1);
    });

    test('those before a time are dropped, others keep their rows', async () => {
      await ahead(november);
      await insert(1, '2026-11-01');
      await insert(2, '2027-01-01');
      assert.deepEqual(await dropPartitions(database, notes, new Date('2026-12-31')), []);
      assert.deepEqual(await dropPartitions(database, notes, new Date('2027-01-01')), [
        'note_first',
      ]);
      assert.deepEqual(await list(), [
        'note_20270101 2027-01-01 2027-02-01',
        'note_later 2027-02-01 undefined',
      ]);
      assert.deepEqual(
        (await readNotes()).map(({ number }) => number),
        [2],
      );
    });

    test('a table that an operator has detached, or gave such a name, stays with its rows', async () => {
      await ahead(november);
      await insert(1, '2026-11-01');
      await insert(2, '2027-01-15');
      await run(`
        alter table note detach partition note_first;
        create table note_20200101 (number integer);
        insert into note_20200101 values (3)`);
      const drop = () => dropPartitions(database, notes, new Date('2027-02-01'));
      assert.deepEqual(await drop(), ['note_20270101']);
      assert.deepEqual(await drop(), []);
      const kept = await database.query<{ number: number }>({
        name: '',
        text: 'select number from note_first union all select number from note_20200101 order by number',
        values: [],
      });
      assert.deepEqual(
        kept.map(({ number }) => number),
        [1, 3],
      );
      // Attached again, it is removed as before.
      await run(`
        alter table note attach partition note_first for values from (minvalue) to ('2027-01-01T00:00:00Z');
        drop table note_20200101`);
      assert.deepEqual(await drop(), ['note_first']);
    });

    test('the record of one that was attached again does not outlive that', async () => {
      await ahead(november);
      await run(`
        insert into detached_partition select oid, relname, 'note', '2027-01-01T00:00:00Z'
        from pg_class where relname = 'note_first'`);
      assert.deepEqual(await dropPartitions(database, notes, new Date(0)), []);
      await run('alter table note detach partition note_first');
      assert.deepEqual(await dropPartitions(database, notes, new Date('2027-02-01')), [
        'note_20270101',
      ]);
      await run('drop table note_first');
    });

    test('a table that has another object id than the recorded one stays', async () => {
      await run(`
        create table note_first (number integer);
        insert into detached_partition values (1, 'note_first', 'note', '2027-01-01T00:00:00Z'),
          ('note'::regclass, 'note_first', 'note', '2027-01-01T00:00:00Z')`);
      assert.deepEqual(await dropPartitions(database, notes, new Date('2027-02-01')), []);
      await run('drop table note_first; delete from detached_partition');
    });
  });
}

const [, postgresql] = databases;

describe('partitions of a table that others use', { skip: postgresql?.skip ?? false }, () => {
  let url: string;
  let drop: () => Promise<void>;
  let database: Database;
  let writer: pg.Client;
  let other: pg.Client;

  beforeEach(async () => {
    ({ url, drop } = await createMigratedPostgresql());
    database = openPostgresql(url);
    [writer, other] = [0, 1].map(() => new pg.Client({ connectionString: url })) as [
      pg.Client,
      pg.Client,
    ];
    await writer.connect();
    await other.connect();
    await other.query(`${createNotes} set lock_timeout = '1s'`);
  });
  afterEach(async () => {
    await writer.end();
    await other.end();
    await database.close();
    await drop();
  });

  const create = () => createPartitionsAhead(database, notes, { now: november, ahead: 2 });
  const dropFirst = () => dropPartitions(database, notes, new Date('2027-01-01'));

  /** Waits until a session of the database waits for a lock, or until none does. */
  const waitForWaiting = async (waiting = true) => {
    for (let attempt = 0; ; attempt++) {
      const { rows } = await other.query(`
        select pid from pg_locks join pg_database on pg_database.oid = database or database is null
        where datname = current_database() and not granted
          and pid in (select pid from pg_stat_activity where datname = current_database())`);
      if (rows.length > 0 === waiting) return rows[0]?.pid;
      assert(attempt < 1000, 'waiting for a lock never began or ended');
      await delay(20);
    }
  };

  test('nobody is blocked by one that is dropped while a transaction holds it', async () => {
    await create();
    await writer.query(`begin; insert into note values (1, '2026-11-23'), (2, '2027-01-01')`);
    const dropped = dropFirst();
    await waitForWaiting();
    await other.query(`insert into note values (3, '2027-01-01')`);
    assert.equal((await other.query('select from note where number = 3')).rowCount, 1);
    await writer.query(`insert into note values (4, '2027-01-01'); commit`);
    assert.deepEqual(await dropped, ['note_first']);
    const { rows } = await other.query('select number from note order by number');
    assert.deepEqual(
      rows.map(({ number }) => number),
      [2, 3, 4],
    );
  });

  test('one whose dropping was interrupted is dropped at the next run', async () => {
    await create();
    await writer.query(`begin; insert into note values (1, '2026-11-23')`);
    const dropped = assert.rejects(dropFirst(), { code: 'DATABASE_UNAVAILABLE' });
    await other.query('select pg_terminate_backend($1)', [await waitForWaiting()]);
    await dropped;
    await writer.query('commit');
    const next = openPostgresql(url);
    // Meanwhile it is to be kept for longer.
    assert.deepEqual(await dropPartitions(next, notes, new Date('2026-12-31')), []);
    assert.deepEqual(await dropPartitions(next, notes, new Date('2027-01-01')), ['note_first']);
    assert.equal((await other.query('select from detached_partition')).rowCount, 0);
    await next.close();
  });

  test('they are created once a transaction that holds the table has ended', async () => {
    await writer.query('begin; select from note');
    const created = create();
    // It gives up and tries again, so that others do not wait behind it.
    await waitForWaiting();
    await waitForWaiting(false);
    await waitForWaiting();
    await writer.query('commit');
    await created;
    assert.equal((await listPartitions(database, notes)).length, 3);
  });
});
