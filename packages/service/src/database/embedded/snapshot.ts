// A fresh, migrated cluster that is kept with the build: making one takes seconds, loading it a moment.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { readMigrations } from '../migration-files.js';
import { createMigrationTables } from '../queries.js';

/** Where the build keeps the cluster. */
export const snapshotFile = new URL('./fresh-cluster.snapshot', import.meta.url);

/** Where the build keeps what the cluster was made from. */
export const snapshotDigestFile = new URL('./fresh-cluster.snapshot.digest', import.meta.url);

/**
 * The arguments of `initdb`. Segments of the write-ahead log have 1 MB instead of 16, and none is kept for later: a
 * cluster is unpacked at each start, and kept in memory for tests.
 */
export const INITDB_ARGUMENTS = ['--wal-segsize=1', '--set=wal_recycle=off'];

/** What a cluster is made from: the version of PGlite, the arguments of `initdb`, and the migrations. */
export async function digestOfSources(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(
    await readFile(new URL('../package.json', `file://${entry}`), 'utf8'),
  );
  const digest = createHash('sha256').update(
    `${version} ${INITDB_ARGUMENTS} ${createMigrationTables}`,
  );
  // A migration is applied once by its name.
  for (const { name, digest: each } of await readMigrations()) digest.update(`${name} ${each}`);
  return digest.digest('hex');
}

/** Whether there is a kept cluster, made from what is here now. */
export async function snapshotIsFresh(): Promise<boolean> {
  const [kept, wanted] = await Promise.all([
    // Without a digest there is no snapshot that fits, and one is made.
    readFile(snapshotDigestFile, 'utf8').catch(() => undefined),
    digestOfSources(),
  ]);
  return kept === wanted;
}
