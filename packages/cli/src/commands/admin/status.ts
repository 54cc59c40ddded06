// `landfall admin status`: the state of an installation from its database, also when no server runs.
import {
  type Replica,
  relayNames,
  relays,
  type ServerStatus,
  type ServiceProblem,
} from '@landfall/contract';
import type { Installation } from '@landfall/service';
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption } from '../../input/options.js';
import { nextCommand } from '../../output/next-command.js';
import { coloursFor, print, printable, printJson, readableTime } from '../../output/output.js';
import { type Column, printTable } from '../../output/table.js';
import { CommandFailedError } from '../../process/exit.js';
import { explainDatabaseFailure } from '../../process/explain-database-failure.js';
import { type InstallationKeys, readKeys } from './read-keys.js';

type StatusOptions = { check?: boolean; json?: true };

/** Adds the command. */
export function addAdminStatus(admin: Command): void {
  const command = onlyReads(admin.command('status'))
    .description('the state of an installation, from the database at DATABASE_URL')
    .option('--check', 'exit code 1 if anything is wrong');
  addJsonOption(command).addHelpText('after', examples).action(show);
}

const examples = `
Needs no server and no token, and changes nothing: problems with their entries in the runbook, servers, the database
with its sessions, locks and archive, replicas, the audit trail, certificates of clients that end within 30 days, and
the signing keys of this machine if LANDFALL_KEYS is set. Figures are those of the last hour. The address may be that of
a standby. While a server runs, the console and GET /api/authority/v1/service-status have more.

Examples:
  $ landfall admin status
  $ landfall admin status --check --json`;

async function show({ check = false, json }: StatusOptions): Promise<void> {
  // Imported here so that other commands start without loading the server.
  const { readInstallation } = await import('@landfall/service');
  const installation = await readInstallation().catch((error: unknown) => {
    throw explainDatabaseFailure(error);
  });
  const signing = await readKeys(installation.database.now);
  const wrong = findWrong(installation);
  if (signing?.failure !== undefined) wrong.push(signing.failure);
  if (json) printJson({ wrong, ...installation, keys: signing?.keys });
  else showInstallation(installation, signing, wrong);
  const [first] = wrong;
  if (check && first !== undefined) throw new CommandFailedError(first);
}

/** A database that is archived has had something to archive within this time, if anything is written. */
const MAX_ARCHIVE_AGE_MS = 3_600_000;

/** A transaction or a wait for a lock above this age, in seconds, is somebody's mistake. */
const [MAX_TRANSACTION, MAX_WAIT] = [3600, 30];

/** So many certificates that end soon are named. */
const MAX_CERTIFICATES = 10;

/** A share of the sessions above which the next failover or restart may find none. */
const MAX_SESSION_SHARE = 0.9;

/** What is wrong, in sentences; what servers have reported first. */
export function findWrong({
  pendingMigrations,
  database,
  endingCertificates = [],
  status,
}: Installation): string[] {
  const wrong = (status?.problems ?? []).map(({ code, subject, title }) =>
    subject === undefined ? `${code}: ${title}` : `${code}: ${title} (${subject})`,
  );
  const [pending] = pendingMigrations;
  if (pending !== undefined) {
    wrong.push(`the database lacks ${pending}: ${nextCommand(['admin', 'migrate'])}`);
  }
  if (status !== undefined && !status.servers.some(({ state }) => state === 'REPORTING')) {
    const last = status.servers
      .map(({ reportedAt }) => reportedAt)
      .sort()
      .at(-1);
    const since = last === undefined ? 'for a day' : `since ${readableTime(last)}`;
    wrong.push(`no server has reported ${since}`);
  }
  const { sessions, maxSessions, waiting, longestWait, oldestTransaction } = database;
  if (sessions > MAX_SESSION_SHARE * maxSessions) {
    wrong.push(`${sessions} of ${maxSessions} sessions of PostgreSQL are in use`);
  }
  if (longestWait > MAX_WAIT) {
    wrong.push(`${waiting} sessions wait for a lock, the first for ${duration(longestWait)}`);
  }
  if (oldestTransaction > MAX_TRANSACTION) {
    wrong.push(`a transaction has been open for ${duration(oldestTransaction)}`);
  }
  const { now, archives, lastArchivedAt, archivingFailedAt } = database;
  if (archivingFailedAt !== null) {
    wrong.push(`the log of the database has not been archived since ${time(lastArchivedAt)}`);
  } else if (archives && now.getTime() - (lastArchivedAt?.getTime() ?? 0) > MAX_ARCHIVE_AGE_MS) {
    wrong.push(`nothing of the log was archived for an hour (last: ${time(lastArchivedAt)})`);
  }
  for (const { organisation, client, endsAt } of endingCertificates.slice(0, MAX_CERTIFICATES)) {
    const ends = Date.parse(endsAt) < now.getTime() ? 'has ended' : 'ends';
    wrong.push(
      `the certificate of ${client} of ${organisation} ${ends} ${time(endsAt)}, and it has no key`,
    );
  }
  const further = endingCertificates.length - MAX_CERTIFICATES;
  if (further > 0) wrong.push(`${further} more certificates end soon: see --json`);
  return wrong;
}

function showInstallation(
  installation: Installation,
  signing: InstallationKeys | undefined,
  wrong: readonly string[],
): void {
  const { database, status } = installation;
  const colours = coloursFor();
  const role = database.isStandby ? 'standby' : 'primary';
  const [version = ''] = database.version.split(' ');
  print(`${colours.bold('Read')}      ${time(database.now)}`);
  print(`${colours.bold('Database')}  ${printable(database.name)}`);
  print(`          PostgreSQL ${printable(version)}, ${role}, ${megabytes(database.sizeBytes)}`);
  print(
    `          ${database.sessions} of ${database.maxSessions} sessions, ${database.waiting} waiting for a lock`,
  );
  print(`          oldest transaction ${duration(database.oldestTransaction)}`);
  print(`          ${archiveOf(database)}`);
  for (const key of signing?.keys ?? []) {
    if (key.state !== 'signing') continue;
    print(
      `${colours.bold('Keys')}      ${key.purpose} signs with ${key.kid} since ${time(key.signsFrom)}`,
    );
  }
  if (status !== undefined) {
    const last = status.series.points.at(-1);
    if (last !== undefined) {
      const { presentations } = last.latencies;
      print(
        `${colours.bold('Requests')}  ${last.requestsPerSecond.toFixed(1)} a second, ${last.failedPerSecond.toFixed(1)} failed, ${last.queued} queued (${time(last.at)})`,
      );
      if (presentations !== undefined) {
        print(`          99 % of presentations within ${presentations} s`);
      }
      const lags = relayNames.flatMap((name) => {
        const lag = last[relays[name].lag];
        return lag === undefined ? [] : [`${lag} ${relays[name].entries}`];
      });
      if (lags.length > 0)
        print(`${colours.bold('Relay')}     not relayed yet: ${lags.join(', ')}`);
    }
    print(`${colours.bold('Audit')}     ${auditOf(status)}`);
    print('');
    if (status.servers.length === 0) print('No server has reported for a day.');
    else printTable(serverColumns, status.servers);
    if (status.replicas.length > 0) {
      print('');
      printTable(replicaColumns, status.replicas);
    }
  }
  print('');
  if (wrong.length === 0) print(colours.green('Nothing is wrong.'));
  else print(colours.bold('Wrong'));
  const problems = status?.problems ?? [];
  for (const [index, sentence] of wrong.entries()) {
    const problem = problems[index];
    const colour = problem?.severity === 'warning' ? colours.yellow : colours.red;
    print(`  ${colour(printable(sentence))}`);
    if (problem !== undefined) print(`    ${whereOf(problem)}`);
  }
}

function whereOf({ since, runbook }: ServiceProblem): string {
  return since === undefined ? runbook : `since ${readableTime(since)}; ${runbook}`;
}

function archiveOf({
  archives,
  lastArchivedAt,
  archivingFailedAt,
}: Installation['database']): string {
  if (!archives) return 'the log is not archived (archive_mode is off)';
  const failed = archivingFailedAt === null ? '' : `, failed ${time(archivingFailedAt)}`;
  return `log archived ${time(lastArchivedAt)}${failed}`;
}

function auditOf({ auditVerification: last }: NonNullable<Installation['status']>): string {
  if (last === undefined) return 'never verified';
  const result = last.breaks === 0 ? 'intact' : `${last.breaks} breaks`;
  return `verified ${readableTime(last.at)}: ${result}, ${last.records} records`;
}

const serverColumns: readonly Column<ServerStatus>[] = [
  { heading: 'server', value: ({ name }) => name },
  { heading: 'version', value: ({ version }) => version },
  {
    heading: 'state',
    value: ({ state }) => state,
    colour: ({ state }, colours) => (state === 'REPORTING' ? colours.green : colours.red),
  },
  { heading: 'reported', value: ({ reportedAt }) => readableTime(reportedAt) },
  { heading: 'requests/s', value: ({ requestsPerSecond }) => requestsPerSecond.toFixed(1) },
  { heading: 'queued', value: ({ queued }) => String(queued) },
  { heading: 'processor', value: ({ processorShare }) => `${Math.round(100 * processorShare)} %` },
  { heading: 'memory', value: ({ memoryBytes }) => megabytes(memoryBytes) },
];

const replicaColumns: readonly Column<Replica>[] = [
  { heading: 'replica', value: ({ name }) => name },
  { heading: 'state', value: ({ state }) => state ?? '-' },
  {
    heading: 'behind',
    value: ({ lagSeconds }) => (lagSeconds === undefined ? '-' : duration(lagSeconds)),
  },
  {
    heading: 'not applied',
    value: ({ lagBytes }) => (lagBytes === undefined ? '-' : megabytes(lagBytes)),
  },
];

function time(at: Date | string | null): string {
  if (at === null) return 'never';
  return readableTime(typeof at === 'string' ? at : at.toISOString());
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`;
}
