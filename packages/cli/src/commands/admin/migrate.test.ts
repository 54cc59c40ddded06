// `landfall admin migrate` applies each pending migration once, also when run concurrently, and reports errors in one line.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import {
  createPostgresql,
  type TestPostgresql,
  whyNoPostgresql,
} from '../../testing/postgresql.js';
import { runCommand } from '../../testing/run-command.js';
import { runLandfall, startLandfall } from '../../testing/run-landfall.js';

const service = dirname(createRequire(import.meta.url).resolve('@landfall/service'));
const all = (await readdir(join(service, '..', 'migrations')))
  .filter((name) => name.endsWith('.sql'))
  .sort();

describe('migrate fails in one line without the password', () => {
  const cases: [string, NodeJS.ProcessEnv, RegExp][] = [
    ['without DATABASE_URL', {}, /^error: DATABASE_URL is not set\n$/],
    [
      'with an invalid DATABASE_URL',
      { DATABASE_URL: 'x:secret@y' },
      /^error: DATABASE_URL is not an .*\n$/,
    ],
    [
      'when the database is unreachable',
      { DATABASE_URL: 'postgresql://postgres:secret@localhost:1/x' },
      /^error: cannot connect to the database at DATABASE_URL \(.*ECONNREFUSED.*\)\n$/,
    ],
  ];
  for (const [what, environment, message] of cases) {
    it(what, async () => {
      for (const words of [
        ['admin', 'migrate'],
        ['admin', 'migrate', '--check'],
      ]) {
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
    runLandfall(['admin', 'migrate', ...words], { environment: { DATABASE_URL: database.url } });

  it('--check lists pending migrations, changes nothing and exits with 1', async () => {
    for (let time = 0; time < 2; time++) {
      const { code, stdout, stderr } = await migrate('--check');
      assert.equal(code, 1);
      assert.equal(stdout, all.map((name) => `pending ${name}\n`).join(''));
      assert.match(stderr, /^0001-base\.sql locks nothing/m);
      assert.match(
        stderr,
        /^error: the database has pending migrations; run: .* admin migrate\n$/m,
      );
    }
  });

  it('of several concurrent runs one applies each migration, and all succeed', async () => {
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

  it('reports a database that is up to date, and --check exits with 0', async () => {
    for (const words of [[], ['--check']]) {
      const { code, stdout, stderr } = await migrate(...words);
      assert.equal(code, 0);
      assert.equal(stdout, '');
      assert.match(stderr, /^the database is up to date\n$/);
    }
  });

  it('ends at a signal, also while the database works, and continues with the next run', async () => {
    const empty = await createPostgresql();
    const writer = new pg.Client({ connectionString: empty.url });
    const watcher = new pg.Client({ connectionString: empty.url });
    await Promise.all([writer.connect(), watcher.connect()]);
    try {
      // The migration waits for the outcome of the transaction that has created a table of the same name.
      await writer.query('begin; create table organisation ()');
      const isWaiting = async () => {
        const { rows } = await watcher.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      };
      for (const [signal, code] of [
        ['SIGINT', 130],
        ['SIGTERM', 143],
      ] as const) {
        const running = startLandfall(['admin', 'migrate'], { DATABASE_URL: empty.url });
        for (let attempt = 1; !(await isWaiting()); attempt++) {
          assert.ok(attempt < 300, 'the migration does not wait');
          await delay(100);
        }
        running.process.kill(signal);
        const ended = await running.ended;
        assert.equal(ended.code, code);
        assert.match(
          ended.stderr,
          /^error: interrupted; .*; to continue, run: .* admin migrate\n$/m,
        );
        for (let attempt = 1; await isWaiting(); attempt++) {
          assert.ok(attempt < 300, 'the statement continues without its client');
          await delay(100);
        }
      }
      await writer.query('rollback');
      const { stdout } = await runLandfall(['admin', 'migrate'], {
        environment: { DATABASE_URL: empty.url },
      });
      assert.equal(stdout, all.map((name) => `applied ${name}\n`).join(''));
    } finally {
      await Promise.all([writer.end(), watcher.end()]);
      await empty.drop();
    }
  });

  it('refuses a database migrated by a newer version, or with a changed migration', async () => {
    await database.run(`insert into migration (name, digest) values ('9999-later.sql', 'x')`);
    for (const words of [[], ['--check']]) {
      const { code, stderr } = await migrate(...words);
      assert.equal(code, 1);
      assert.match(stderr, /^error: the database has 9999-later\.sql, which this version .*\n$/);
    }
    await database.run(`delete from migration where name = '9999-later.sql'`);
    await database.run(`update migration set digest = 'x' where name = '${all[0]}'`);
    assert.match(
      (await migrate()).stderr,
      /^error: 0001\S+ is not the one that was applied .*: use the version that .*\n$/,
    );
  });

  it('reports errors of PostgreSQL', async () => {
    const url = new URL(database.url);
    url.pathname = '/landfall_no_such_database';
    const environment = { DATABASE_URL: url.href };
    const { code, stderr } = await runLandfall(['admin', 'migrate'], { environment });
    assert.equal(code, 1);
    assert.match(stderr, /^error: PostgreSQL refuses: database .* does not exist \(3D000\)\n$/);
  });
});
