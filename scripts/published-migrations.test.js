// A migration that was changed after it had been published is found; the list only grows.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { addMigrations, LIST, migrationProblems } from './published-migrations.js';
import { readMigrationScripts } from './read-migrations.js';

const run = promisify(execFile);

const first = new Map([
  ['0001-base.sql', 'create table a ();'],
  ['0002-more.sql', 'create table b ();'],
]);
const list = addMigrations('', first);

test('a migration that is new is added, and what is listed stays as it is', () => {
  const changed = new Map([
    ...first,
    ['0001-base.sql', 'create table other ();'],
    ['0003-c.sql', 'select 1;'],
  ]);
  const longer = addMigrations(list, changed);
  assert.ok(longer.startsWith(list));
  assert.match(longer.slice(list.length), /^[0-9a-f]{64} {2}migrations\/0003-c\.sql\n$/);
  assert.equal(addMigrations(longer, changed), longer);
});

test('a migration that was changed or removed is named, with what to do', () => {
  assert.deepEqual(migrationProblems(list, first), []);
  const [changed, ...others] = migrationProblems(
    list,
    new Map([...first, ['0001-base.sql', 'create table a (b text);']]),
  );
  assert.match(changed ?? '', /^0001-base\.sql was changed after .* new migration/);
  assert.deepEqual(others, []);
  const [removed] = migrationProblems(list, new Map([...first].slice(1)));
  assert.match(removed ?? '', /^0001-base\.sql was removed after/);
});

test('a migration that is not listed is named, and one whose number others have passed', () => {
  const [missing] = migrationProblems(list, new Map([...first, ['0003-c.sql', '']]));
  assert.match(missing ?? '', /^0003-c\.sql is not in .*npm run generate/);
  const [early] = migrationProblems(list, new Map([...first, ['0001-zebra.sql', '']]));
  assert.match(early ?? '', /^0001-zebra\.sql .*give it the next number$/);
});

test('the migrations of the sources are those of the list, which sha256sum reads too', async () => {
  const own = new URL(`../${LIST}`, import.meta.url);
  assert.deepEqual(migrationProblems(readFileSync(own, 'utf8'), readMigrationScripts()), []);
  const folder = new URL('.', own);
  await run('sha256sum', ['--check', '--quiet', '--strict', own.pathname], { cwd: folder });
});
