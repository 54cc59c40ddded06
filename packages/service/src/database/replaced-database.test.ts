// A database that is replaced by another one, such as an older backup: nothing that was read of it is used there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrganisationLookup } from '../access/organisation-lookup.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { createPostgresql, whyNoPostgresql } from '../testing/postgresql.js';
import type { Statement } from './database.js';
import { DatabaseReplacedError } from './errors.js';
import { openPostgresql } from './postgresql.js';

const statement = (text: string): Statement<{ id: number }> => ({ name: '', text, values: [] });
const nameOf = (url: string) => new URL(url).pathname.slice(1);

test('what was begun with another database fails, and organisations are looked up again', {
  skip: await whyNoPostgresql(),
}, async () => {
  const first = await createMigratedPostgresql();
  const backup = await createMigratedPostgresql();
  const server = await createPostgresql();
  const database = openPostgresql(first.url);
  try {
    const parties = { organisation: '0192:111111111', clientId: 'somebody' };
    const insert = `insert into organisation (identifier) values`;
    await first.run(`${insert} ('${parties.organisation}')`);
    await backup.run(`${insert} ('0192:222222222'), ('${parties.organisation}')`);
    const lookup = new OrganisationLookup(database, () => new Date());
    let replaced = 0;
    database.replacements.onReplaced(() => {
      replaced++;
    });
    const before = await lookup.refresh(parties);
    assert.equal(lookup.cached(parties)?.id, before?.id);

    await server.run(`drop database ${nameOf(first.url)} with (force)`);
    await server.run(`alter database ${nameOf(backup.url)} rename to ${nameOf(first.url)}`);

    // Whoever was authenticated before has the number of that time. Each lane has sessions of its own.
    const owner = lookup.cached(parties)?.id;
    const write = statement(`insert into customs_office values ('${owner}', 'x', now(), now())`);
    await assert.rejects(
      () => database.transact((transaction) => transaction.query(write), 'writes'),
      DatabaseReplacedError,
    );
    assert.equal(replaced, 1);
    assert.equal(lookup.cached(parties), undefined);
    const after = await lookup.refresh(parties);
    assert.notEqual(after?.id, before?.id);
    assert.equal(after?.id, 2);
    // From now on, it is the one that is known.
    await database.transact((transaction) => transaction.query(write), 'writes');
    await database.commit([statement('select 1 as id')]);
    assert.equal(replaced, 1);
  } finally {
    await database.close();
    await first.drop();
    await backup.drop();
    await server.drop();
  }
});
