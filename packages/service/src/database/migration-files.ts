// The numbered SQL files of `migrations/`, and what their first lines say of them. The rule is in CONTRIBUTING.md.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** One migration. */
export type Migration = {
  name: string;
  script: string;
  digest: string;
  /** What it locks and for how long, as a text for the operator. */
  locks: string;
  /** The index that it builds outside a transaction, while the table is written to; without it, it is a transaction. */
  concurrentIndex: string | undefined;
  /** What it does in batches, with a commit each. */
  backfill: Backfill | undefined;
};

/**
 * A statement that processes a batch of the rows of a table. Its values are the position after which the batch begins,
 * null for the first one, and the number of rows. It returns `position`, that of the last row of the batch as text, null
 * when there are no more rows, and `rows`.
 */
export type Backfill = { table: string; statement: string };

/** The file does not keep the rule for migrations. */
export class MigrationFormatError extends Error {
  readonly code = 'MIGRATION_FORMAT';
  override name = 'MigrationFormatError';
}

const folder = new URL('../../migrations/', import.meta.url);

/** The migrations of this version, in their order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => readMigration(name, await readFile(new URL(name, folder), 'utf8'))),
  );
}

/**
 * @throws MigrationFormatError when it does not say what it locks, or when it is to run outside a transaction and is more
 *   than one `create index concurrently`
 */
export function readMigration(name: string, script: string): Migration {
  const head = /^(?:--.*\n|\s*\n)*/.exec(script)?.[0] ?? '';
  const [, locks] = /^-- locks: (.+)$/m.exec(head) ?? [];
  if (locks === undefined) throw new MigrationFormatError(`${name} has no line "-- locks: ..."`);
  const [, table] = /^-- in batches: (\w+)$/m.exec(head) ?? [];
  return {
    name,
    script,
    digest: createHash('sha256').update(script).digest('hex'),
    locks,
    concurrentIndex: /^-- concurrently$/m.test(head)
      ? indexOf(name, script.slice(head.length))
      : undefined,
    backfill: table === undefined ? undefined : { table, statement: script.slice(head.length) },
  };
}

function indexOf(name: string, statement: string): string {
  const [, index] =
    /^create\s+(?:unique\s+)?index\s+concurrently\s+(\w+)\s+on\s[^;]+;?$/i.exec(statement.trim()) ??
    [];
  if (index !== undefined) return index;
  throw new MigrationFormatError(
    `${name} says "-- concurrently", and must be one statement "create index concurrently NAME on ..."`,
  );
}
