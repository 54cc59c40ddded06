// What is known of backups: whether the log of the database is archived, and how old the last backup is.
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Database } from '../database/database.js';
import { migrate } from '../database/migrate.js';
import { openPostgresql } from '../database/postgresql.js';
import { makeOwnPostgresql, whyNoOwnPostgresql } from '../testing/own-postgresql.js';
import { until } from '../testing/until.js';
import { makeBackupMeasures } from './backup-measures.js';

const read = async (database: Database) => {
  const values = await Promise.all(makeBackupMeasures(database).map((measure) => measure.read()));
  return { archiveLag: values[0], backupAge: values[1] };
};

test('an archive that fails, and one that hangs, are noticed; and how old the last backup is', {
  skip: whyNoOwnPostgresql(),
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-archiving-'));
  await chmod(folder, 0o777);
  const [hanging, failing] = [join(folder, 'hang'), join(folder, 'fail')];
  const server = await makeOwnPostgresql();
  const command = `while [ -e ${hanging} ]; do sleep 0.1; done; test ! -e ${failing}`;
  await server.start({ archive_mode: 'on', archive_command: command });
  const database = openPostgresql(server.url);
  const run = (text: string) => database.query({ name: '', text, values: [] });
  const isLate = async () => Number((await read(database)).archiveLag) > 0;
  const switchLog = () => run(`select pg_logical_emit_message(false, '', ''), pg_switch_wal()`);
  const untilArchived = () => until(async () => !(await isLate()));
  try {
    await migrate(database);
    assert.deepEqual(await read(database), { archiveLag: 0, backupAge: undefined });
    await writeFile(failing, '');
    await switchLog();
    await until(isLate);
    await rm(failing);
    await untilArchived();

    await writeFile(hanging, '');
    await switchLog();
    await switchLog();
    assert(await isLate());
    await rm(hanging);
    await untilArchived();

    await run(
      `insert into database_backup values ('full', now() - interval '3 days'), ('diff', now() - interval '1 hour')`,
    );
    assert.equal(Math.round(Number((await read(database)).backupAge) / 60), 60);
  } finally {
    await database.close();
    await server.remove();
    await rm(folder, { recursive: true });
  }
});
