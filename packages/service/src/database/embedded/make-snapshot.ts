// Build step: makes the cluster that new data folders and tests start from, unless it is there already.
import { rm, writeFile } from 'node:fs/promises';
import { migrate } from '../migrate.js';
import { startEmbedded } from './embedded.js';
import { digestOfSources, snapshotDigestFile, snapshotFile, snapshotIsFresh } from './snapshot.js';

if (!(await snapshotIsFresh())) {
  await rm(snapshotDigestFile, { force: true });
  const embedded = await startEmbedded({});
  await migrate(embedded.database);
  await writeFile(snapshotFile, await embedded.dump());
  await embedded.database.close();
  await writeFile(snapshotDigestFile, await digestOfSources());
}
