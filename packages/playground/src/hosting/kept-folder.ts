// The folder with the keys of the spaces of a hosted playground. Keys of spaces that are gone are deleted, so it belongs to
// one database: with another one, those of all spaces would be deleted.
import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, makeFolder } from '@landfall/service/assembly';
import { keep, selectKept } from '../data-queries.js';
import { PlaygroundOptionError } from '../option-error.js';
import { readPrivate, writePrivate } from '../private-file.js';

/** What the database keeps, and the file in the folder that has the same: no space has such a name. */
const NAME = 'folder of hosted spaces';
const FILE = '.database';

/**
 * Removes what a folder has of other spaces than these.
 *
 * @throws PlaygroundOptionError when the folder belongs to another database; then nothing is changed
 */
export async function openKeptFolder(
  folder: string,
  database: Database,
  spaces: ReadonlySet<string>,
): Promise<void> {
  const [row] = await database.query(selectKept(NAME));
  await makeFolder(folder, 0o700);
  const others = (await readdir(folder)).filter((name) => name !== FILE && !spaces.has(name));
  const owner = await readPrivate(join(folder, FILE));
  // Without a file, it is a folder that has never been one, or whose file somebody has deleted.
  const isForeign = owner === undefined ? spaces.size === 0 : owner !== row?.value;
  if (isForeign && others.length > 0) {
    throw new PlaygroundOptionError(
      `data: ${folder} has the keys of ${others.length} hosted spaces of another database: start it with that database (databaseUrl), or with another data folder; to give those spaces up, delete the folder`,
    );
  }
  const id = row?.value ?? randomUUID();
  await database.query(keep(NAME, id));
  await writePrivate(join(folder, FILE), id);
  for (const name of others) await rm(join(folder, name), { recursive: true, force: true });
}
