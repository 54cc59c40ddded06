// Migrations in batches: each batch is committed with its position, and each row is processed once, however a run ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { drawnDatabases, testDatabases } from '../testing/databases.js';
import { createPostgresql } from '../testing/postgresql.js';
import { BATCH_ROWS } from './apply-migration.js';
import type { Database } from './database.js';
import { openEmbedded } from './embedded/embedded.js';
import { migrate } from './migrate.js';
import { MigrationFormatError, readMigration, readMigrations } from './migration-files.js';
import { openPostgresql } from './postgresql.js';

/** Three whole batches and a part of one. */
const ROWS = 3 * BATCH_ROWS + 1;

const statement = (text: string, values: readonly unknown[] = []) => ({ name: '', text, values });

const TABLE = readMigration(
  '9001-table.sql',
  `-- locks: nothing
create table note (number integer primary key, counted integer not null default 0, divisor integer not null default 1);
insert into note (number) select generate_series(1, ${ROWS});`,
);

/** Counts how often each row is processed. */
const BACKFILL = readMigration(
  '9002-backfill.sql',
  `-- in batches: note
-- locks: rows of note, for a moment each
with batch as (
  select number from note where number > coalesce($1, '0')::integer order by number limit $2
), counted as (
  update note set counted = counted + 1 / divisor from batch where note.number = batch.number
)
select max(number)::text as position, count(*) as rows from batch`,
);

const FILES = [...(await readMigrations()), TABLE, BACKFILL];

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  test(`a run that failed continues after its last batch, on ${name}`, { skip }, async () => {
    const database = await open();
    const lines: string[] = [];
    const run = () => migrate(database, (line) => lines.push(line), FILES);
    try {
      await migrate(database, undefined, FILES.slice(0, -1));
      await database.query(statement('analyze note'));
      await database.query(
        statement('update note set divisor = 0 where number = $1', [2 * BATCH_ROWS + 1]),
      );
      await assert.rejects(run(), /division by zero/);
      assert.deepEqual(await countRows(database), { once: 2 * BATCH_ROWS, other: BATCH_ROWS + 1 });
      await database.query(statement('update note set divisor = 1'));
      assert.deepEqual(await run(), [BACKFILL.name]);
      assert.deepEqual(await countRows(database), { once: ROWS, other: 0 });
      assert.ok(lines.includes(`9002-backfill.sql continues after ${2 * BATCH_ROWS} rows`));
      const last = new RegExp(`^9002-backfill.sql: ${ROWS} of about ${ROWS} rows, \\d+ rows/s$`);
      assert.match(lines.at(-1) ?? '', last);
      assert.deepEqual(await run(), []);
    } finally {
      await database.close();
    }
  });

  test(`a run that was killed continues after its last batch, on ${name}`, { skip }, async () => {
    const { location, drop } = await makeLocation(name);
    try {
      const prepared = await openAt(location);
      await migrate(prepared, undefined, FILES.slice(0, -1));
      await prepared.close();
      await killAfterFirstBatch(location);

      const database = await openAt(location);
      const lines: string[] = [];
      try {
        assert.deepEqual(await migrate(database, (line) => lines.push(line), FILES), [
          BACKFILL.name,
        ]);
        assert.match(lines.join('\n'), /continues after \d+ rows/);
        assert.deepEqual(await countRows(database), { once: ROWS, other: 0 });
      } finally {
        await database.close();
      }
    } finally {
      await drop();
    }
  });
}

test('a statement that does not move on is refused', async () => {
  const [embedded] = await testDatabases();
  const database = await embedded?.open();
  const still = readMigration(
    '9002-still.sql',
    `-- in batches: note\n-- locks: nothing\nselect coalesce($1, '1') as position, $2::integer as rows`,
  );
  try {
    assert.ok(database);
    await assert.rejects(
      migrate(database, undefined, [...(await readMigrations()), still]),
      MigrationFormatError,
    );
  } finally {
    await database?.close();
  }
});

/** How many rows were processed once, and how many never or more often. */
async function countRows(database: Database) {
  const [row] = await database.query(
    statement(`
      select count(*) filter (where counted = 1) as once, count(*) filter (where counted <> 1) as other from note`),
  );
  return row;
}

async function makeLocation(kind: 'embedded' | 'PostgreSQL') {
  if (kind === 'PostgreSQL') {
    const { url, drop } = await createPostgresql();
    return { location: url, drop };
  }
  const folder = await mkdtemp(join(tmpdir(), 'landfall-backfill-'));
  return { location: folder, drop: () => rm(folder, { recursive: true }) };
}

async function openAt(location: string): Promise<Database> {
  return location.startsWith('postgresql:') ? openPostgresql(location) : openEmbedded(location);
}

/** Migrates in another process, and kills it when it has reported its first batch. */
async function killAfterFirstBatch(location: string): Promise<void> {
  const load = (file: string) => `await import('${new URL(file, import.meta.url).href}')`;
  const program = `
    // The thread of the embedded database does not keep the process.
    setInterval(() => undefined, 1000);
    (async (location) => {
      const { json } = await import('node:stream/consumers');
      const { openEmbedded } = ${load('./embedded/embedded.js')};
      const { migrate } = ${load('./migrate.js')};
      const { openPostgresql } = ${load('./postgresql.js')};
      const open = location.startsWith('postgresql:') ? openPostgresql : openEmbedded;
      await migrate(await open(location), console.log, await json(process.stdin));
      process.exit();
    })(...process.argv.slice(1));`;
  const child = spawn(process.execPath, ['--eval', program, location], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // All migrations together are longer than an argument may be.
  child.stdin.end(JSON.stringify(FILES));
  const ended = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith(`${BACKFILL.name}: `)) child.kill('SIGKILL');
  }
  const [, signal] = await ended;
  assert.equal(signal, 'SIGKILL');
}
