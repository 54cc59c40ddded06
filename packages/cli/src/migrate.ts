// `landfall migrate`: brings the database of production to the schema of this version.
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
All pending migrations are applied together or not at all. It may run while servers do, and twice at once.

Examples:
  $ landfall migrate
  $ landfall migrate --check`;

async function migrate({ check = false }: { check?: boolean }): Promise<void> {
  const names = await runMigrations(check);
  for (const name of names) print(`${check ? 'pending' : 'applied'} ${name}`);
  if (names.length === 0) tell('the database is up to date');
  else if (check) {
    throw new CommandFailedError(`the database is behind; run: ${nextCommand(['migrate'])}`);
  }
}

async function runMigrations(check: boolean): Promise<string[]> {
  // Loaded here, because the other verbs start faster without the server.
  const { migrateService } = await import('@landfall/service');
  try {
    return await migrateService({ check });
  } catch (error) {
    throw explainDatabaseFailure(error);
  }
}
