// Makes the cluster of a data folder: whole, or not at all.
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../native-error.js';
import { BrokenDatabaseError } from './broken-database.js';
import { snapshotFile, snapshotIsFresh } from './snapshot.js';
import { unpack } from './snapshot-format.js';

/** The errors of a disk that is full or cannot be written to. */
const STORAGE_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'EACCES'];

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
    if (await snapshotIsFresh()) await unpackSnapshot(snapshotFile, unfinished);
    else await initialise(unfinished);
    await rename(unfinished, cluster);
  } catch (error) {
    // Frees the space that it used on a full disk.
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Unpacks the snapshot of the installation.
 *
 * @throws BrokenDatabaseError when the disk is full, or the snapshot is damaged
 */
export async function unpackSnapshot(file: URL, folder: string): Promise<void> {
  try {
    await unpack(await readFile(file), folder);
  } catch (error) {
    const code = codeOf(error);
    throw new BrokenDatabaseError(
      code !== undefined && STORAGE_CODES.includes(code)
        ? `a new database cannot be written to ${folder} (${code}): free some space, 100 MB at least, and start again`
        : `the database that new ones are made from, ${fileURLToPath(file)}, is damaged: install Landfall again`,
      { cause: error },
    );
  }
}
