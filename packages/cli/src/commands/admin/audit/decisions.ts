// `landfall admin audit decisions`: exports decisions as lines, each with the record of the audit trail that has it.
import type { Command } from 'commander';
import { onlyReads } from '../../../input/only-reads.js';
import { dataOption } from '../../../input/options.js';
import { print } from '../../../output/output.js';
import { grouped, withProgress } from '../../../output/progress.js';
import { UsageError } from '../../../process/exit.js';
import { chooseDatabase, explainAuditFailure } from './audit-database.js';

type DecisionsOptions = { from: string; before?: string; to: string; data: string };

/** Adds the command. */
export function addAdminAuditDecisions(audit: Command): void {
  onlyReads(audit.command('decisions'))
    .description(
      'write routing decisions to a file, each with the record of the audit trail that has it',
    )
    .requiredOption('--to <file>', 'file to write; it must not exist')
    .requiredOption('--from <date>', 'decisions of this date (UTC) and later, such as 2027-01-01')
    .option('--before <date>', 'only decisions before this date (UTC)')
    .addOption(dataOption())
    .addHelpText('after', examples)
    .action(exportDecisions);
}

const examples = `
Reads the database at DATABASE_URL, also while servers are running; without DATABASE_URL or with --data, the database
of a playground, which must be stopped. Each line is JSON: "decision", as the API has it; "row", its bytes in the database
as base64; "digest", the first 24 bytes of their SHA-256 as base64; "record", the chain, position and digest of the record
whose rowDigests have that digest, or null if retention has removed the record or the row was accepted as it is. The last
line is a summary with the ends of the chains: without it, the file is not whole.

To prove a decision: compute the digest of its row, find it in its record (landfall admin audit export writes records to
files), and verify the chain of that record (landfall admin audit verify).

Examples:
  $ landfall admin audit decisions --from 2027-01-01 --before 2027-02-01 --to decisions.ndjson`;

async function exportDecisions(
  { from, before, to, data }: DecisionsOptions,
  command: Command,
): Promise<void> {
  const begin = readDate('--from', from);
  const end = before === undefined ? new Date() : readDate('--before', before);
  // Imported here so that other commands start without loading the server.
  const { exportRoutingDecisions } = await import('@landfall/service');
  let line = '';
  try {
    const { decisions, withoutRecord } = await withProgress(
      () => line,
      () =>
        exportRoutingDecisions({
          from: begin,
          to: end,
          file: to,
          onProgress: (written) => {
            line = `${grouped(written)} decisions`;
          },
          ...chooseDatabase(data, command),
        }),
    );
    print(
      `Exported: ${grouped(decisions)} decisions, ${grouped(withoutRecord)} of them without a record, to ${to}.`,
    );
  } catch (error) {
    throw explainAuditFailure(error, data);
  }
}

function readDate(option: string, text: string): Date {
  const date = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new UsageError(`${option} must be a date such as 2027-01-01, not ${text}`);
}
