// The row that breaks a constraint is in no error: it may have names and addresses, and errors are logged.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { drawnDatabases } from '../testing/databases.js';
import type { Database } from './database.js';

/** A row of each kind of constraint. */
const rows = {
  'a check': `('0192:1', 'Kari Nordmann', 'nothing')`,
  'a column that must not be null': `(null, 'Kari Nordmann', 'domestic')`,
};

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`an error of ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
    });
    after(() => database.close());

    for (const [constraint, row] of Object.entries(rows)) {
      test(`has no row that breaks ${constraint}`, async () => {
        const text = `insert into organisation (identifier, name, kind) values ${row}`;
        const error = await database
          .transact((transaction) => transaction.run(text))
          .then(
            () => assert.fail('it was inserted'),
            (thrown: unknown) => thrown,
          );
        assert.match(String(error), /constraint/);
        assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /Nordmann/);
      });
    }
  });
}
