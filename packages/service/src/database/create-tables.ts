// The tables of a schema that is empty, at once: as all migrations make them, for a copy of a database that has them.
import { readFile } from 'node:fs/promises';
import type { Database } from './database.js';

/** What `npm run generate` dumps after all migrations. */
const file = new URL('../../schema.sql', import.meta.url);

let script: Promise<string> | undefined;

/** Names without the schema of the dump, so that they are made in the one that comes first in the search path. */
async function readScript(): Promise<string> {
  return (await readFile(file, 'utf8')).replace(/\bpublic\./g, '');
}

/**
 * Makes the tables, without rows. Migrations would take twice as long, because they make and change each.
 *
 * @param database whose schema is empty
 * @param migrated the schema of the same database that has the tables, from which the list of migrations is copied
 */
export async function createTables(database: Database, migrated: string): Promise<void> {
  script ??= readScript();
  const text = await script;
  await database.transact((transaction) =>
    // Bodies of functions were checked when the migrations made them.
    transaction.run(
      `set local check_function_bodies = off;\n${text}\ninsert into migration select * from ${migrated}.migration;`,
    ),
  );
}
