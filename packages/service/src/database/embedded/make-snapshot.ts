// Build step: makes the cluster that new data folders and tests start from, unless it is there already.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../migrate.js';
import { startEmbedded } from './embedded.js';
import { digestOfSources, snapshotDigestFile, snapshotFile, snapshotIsFresh } from './snapshot.js';
import { pack } from './snapshot-format.js';

if (!(await snapshotIsFresh())) {
  await rm(snapshotDigestFile, { force: true });
  const folder = await mkdtemp(join(tmpdir(), 'landfall-snapshot-'));
  try {
    const database = await startEmbedded({ folder });
    const run = (text: string) => database.query({ name: '', text, values: [] });
    await migrate(database);
    // Only `create database` would use the templates.
    await run('update pg_database set datistemplate = false');
    await run('drop database template0');
    await run('drop database template1');
    // A cluster that was closed needs no recovery when it is opened.
    await database.close();
    await writeFile(snapshotFile, await pack(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
  await writeFile(snapshotDigestFile, await digestOfSources());
}
