// `landfall admin audit verify`: verifies the audit trail and reports where it is broken.
import { readFile } from 'node:fs/promises';
import type { AuditBreak, NamedEnd, Verification, VerifiedMonths } from '@landfall/service';
import type { Command } from 'commander';
import { onlyReads } from '../../../input/only-reads.js';
import { dataOption } from '../../../input/options.js';
import { print, printJson, report } from '../../../output/output.js';
import { withProgress } from '../../../output/progress.js';
import { type Column, printTable } from '../../../output/table.js';
import { CommandFailedError, codeOf, UsageError } from '../../../process/exit.js';
import { chooseDatabase, explainAuditFailure } from './audit-database.js';

type VerifyOptions = {
  data: string;
  recordsOnly?: boolean;
  ends?: string;
  dir?: string;
  join?: boolean;
  json?: true;
};

/** Adds the command. */
export function addAdminAuditVerify(audit: Command): void {
  onlyReads(audit.command('verify'))
    .description('verify the audit trail and report where it is broken')
    .addOption(dataOption())
    .option(
      '--records-only',
      'skip the statuses, signals, events, feed accesses and rows that records have digests of',
    )
    .option('--ends <file>', 'earlier --json output; the trail must still contain its chain ends')
    .option('--dir <folder>', 'verify exported months in this folder, without a database')
    .option('--join', 'with --dir: also verify the database, which must continue these months')
    .option('--json', 'print the result as one JSON document')
    .addHelpText('after', examples)
    .action(verify);
}

const examples = `
Reads the database at DATABASE_URL, also while servers are running; without DATABASE_URL or with --data, the database
of a playground, which must be stopped. Records the result, which the status of the service shows. The exit code is 1
if the trail is broken.

Each record contains a digest of the previous one, and once a minute a checkpoint records the end of every chain.
Someone with write access to the database could still delete everything after some point in time. To detect that,
store the --json output elsewhere and pass it with --ends the next time.

Months that were exported (landfall admin audit export) are verified with --dir: every record, its events, and that the
months join up. The trail in the database begins after the months that retention has removed.

Examples:
  $ landfall admin audit verify
  $ landfall admin audit verify --json > ends-of-today.json
  $ landfall admin audit verify --ends ends-of-today.json
  $ landfall admin audit verify --dir audit
  $ landfall admin audit verify --dir audit --join`;

async function verify(options: VerifyOptions, command: Command): Promise<void> {
  if (options.join && options.dir === undefined) throw new UsageError('--join needs --dir');
  const months = options.dir === undefined ? undefined : await verifyFolder(options.dir, options);
  const verification =
    months === undefined || options.join
      ? await runVerification(options, command, months?.ends ?? [])
      : undefined;
  const breaks = [...(months?.breaks ?? []), ...(verification?.breaks ?? [])];
  if (options.json) {
    const database = months === undefined ? verification : { database: verification };
    printJson({ intact: breaks.length === 0, ...months, ...database });
  } else if (breaks.length > 0) {
    printTable(columns, breaks);
  } else {
    if (months !== undefined) showMonths(months);
    if (verification !== undefined) show(verification);
  }
  const [first] = breaks;
  if (first !== undefined) {
    const { chain, position, problem } = first;
    throw new CommandFailedError(
      `the audit trail is broken at chain ${chain}, position ${position}: ${problem}`,
    );
  }
}

async function verifyFolder(folder: string, { data }: VerifyOptions): Promise<VerifiedMonths> {
  const { verifyMonths } = await import('@landfall/service');
  let line = '';
  try {
    return await withProgress(
      () => line,
      () =>
        verifyMonths(folder, (file) => {
          line = file;
        }),
    );
  } catch (error) {
    throw explainAuditFailure(error, data);
  }
}

async function runVerification(
  { data, recordsOnly = false, ends }: VerifyOptions,
  command: Command,
  exported: readonly NamedEnd[],
): Promise<Verification> {
  const expected = ends === undefined ? [] : await readEnds(ends);
  // Imported here so that other commands start without loading the server.
  const { messageOf, verifyAuditTrail } = await import('@landfall/service');
  let verified = 0;
  let total = 0;
  const line = () => `${verified} of ${total} records`;
  try {
    return await withProgress(line, () =>
      verifyAuditTrail({
        recordsOnly,
        expected,
        exported,
        onNotRecorded: (error) =>
          report(`the result is not recorded for the status of the service: ${messageOf(error)}`),
        onProgress: (records, all) => {
          verified = records;
          total = all;
        },
        ...chooseDatabase(data, command),
      }),
    );
  } catch (error) {
    throw explainAuditFailure(error, data);
  }
}

const columns: readonly Column<AuditBreak>[] = [
  { heading: 'chain', value: ({ chain }) => String(chain) },
  { heading: 'position', value: ({ position }) => String(position) },
  { heading: 'code', value: ({ code }) => code, colour: (_, colours) => colours.red },
  { heading: 'problem', value: ({ problem }) => problem },
];

function show({ records, ends, removed, accepted }: Verification): void {
  print(
    records === 0 && removed.length === 0
      ? 'The audit trail is empty.'
      : `The audit trail is intact: ${records} records in ${countChains(ends)}.`,
  );
  for (const { what, until } of removed) {
    print(`Removed by retention: ${what} until ${until}.`);
  }
  for (const { at, user, tables } of accepted) {
    const rows = Object.entries(tables).map(([table, count]) => `${count} of ${table}`);
    print(
      `Accepted as they were at ${at}, by the database user ${user}: rows, ${rows.join(', ')}.`,
    );
  }
}

function showMonths({ months, records, events, ends }: VerifiedMonths): void {
  print(
    `The exported months are intact: ${months} with ${records} records and ${events} events in ${countChains(ends)}.`,
  );
}

function countChains({ length }: readonly NamedEnd[]): string {
  return `${length} ${length === 1 ? 'chain' : 'chains'}`;
}

async function readEnds(file: string): Promise<NamedEnd[]> {
  try {
    const { ends } = JSON.parse(await readFile(file, 'utf8'));
    if (Array.isArray(ends) && ends.every(isEnd)) return ends;
  } catch (error) {
    if (codeOf(error) !== undefined) {
      throw new CommandFailedError(`cannot read ${file} (${codeOf(error)})`);
    }
  }
  throw new CommandFailedError(`${file} is not the output of landfall admin audit verify --json`);
}

function isEnd(value: unknown): value is NamedEnd {
  if (typeof value !== 'object' || value === null) return false;
  // The cast is true because an object may have members of any type.
  const { chain, position, digest } = value as Record<keyof NamedEnd, unknown>;
  return Number.isInteger(chain) && Number.isInteger(position) && typeof digest === 'string';
}
