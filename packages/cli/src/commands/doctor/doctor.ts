// `landfall doctor`: checks everything between this machine and a service, and says what to do for each problem.
import type { Command } from 'commander';
import { onlyReads } from '../../input/only-reads.js';
import { addJsonOption, addServiceOptions, type IdentityOptions } from '../../input/options.js';
import { coloursFor, print, printable, printJson, report } from '../../output/output.js';
import { terminalWidth, wrap } from '../../output/wrap.js';
import { CommandFailedError } from '../../process/exit.js';
import { explainFailure } from '../../service/explain-failure.js';
import {
  CredentialsError,
  type OpenedCredentials,
  openCredentials,
} from '../../service/identity.js';
import { openFetch } from '../../service/open-fetch.js';
import { type Check, type CheckName, failed, skipped } from './check.js';
import { checkIdentityProvider, checkService } from './check-addresses.js';
import { checkCertificates, checkFile } from './check-credentials.js';
import { checkGrant } from './check-grant.js';
import { checkSettings } from './check-settings.js';
import { checkTokens } from './check-tokens.js';
import { checkVersions } from './check-versions.js';
import { type Clocks, checkClocks, measureClocks } from './measure-clock.js';

type DoctorOptions = IdentityOptions & { json?: true };

/** Adds the command. */
export function addDoctor(program: Command): void {
  const command = onlyReads(program.command('doctor')).description(
    'check settings, credentials, addresses, clock, tokens and versions',
  );
  addJsonOption(addServiceOptions(command, 'carrier'))
    .addHelpText('after', examples)
    .action(examine);
}

const examples = `
Checks in this order: settings, credentials, certificate, grant (offline, with the rules of the identity provider),
service, identity provider, clock, token (one for each scope of the credentials), versions. It obtains tokens and
changes nothing. One JSON document: an array of {check, outcome, detail, advice}; outcome is ok, warning, failed or
skipped. Exit code 0: nothing failed; 1: something failed. A single token is checked by: landfall token doctor

Examples:
  $ landfall doctor
  $ landfall doctor --profile production --json`;

async function examine(options: DoctorOptions, command: Command): Promise<void> {
  const checks: Check[] = [];
  for await (const check of runChecks(options, command)) {
    checks.push(check);
    if (!options.json) show(check);
  }
  const count = checks.filter(({ outcome }) => outcome === 'failed').length;
  if (count > 0) process.exitCode = 1;
  if (options.json) printJson(checks);
  else
    report(
      count === 0 ? 'Nothing failed.' : `${count === 1 ? '1 check' : `${count} checks`} failed.`,
    );
}

async function* runChecks(options: DoctorOptions, command: Command): AsyncGenerator<Check> {
  yield* await checkSettings(command);
  const opened = await open(options);
  if ('outcome' in opened) {
    yield opened;
    yield skipped('service', 'without credentials, neither addresses nor tokens are checked');
    return;
  }
  const { credentials, baseUrl } = opened;
  yield checkFile(opened);
  yield* checkCertificates(credentials, new Date());
  yield* await checkGrant(credentials, baseUrl, new Date());

  const clocks: Clocks = new Map();
  const { fetch: send, ...limit } = openFetch(options, fetch);
  const sending = { timeoutMs: TIMEOUT_MS, ...limit, fetch: measureClocks(send, clocks) };
  const service = await checkService(baseUrl, sending, options);
  yield service;
  const provider = await checkIdentityProvider(credentials, sending, options);
  yield provider;
  yield* checkClocks(clocks);
  if (provider.outcome === 'failed' || service.outcome === 'failed') {
    yield skipped('token', 'not requested, because an address that it needs failed');
    return;
  }
  const { checks, tokens } = await checkTokens(credentials, baseUrl, sending, options);
  yield* checks;
  yield* await checkVersions(tokens, versionOf(command), baseUrl, sending, options);
}

/** How long each response may take by default, in milliseconds. */
const TIMEOUT_MS = 10_000;

async function open(options: DoctorOptions): Promise<OpenedCredentials | Check> {
  try {
    return await openCredentials(options);
  } catch (error) {
    const explained = explainFailure(error, options);
    if (!(explained instanceof CommandFailedError)) throw error;
    // A file that is missing or cannot be read is an error of the command, which says what to do.
    const advice = error instanceof CredentialsError ? null : ADVICE_FOR_CONTENTS;
    return failed('credentials', explained.message, advice);
  }
}

const ADVICE_FOR_CONTENTS =
  'Correct the file; its form is that of the files that a playground writes into its folder credentials.';

function versionOf(command: Command): string {
  return command.parent?.version() ?? 'unknown';
}

const marks: Record<Check['outcome'], string> = {
  ok: '✓ ok     ',
  warning: '! warning',
  failed: '✗ failed ',
  skipped: '- skipped',
};

/** The widest name of a check. */
const NAME_WIDTH = ('identity provider' satisfies CheckName).length;

function show({ check, outcome, detail, advice }: Check): void {
  const { green, yellow, red, dim } = coloursFor();
  const colour = { ok: green, warning: yellow, failed: red, skipped: dim }[outcome];
  const indent = ' '.repeat(marks.ok.length + NAME_WIDTH + 4);
  const wrapped = (text: string) => wrap(printable(text), terminalWidth() - indent.length);
  const [first = '', ...rest] = wrapped(detail);
  print(`${colour(marks[outcome])}  ${check.padEnd(NAME_WIDTH)}  ${first}`);
  for (const line of [...rest, ...(advice === null ? [] : wrapped(advice))]) {
    print(`${indent}${line}`);
  }
}
