// `landfall migrate`: applies what is pending once, however many run it, and tells what it cannot do in a line.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createPostgresql, type TestPostgresql, whyNoPostgresql } from './testing/postgresql.js';
import { runCommand } from './testing/run-command.js';
import { runLandfall } from './testing/run-landfall.js';

const service = dirname(createRequire(import.meta.url).resolve('@landfall/service'));
const all = (await readdir(join(service, '..', 'migrations')))
  .filter((name) => name.endsWith('.sql'))
  .sort();

describe('without a database', () => {
  const cases: [string, NodeJS.ProcessEnv, RegExp][] = [
    ['that is named', {}, /^error: DATABASE_URL is not set\n$/],
    ['of PostgreSQL', { DATABASE_URL: 'x:secret@y' }, /^error: DATABASE_URL is not an .*\n$/],
    [
      'that answers',
      { DATABASE_URL: 'postgresql://postgres:secret@localhost:1/x' },
      /^error: the database at DATABASE_URL does not answer \(.*ECONNREFUSED.*\)\n$/,
    ],
  ];
  for (const [what, environment, message] of cases) {
    it(`${what} it fails in one line that gives no password away`, async () => {
      for (const words of [['migrate'], ['migrate', '--check']]) {
        const { code, stdout, stderr } = await runCommand(words, { environment });
        assert.equal(code, 1);
        assert.equal(stdout, '');
        assert.match(stderr, message);
        assert.doesNotMatch(stderr, /secret/);
      }
    });
  }
});

describe('on PostgreSQL', { skip: await whyNoPostgresql() }, () => {
  let database: TestPostgresql;
  before(async () => {
    database = await createPostgresql();
  });
  after(() => database?.drop());

  const migrate = (...words: string[]) =>
    runLandfall(['migrate', ...words], { environment: { DATABASE_URL: database.url } });

  it('--check lists what is pending, changes nothing and ends with 1', async () => {
    for (let time = 0; time < 2; time++) {
      const { code, stdout, stderr } = await migrate('--check');
      assert.equal(code, 1);
      assert.equal(stdout, all.map((name) => `pending ${name}\n`).join(''));
      assert.match(stderr, /^0010-failed-statuses\.sql locks nothing/m);
      assert.match(stderr, /^error: the database is behind; run: .* migrate\n$/m);
    }
  });

  it('of several at the same time one applies each migration, and all end well', async () => {
    const runs = await Promise.all([migrate(), migrate(), migrate()]);
    assert.deepEqual(
      runs.map(({ code }) => code),
      [0, 0, 0],
      runs.map(({ stderr }) => stderr).join(''),
    );
    assert.equal(
      runs.map(({ stdout }) => stdout).join(''),
      all.map((name) => `applied ${name}\n`).join(''),
    );
    for (const name of all) {
      const applying = runs.filter(({ stderr }) => stderr.includes(`applying ${name}: locks `));
      assert.equal(applying.length, 1, name);
    }
  });

  it('once it is up to date it says so, and --check ends with 0', async () => {
    for (const words of [[], ['--check']]) {
      const { code, stdout, stderr } = await migrate(...words);
      assert.equal(code, 0);
      assert.equal(stdout, '');
      assert.match(stderr, /^the database is up to date\n$/);
    }
  });

  it('refuses a database that a newer version has migrated, or where a migration was changed', async () => {
    await database.run(`insert into migration (name, digest) values ('9999-later.sql', 'x')`);
    for (const words of [[], ['--check']]) {
      const { code, stderr } = await migrate(...words);
      assert.equal(code, 1);
      assert.match(stderr, /^error: the database has 9999-later\.sql, which this version .*\n$/);
    }
    await database.run(`delete from migration where name = '9999-later.sql'`);
    await database.run(`update migration set digest = 'x' where name = '${all[0]}'`);
    assert.match((await migrate()).stderr, /^error: 0001\S+ was changed after it was applied.*\n$/);
  });

  it('says what PostgreSQL refuses', async () => {
    const url = new URL(database.url);
    url.pathname = '/landfall_no_such_database';
    const environment = { DATABASE_URL: url.href };
    const { code, stderr } = await runLandfall(['migrate'], { environment });
    assert.equal(code, 1);
    assert.match(stderr, /^error: PostgreSQL refuses: database .* does not exist \(3D000\)\n$/);
  });
});
