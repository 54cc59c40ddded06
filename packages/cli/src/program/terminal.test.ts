// Every subcommand on a terminal of 80 columns and through a pipe: tables fit, and a pipe gets no escape sequences.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { drawCases } from '../../../contract/dist/testing/drawn-cases.js';
import { displayWidth } from '../output/display-width.js';
import { exitCodes } from '../process/exit-codes.js';
import {
  type ExternalIdentityProvider,
  startExternalIdentityProvider,
} from '../testing/external-identity-provider.js';
import { createPostgresql, type TestPostgresql, whyNoPostgresql } from '../testing/postgresql.js';
import { productionEnvironment } from '../testing/production-environment.js';
import { runCommand } from '../testing/run-command.js';
import { type Run, startLandfall } from '../testing/run-landfall.js';
import { noTerminal, startOnTerminal } from '../testing/run-on-terminal.js';
import { startPlayground } from '../testing/start-playground.js';
import {
  makeSubcommands,
  type TriedSubcommand,
  writeSubcommandFiles,
} from '../testing/subcommands.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { listSubcommands } from './command-reference.js';
import { makeProgram } from './program.js';

const COLUMNS = 80;

/** A command that waits for something that does not come is a failure, in milliseconds. */
const TIMEOUT_MS = 120_000;

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
const configuration = join(folder, 'configuration');
const file = (name: string) => join(folder, name);
const newcomer = '0192:310000051';

const subcommands = makeSubcommands(folder, data);

/** What runs on the database of an installation. */
const productionSubcommands: TriedSubcommand[] = [
  ['admin migrate', ''],
  ['admin bootstrap', `${newcomer} --scope authority/registry authority/routing`],
  ['admin restored', ''],
  ['admin status', ''],
  ['serve', ''],
  ['admin audit verify', ''],
  ['admin audit export', `--to ${file('audit')}`],
  [
    'admin keys change-passphrase',
    `--keys ${file('keys')} --new-passphrase-file ${file('passphrase')}`,
  ],
  ['admin audit decisions', `--from 2026-01-01 --to ${file('decisions')}`],
];

/** What a server prints when it has started: then it is stopped with Ctrl-C. */
const started = new Map([
  ['playground', /Press Ctrl-C to stop/],
  ['serve', /^serving /m],
  ['trial-provider', /Ctrl-C stops it/],
]);

/** What adds to the feeds that the follow commands read. */
const fillsFeed = new Set(['present', 'movement lodge', 'feed import']);

const wordsOf = (name: string, words: string, identity: string | undefined) => [
  ...`${name} ${words}`.trim().split(' '),
  ...(identity === undefined ? [] : ['--as', identity, '--data', data]),
];

it('all subcommands are tried', () => {
  const tried = [...subcommands, ...productionSubcommands].map(([name]) => name);
  assert.deepEqual(tried.sort(), listSubcommands(makeProgram()).sort());
});

describe('every subcommand', { skip: noTerminal }, () => {
  let playground: Playground;
  before(async () => {
    playground = await startPlayground(data);
    await writeSubcommandFiles(folder, data);
    // Whatever is drawn, each feed has something to follow.
    for (const [name, words, identity] of subcommands) {
      if (fillsFeed.has(name)) await runCommand(wordsOf(name, words, identity));
    }
  });
  after(() => playground.close());

  for (const [name, words, identity] of drawCases('terminal', subcommands, 20)) {
    it(name, { timeout: TIMEOUT_MS }, () => tryOut(name, wordsOf(name, words, identity)));
  }
});

const noProduction = noTerminal || (await whyNoPostgresql());

describe('every subcommand of an installation', { skip: noProduction }, () => {
  let provider: ExternalIdentityProvider;
  let database: TestPostgresql;
  let environment: NodeJS.ProcessEnv;
  before(async () => {
    [provider, database] = await Promise.all([startExternalIdentityProvider(), createPostgresql()]);
    environment = productionEnvironment(database, provider, file('keys'));
  });
  after(async () => {
    provider?.close();
    await database?.drop();
  });

  for (const [name, words, identity] of productionSubcommands) {
    it(name, { timeout: TIMEOUT_MS }, () =>
      tryOut(name, wordsOf(name, words, identity), environment),
    );
  }
});

/** Runs a subcommand on a terminal and through a pipe. */
async function tryOut(
  name: string,
  line: readonly string[],
  given: NodeJS.ProcessEnv = {},
): Promise<void> {
  const environment = { ...given, XDG_CONFIG_HOME: configuration, XDG_CACHE_HOME: folder };
  const start = started.get(name);

  const onTerminal = startOnTerminal(line, prepareTerminal(environment));
  if (start !== undefined) await onTerminal.printed(start).finally(onTerminal.interrupt);
  const shown = await onTerminal.ended;
  assertTried(line, shown.code, shown.output);
  for (const each of linesOnScreen(shown.output)) {
    assert.ok(!isTableLine(each) || displayWidth(each) <= COLUMNS, `wider than 80:\n${each}`);
  }

  const piped =
    start === undefined
      ? await runCommand(line, { environment })
      : await runUntil(start, line, environment);
  assertTried(line, piped.code, piped.stderr);
  assert.doesNotMatch(piped.stdout + piped.stderr, /\u001b|\r/);
}

/** The shell commands that set the variables and the width of the terminal. */
function prepareTerminal(environment: NodeJS.ProcessEnv): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}='${value}'`);
  return `export ${variables.join(' ')}; stty -F /dev/tty cols ${COLUMNS} rows 24; true`;
}

/** Runs a server until it has started, and stops it. */
async function runUntil(
  start: RegExp,
  line: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Run> {
  const server = startLandfall(line, environment);
  await server.printed(start).finally(() => server.process.kill('SIGINT'));
  return server.ended;
}

/**
 * A second run may be refused, such as creating again, and what has a time limit may reach it; wrong usage and stack traces are
 * errors of this test.
 */
function assertTried(line: readonly string[], code: number | null, output: string): void {
  const isOver = line.includes('--within') && code === exitCodes.PENDING.code;
  assert.ok(code === 0 || code === 1 || isOver, output);
  assert.doesNotMatch(output, /unexpected error|\n {4}at /);
}

/** The lines that stay on the screen, without colours. */
function linesOnScreen(output: string): string[] {
  return output
    .split('\n')
    .map((each) => each.replaceAll(/\u001b\[[\d;]*m/g, '').replace(/\r$/, ''))
    .map((each) => each.split('\u001b[K').at(-1) ?? '');
}

/** Columns are separated by two spaces or more; in a sentence, a command to copy, or JSON there are none. */
function isTableLine(line: string): boolean {
  return /\S {2,}\S/.test(line);
}
