// A database over the tables of one of its schemas: whatever is sent by whom in which order, each reads its own tables.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { drawnDatabases } from '../testing/databases.js';
import type { Database, Lane } from './database.js';

const SCHEMAS = ['first', 'second', 'third'];

/** The same name and text everywhere: which table it means is known by the session alone. */
const readOwner = { name: 'read-owner', text: 'select owner from owned', values: [] };
const failing = { name: 'failing', text: 'select 1 / (select 0 from owned)', values: [] };

const lanes: readonly Lane[] = ['small', 'levels', 'large', 'writes', 'stream'];

/** What is sent to a database, each with the owner that it reads, if it reads one. */
const operations: Record<string, (database: Database, lane: Lane) => Promise<unknown>> = {
  query: async (database) => (await database.query(readOwner))[0],
  'look-up': async (database) => (await database.lookUps.query(readOwner))[0],
  commit: async (database, lane) => (await database.commit([readOwner, readOwner], lane))[1]?.[0],
  transaction: (database, lane) =>
    database.transact(async (transaction) => {
      await transaction.run('select 1');
      return (await transaction.query(readOwner))[0];
    }, lane),
  'transaction of the pool': (database) =>
    database.transact(async (transaction) => (await transaction.query(readOwner))[0]),
  'failing query': (database) => database.query(failing).catch(() => undefined),
  'failing commit': (database, lane) =>
    database.commit([readOwner, failing], lane).catch(() => undefined),
  'failing transaction': (database, lane) =>
    database
      .transact(async (transaction) => {
        await transaction.query(readOwner);
        await transaction.query(failing);
      }, lane)
      .catch(() => undefined),
};

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`schemas of ${name}`, { skip }, () => {
    let database: Database;
    const databases: { owner: string; over: Database }[] = [];
    before(async () => {
      database = await open();
      await database.transact(async (transaction) => {
        for (const schema of ['public', ...SCHEMAS]) {
          if (schema !== 'public') await transaction.run(`create schema ${schema}`);
          await transaction.run(
            `create table ${schema}.owned (owner text); insert into ${schema}.owned values ('${schema}')`,
          );
        }
      });
      databases.push({ owner: 'public', over: database });
      for (const owner of SCHEMAS) databases.push({ owner, over: database.inSchema(owner) });
    });
    after(() => database.close());

    test('each reads its own tables, among others that read theirs and fail', async () => {
      const sent = fc.record({
        target: fc.nat(SCHEMAS.length),
        operation: fc.constantFrom(...Object.keys(operations)),
        lane: fc.constantFrom(...lanes),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(sent, { minLength: 5, maxLength: 30 }), async (all) => {
          await Promise.all(
            all.map(async ({ target, operation, lane }) => {
              const { owner, over } = databases[target] ?? assert.fail();
              const read = await operations[operation]?.(over, lane);
              if (read !== undefined) assert.deepEqual(read, { owner }, operation);
            }),
          );
        }),
        { numRuns: 40 },
      );
    });

    test('data that is replaced in one is replaced in no other', async () => {
      const replaced: string[] = [];
      for (const { owner, over } of databases) {
        over.replacements.onReplaced(() => {
          replaced.push(owner);
        });
      }
      await databases[1]?.over.replacements.replaced();
      assert.deepEqual(replaced, ['first']);
    });

    test('a lock of one is not that of another', async () => {
      // The embedded database has one process, and no locks between several.
      if (name === 'embedded') return;
      const taken = await Promise.all(
        databases.map(({ over }) => over.tryLock(1, () => undefined)),
      );
      for (const release of taken) assert(release !== undefined);
      for (const { over } of databases)
        assert.equal(await over.tryLock(1, () => undefined), undefined);
      await Promise.all(taken.map((release) => release?.()));
    });

    test('a name that would have to be quoted is refused', () => {
      for (const schema of ['', 'A', 'a b', 'a"; drop table x; --', '1a', 'a'.repeat(64)]) {
        assert.throws(() => database.inSchema(schema), RangeError);
      }
    });

    test('one that is closed leaves the others open', async () => {
      await database.inSchema('first').close();
      assert.deepEqual(await databases[2]?.over.query(readOwner), [{ owner: 'second' }]);
    });
  });
}
