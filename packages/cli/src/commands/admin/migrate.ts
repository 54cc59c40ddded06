// `landfall admin migrate`: migrates the production database to the schema of this version.
import type { PendingMigration } from '@landfall/service';
import type { Command } from 'commander';
import { addJsonOption } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { print, printJson, report } from '../../output/output.js';
import { CommandFailedError } from '../../process/exit.js';
import { explainDatabaseFailure } from '../../process/explain-database-failure.js';
import { exitCodeOf, firstStopSignal } from '../../process/stop.js';

type MigrateOptions = { check?: boolean; json?: boolean };

/** Adds the command. */
export function addAdminMigrate(admin: Command): void {
  const command = admin
    .command('migrate')
    .description('migrate the database at DATABASE_URL to the schema of this version')
    .option('--check', 'only list pending migrations; exit code 1 if there are any');
  addJsonOption(command).addHelpText('after', examples).action(migrate);
}

const examples = `
Servers of the previous version may run meanwhile. Each migration is applied separately, and one of many rows in
batches, so an interrupted run can be repeated and continues where it was. Concurrent runs wait for each other.

Examples:
  $ landfall admin migrate
  $ landfall admin migrate --check`;

async function migrate({ check = false, json = false }: MigrateOptions): Promise<void> {
  // Imported here so that other commands start without loading the server.
  const { listPendingMigrations, migrateDatabase } = await import('@landfall/service');
  try {
    if (check) return reportPending(await listPendingMigrations(), json);
    endOnStop();
    const names = await migrateDatabase(report);
    if (json) printJson({ applied: names });
    else for (const name of names) print(`applied ${name}`);
    if (names.length === 0) report('the database is up to date');
  } catch (error) {
    throw explainDatabaseFailure(error);
  }
}

/** Ends the process at the first stop signal: its statements end with it, and the database undoes what they have done. */
function endOnStop(): void {
  void firstStopSignal().then((signal) => {
    report(
      `error: interrupted; applied migrations stay, and so do finished batches of the last one; to continue, run: ${nextCommand(['admin', 'migrate'])}`,
    );
    process.exit(exitCodeOf(signal));
  });
}

function reportPending(pending: readonly PendingMigration[], json: boolean): void {
  if (json) printJson({ pending });
  else for (const { name } of pending) print(`pending ${name}`);
  if (pending.length === 0) {
    report('the database is up to date');
    return;
  }
  for (const { name, locks } of pending) report(`${name} locks ${locks}`);
  throw new CommandFailedError(
    `the database has pending migrations; run: ${nextCommand(['admin', 'migrate'])}`,
  );
}
