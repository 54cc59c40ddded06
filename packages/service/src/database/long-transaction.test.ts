// A transaction of very many statements, such as the withdrawal of a large declaration, needs the memory of few of them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { collectGarbage } from '../testing/collect-garbage.js';
import { testDatabases } from '../testing/databases.js';

/** Statements of the transaction, and the megabytes of each. */
const [STATEMENTS, MEGABYTES] = [80, 1];

/** Statements, results and what the driver has not released yet; all statements would be 80. */
const MAX_MEGABYTES = 55;

/** What is refused whatever a request says. */
const REFUSED = `do $$ begin raise exception 'no right' using errcode = '42501'; end $$`;

// The embedded database keeps no statements: nobody else uses it, so nothing is tried again.
for (const { name, skip, open } of (await testDatabases()).slice(1)) {
  describe(`a long transaction on ${name}`, { skip }, () => {
    test('keeps few of its statements', async () => {
      const database = await open();
      try {
        const used = async () => {
          await collectGarbage(50);
          const { heapUsed, external } = process.memoryUsage();
          return (heapUsed + external) / 1e6;
        };
        const before = await used();
        const grown = await database.transact(async (transaction) => {
          for (let count = 0; count < STATEMENTS; count++) {
            // A copy of its own each time, in one piece.
            const value = Buffer.alloc(MEGABYTES * 1e6, 97 + (count % 26)).toString('latin1');
            await transaction.query({ name: '', text: 'select length($1::text)', values: [value] });
          }
          return (await used()) - before;
        });
        assert(grown < MAX_MEGABYTES, `${grown} MB for ${STATEMENTS * MEGABYTES} MB`);
      } finally {
        await database.close();
      }
    });

    test('is tried again with the statement that failed, however many came before', async () => {
      const database = await open();
      try {
        const failing = database.transact(async (transaction) => {
          for (let count = 0; count < 50; count++) {
            await transaction.query({ name: '', text: 'select 1', values: [] });
          }
          await transaction.run(REFUSED);
        });
        await assert.rejects(failing);
        assert.match((await database.failedWrites?.retry())?.reason ?? '', /lacks a right/);
      } finally {
        await database.close();
      }
    });
  });
}
