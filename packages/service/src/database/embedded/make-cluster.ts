// Makes the cluster of a data folder: whole, or not at all.
import { execFile } from 'node:child_process';
import { mkdir, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BrokenDatabaseError } from './broken-database.js';
import { snapshotFile, snapshotIsFresh } from './snapshot.js';

/**
 * Makes it in a folder beside the final one and then renames that folder.
 *
 * @param initialise makes one in an empty folder, if the installation has no fresh snapshot
 * @throws BrokenDatabaseError when the disk is full, or the snapshot is damaged
 */
export async function makeCluster(
  cluster: string,
  initialise: (folder: string) => Promise<void>,
): Promise<void> {
  const unfinished = `${cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished);
  try {
    if (await snapshotIsFresh()) await unpack(fileURLToPath(snapshotFile), unfinished);
    else await initialise(unfinished);
    await rename(unfinished, cluster);
  } catch (error) {
    // Frees the space that it used on a full disk.
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** @throws BrokenDatabaseError when the disk is full, or the snapshot is damaged */
export async function unpack(snapshot: string, folder: string): Promise<void> {
  const program = fileURLToPath(new URL('./unpack-cluster.js', import.meta.url));
  try {
    await promisify(execFile)(process.execPath, [program, snapshot, folder]);
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    const [code] = /\bE(?:NOSPC|DQUOT|FBIG|IO|ROFS|ACCES)\b/.exec(said) ?? [];
    throw new BrokenDatabaseError(
      code === undefined
        ? `the database that new ones are made from, ${snapshot}, is damaged: install Landfall again`
        : `a new database cannot be written to ${folder} (${code}): free some space, 100 MB at least, and start again`,
      { cause: error },
    );
  }
}
