// `landfall audit verify`: walks the audit trail and names where it is broken.
import { readFile } from 'node:fs/promises';
import type { AuditBreak, NamedEnd, Verification } from '@landfall/service';
import type { Command } from 'commander';
import { CommandFailedError, codeOf } from './exit.js';
import { explainDatabaseFailure } from './explain-database-failure.js';
import { dataOption } from './identity-options.js';
import { coloursFor, print } from './output.js';
import { withProgress } from './progress.js';
import { type Column, tableLines } from './table.js';

type VerifyOptions = { data: string; recordsOnly?: boolean; ends?: string; json?: true };

/** Adds the verb. */
export function addAuditVerify(audit: Command): void {
  audit
    .command('verify')
    .description('walk the audit trail and name where it is broken')
    .addOption(dataOption())
    .option(
      '--records-only',
      'verify the records only, not the statuses, signals, events and feed accesses they cover',
    )
    .option('--ends <file>', 'what --json printed before: the trail must still have those ends')
    .option('--json', 'print an object and nothing else')
    .addHelpText('after', examples)
    .action(verify);
}

const examples = `
It reads the database at DATABASE_URL, beside running servers; without DATABASE_URL or with --data, that of a
playground, which must be stopped. It changes nothing. The exit code is 1 when the trail is broken.

Each record carries a digest of the one before it, and once a minute a record names where all chains end. Whoever
may write to the database could still take away everything after some moment: keep what --json prints elsewhere,
and give it with --ends the next time.

Examples:
  $ landfall audit verify
  $ landfall audit verify --json > ends-of-today.json
  $ landfall audit verify --ends ends-of-today.json`;

async function verify(options: VerifyOptions, command: Command): Promise<void> {
  const expected = options.ends === undefined ? [] : await readEnds(options.ends);
  const verification = await walk(options, command, expected);
  const { breaks } = verification;
  if (options.json)
    print(JSON.stringify({ intact: breaks.length === 0, ...verification }, null, 2));
  else show(verification);
  const [first] = breaks;
  if (first !== undefined) {
    const { chain, position, problem } = first;
    throw new CommandFailedError(
      `the audit trail is broken at chain ${chain}, position ${position}: ${problem}`,
    );
  }
}

async function walk(
  { data, recordsOnly = false }: VerifyOptions,
  command: Command,
  expected: readonly NamedEnd[],
): Promise<Verification> {
  const named = command.getOptionValueSource('data') === 'cli';
  const inPlayground = named || (process.env.DATABASE_URL ?? '') === '';
  // Loaded here, because the other verbs start faster without the server.
  const { verifyAuditTrail } = await import('@landfall/service');
  let done = 0;
  let all = 0;
  const line = () => `${done} of ${all} records`;
  try {
    return await withProgress(line, () =>
      verifyAuditTrail({
        recordsOnly,
        expected,
        onProgress: (records, inAll) => {
          done = records;
          all = inAll;
        },
        ...(inPlayground && { dataFolder: data }),
      }),
    );
  } catch (error) {
    throw explain(error, data);
  }
}

function explain(error: unknown, data: string): unknown {
  return codeOf(error) === 'FOLDER_IN_USE'
    ? new CommandFailedError(
        `${error instanceof Error ? error.message : data}: stop the playground, then verify`,
      )
    : explainDatabaseFailure(error);
}

const columns: readonly Column<AuditBreak>[] = [
  { heading: 'chain', value: ({ chain }) => String(chain) },
  { heading: 'position', value: ({ position }) => String(position) },
  { heading: 'what', value: ({ code }) => code, colour: (_, colours) => colours.red },
  { heading: 'problem', value: ({ problem }) => problem },
];

function show({ records, ends, breaks }: Verification): void {
  if (breaks.length > 0) {
    for (const line of tableLines(columns, breaks, coloursFor())) print(line);
    return;
  }
  print(
    records === 0
      ? 'The audit trail is empty.'
      : `The audit trail is whole: ${records} records in ${ends.length} ${ends.length === 1 ? 'chain' : 'chains'}.`,
  );
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
  throw new CommandFailedError(`${file} is not what landfall audit verify --json printed`);
}

function isEnd(value: unknown): value is NamedEnd {
  if (typeof value !== 'object' || value === null) return false;
  // The cast is true because an object may have any members of unknown kind.
  const { chain, position, digest } = value as Record<keyof NamedEnd, unknown>;
  return Number.isInteger(chain) && Number.isInteger(position) && typeof digest === 'string';
}
