// `landfall migrate`: brings the database of production to the schema of this version.
import type { PendingMigration } from '@landfall/service';
import type { Command } from 'commander';
import { CommandFailedError } from './exit.js';
import { explainDatabaseFailure } from './explain-database-failure.js';
import { nextCommand } from './next-command.js';
import { print, tell } from './output.js';

/** Adds the verb. */
export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database at DATABASE_URL to the schema of this version')
    .option('--check', 'change nothing; list what is pending, and exit 1 if anything is')
    .addHelpText('after', examples)
    .action(migrate);
}

const examples = `
Stop the servers of the version before. Migrations are applied one by one, so a run that was
interrupted is taken up by the next; of several at once, one applies and the others wait.

Examples:
  $ landfall migrate
  $ landfall migrate --check`;

async function migrate({ check = false }: { check?: boolean }): Promise<void> {
  // Loaded here, because the other verbs start faster without the server.
  const { listPendingMigrations, migrateDatabase } = await import('@landfall/service');
  try {
    if (check) return tellPending(await listPendingMigrations());
    const names = await migrateDatabase(tell);
    for (const name of names) print(`applied ${name}`);
    if (names.length === 0) tell('the database is up to date');
  } catch (error) {
    throw explainDatabaseFailure(error);
  }
}

function tellPending(pending: readonly PendingMigration[]): void {
  for (const { name } of pending) print(`pending ${name}`);
  if (pending.length === 0) {
    tell('the database is up to date');
    return;
  }
  for (const { name, locks } of pending) tell(`${name} locks ${locks}`);
  throw new CommandFailedError(`the database is behind; run: ${nextCommand(['migrate'])}`);
}
