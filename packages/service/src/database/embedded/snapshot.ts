// A fresh, migrated cluster that is kept with the build: making one takes seconds, loading it a moment.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { readMigrations } from '../migrate.js';

/** Where the build keeps the cluster. */
export const snapshotFile = new URL('./fresh-cluster.tar.gz', import.meta.url);

/** Where the build keeps what the cluster was made from. */
export const snapshotDigestFile = new URL('./fresh-cluster.digest', import.meta.url);

/** What a cluster is made from: the version of PGlite and the migrations. */
export async function digestOfSources(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(
    await readFile(new URL('../package.json', `file://${entry}`), 'utf8'),
  );
  const digest = createHash('sha256').update(String(version));
  for (const migration of await readMigrations()) digest.update(migration.digest);
  return digest.digest('hex');
}

/** The kept cluster; `undefined` when there is none, or it was made from something else. */
export async function readSnapshot(): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [file, kept, wanted] = await Promise.all([
    readFile(snapshotFile).catch(() => undefined),
    readFile(snapshotDigestFile, 'utf8').catch(() => undefined),
    digestOfSources(),
  ]);
  return file === undefined || kept !== wanted ? undefined : new Uint8Array(file);
}
