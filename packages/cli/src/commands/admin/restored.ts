// `landfall admin restored`: tells a database that it was restored to an earlier time.
import type { BegunTimeline } from '@landfall/service';
import type { Command } from 'commander';
import { addJsonOption } from '../../input/options.js';
import { print, printJson, readableTime } from '../../output/output.js';
import { CommandFailedError } from '../../process/exit.js';
import { explainDatabaseFailure } from '../../process/explain-database-failure.js';

/** Adds the command. */
export function addAdminRestored(admin: Command): void {
  const command = admin
    .command('restored')
    .description('tell the database at DATABASE_URL that it was restored to an earlier time');
  addJsonOption(command).addHelpText('after', help).action(restored);
}

const help = `
Run it once after a restore, before the first server is started. Feeds get a new timeline: a reader whose marker is of what
was lost gets an error that names the marker to continue after, also when another entry has this marker meanwhile. All
sessions of the console end. The audit trail records it. Run again, it begins one more timeline, which harms nobody.

Examples:
  $ landfall admin restored`;

async function restored({ json }: { json?: true }): Promise<void> {
  const begun = await begin();
  if (json) {
    printJson(begun);
    return;
  }
  const { id, begunAt, lastChangeAt } = begun;
  print(`timeline ${id} began at ${readableTime(begunAt.toISOString())}`);
  print(
    lastChangeAt === null
      ? 'the database has no changes'
      : `the last change that it has is of ${readableTime(lastChangeAt.toISOString())}`,
  );
}

async function begin(): Promise<BegunTimeline> {
  // Imported here so that other commands start without loading the server.
  const { declareRestored, UnsafeError } = await import('@landfall/service');
  try {
    return await declareRestored();
  } catch (error) {
    if (error instanceof UnsafeError) throw new CommandFailedError(error.reasons.join('\nerror: '));
    throw explainDatabaseFailure(error);
  }
}
