// `landfall admin audit export`: writes closed months of the audit trail to files, and verifies each.
import type { Command } from 'commander';
import { onlyReads } from '../../../input/only-reads.js';
import { dataOption } from '../../../input/options.js';
import { print, report } from '../../../output/output.js';
import { grouped, withProgress } from '../../../output/progress.js';
import { UsageError } from '../../../process/exit.js';
import { chooseDatabase, explainAuditFailure } from './audit-database.js';

type ExportOptions = { before?: string; to: string; data: string };

/** Adds the command. */
export function addAdminAuditExport(audit: Command): void {
  onlyReads(audit.command('export'))
    .description('write closed months of the audit trail to files, and verify each')
    .requiredOption('--to <folder>', 'folder of the files')
    .option('--before <date>', 'only months that end at this date or before, such as 2027-01-01')
    .addOption(dataOption())
    .addHelpText('after', examples)
    .action(exportAudit);
}

const examples = `
Reads the database at DATABASE_URL, also while servers are running; without DATABASE_URL or with --data, the database
of a playground, which must be stopped. Each month becomes a compressed file with one line of JSON for each record, and
a manifest. A file is read again and verified before it gets its name, and no file is overwritten. Run the command again
after an interruption: it continues with the month in which it was.

Retention (LANDFALL_AUDIT_RETENTION) removes only months that were exported. Copy the files to other storage before, and
verify the copies: landfall admin audit verify --dir.

Examples:
  $ landfall admin audit export --to audit
  $ landfall admin audit export --before 2027-01-01 --to audit`;

async function exportAudit({ before, to, data }: ExportOptions, command: Command): Promise<void> {
  const end = before === undefined ? new Date() : readDate(before);
  // Imported here so that other commands start without loading the server.
  const { exportAuditTrail } = await import('@landfall/service');
  let line = '';
  try {
    const months = await withProgress(
      () => line,
      ({ clear }) =>
        exportAuditTrail({
          folder: to,
          before: end,
          onWithheld: (months) => {
            clear();
            report(withheld(months));
          },
          onProgress: (file, records) => {
            line = `${file}: ${grouped(records)} records`;
          },
          onMonth: ({ file, records, isNew }) => {
            clear();
            report(
              `${file}: ${grouped(records)} records, ${isNew ? 'exported' : 'was exported before'} and verified`,
            );
          },
          ...chooseDatabase(data, command),
        }),
    );
    print(
      months === 0
        ? 'There is no closed month to export.'
        : `Exported and verified: ${months} ${months === 1 ? 'month' : 'months'} in ${to}.`,
    );
  } catch (error) {
    throw explainAuditFailure(error, data);
  }
}

/** Why closed months are not exported yet. */
function withheld(months: number): string {
  const which = months === 1 ? '1 closed month is' : `${months} closed months are`;
  return `${which} not exported yet: the clock of the database has jumped, or no server has run for more than a day, and the time by which data is exported and removed follows slowly. Keep a server running: this time approaches the clock by a day for each hour, and landfall_removal_time_behind_seconds says how far it is. If the clock is wrong, set it right first.`;
}

function readDate(text: string): Date {
  const date = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new UsageError(`--before must be a date such as 2027-01-01, not ${text}`);
}
