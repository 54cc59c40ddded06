// Every subcommand on a terminal of 80 columns and through a pipe: tables fit, and a pipe gets no escape sequences.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Playground } from '@landfall/playground';
import { displayWidth } from '../output/display-width.js';
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
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { listSubcommands } from './command-reference.js';
import { makeProgram } from './program.js';

const COLUMNS = 80;

const folder = await makeTemporaryFolder();
const data = join(folder, 'data');
const configuration = join(folder, 'configuration');
const file = (name: string) => join(folder, name);
const newcomer = '0192:310000051';
const run = '00000000-0000-7000-8000-000000000000';

/** The arguments with which each subcommand is tried, in this order. */
const subcommands: [name: string, words: string, identity?: string][] = [
  ['playground', `--port 0 --data ${file('b')}`],
  ['completion', 'bash'],
  ['profile add', `trial --as carrier --data ${data}`],
  ['profile list', ''],
  ['profile use', 'trial'],
  ['profile remove', 'trial'],
  ['doctor', '', 'newcomer'],
  ['token create', '', 'carrier'],
  ['token doctor', `${file('token')} --data ${data}`],
  ['organisation list', '', 'authority'],
  [
    'organisation create',
    'NTRSE-1 --name Long-named-organisation-of-a-far-away-country',
    'authority',
  ],
  ['organisation view', newcomer, 'authority'],
  ['organisation update', `${newcomer} --name Newcomer`, 'authority'],
  ['organisation grant', `${newcomer} movement/entry`, 'authority'],
  ['organisation revoke', `${newcomer} movement/air`, 'authority'],
  ['organisation block', `${newcomer}`, 'authority'],
  ['organisation unblock', `${newcomer}`, 'authority'],
  ['organisation add-key', `${newcomer} ${file('key')} --client extra --kid 1`, 'authority'],
  ['authority generate', '--ens 2 --houses 4'],
  ['authority import', file('lines'), 'authority'],
  [
    'authority decide',
    '--document HC001 --type N740 --routing TO_CONTROL --location ON_ENTRY',
    'authority',
  ],
  ['present', 'house-consignment --document HC001 --type N740', 'carrier'],
  ['status list', '', 'carrier'],
  ['status view', '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01', 'carrier'],
  ['status follow', '--limit 1', 'carrier'],
  ['routing list', '', 'carrier'],
  ['routing follow', '--limit 1', 'carrier'],
  ['consignment list', '', 'authority'],
  ['consignment view', '--document HC001 --type N740', 'authority'],
  ['routing-run create', '--office NO351001 --routing TO_ENTRY --reason trial', 'authority'],
  ['routing-run list', '', 'authority'],
  ['routing-run view', run, 'authority'],
  ['routing-run results', run, 'authority'],
  ['routing-run pause', run, 'authority'],
  ['routing-run resume', run, 'authority'],
  ['routing-run confirm', run, 'authority'],
  ['routing-run give-up', run, 'authority'],
  ['routing-run reverse', `${run} --reason trial`, 'authority'],
  ['routing-profile create', `first ${file('profile')}`, 'authority'],
  ['routing-profile dry-run', 'first', 'authority'],
  ['routing-profile activate', 'first 1', 'authority'],
  ['routing-profile apply', '', 'authority'],
  ['routing-profile list', '', 'authority'],
  ['routing-profile deactivate', '', 'authority'],
  ['codelist import', `cl141 ${file('offices')}`, 'authority'],
  ['dataset generate', 'post-terminal --houses 40'],
  ['dataset view', file('dataset')],
  ['dataset list', '', 'authority'],
  [
    'scenario create',
    'refusal --code UNKNOWN_CODE --identity newcomer --operation presentHouseConsignment --times 9 --seconds 99',
    'authority',
  ],
  ['scenario list', '', 'authority'],
  ['scenario delete', '--all', 'authority'],
  ['feed generate', '--declarations 2'],
  ['feed validate', file('messages')],
  ['feed import', file('messages'), 'authority'],
  ['feed list', '', 'statistics'],
  ['feed follow', '--marker start --limit 3', 'statistics'],
  ['admin keys list', `--data ${data}`],
  ['admin keys rotate', `--data ${data}`],
];

/** What runs on the database of an installation. */
const productionSubcommands: typeof subcommands = [
  ['admin migrate', ''],
  ['admin bootstrap', `${newcomer} --scope authority/registry authority/routing`],
  ['serve', ''],
  ['admin audit verify', ''],
  ['admin audit export', `--to ${file('audit')}`],
];

/** What a server prints when it has started: then it is stopped with Ctrl-C. */
const started = new Map([
  ['playground', /Press Ctrl-C to stop/],
  ['serve', /^serving /m],
]);

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
    const output = async (line: string) => (await runCommand(line.split(' '))).stdout;
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const rules = [{ name: 'all others, whatever they are', routing: 'TO_ENTRY' }];
    const contents: Record<string, string | Buffer> = {
      token: await output(`token create --raw --data ${data}`),
      key: publicKey.export({ type: 'spki', format: 'pem' }),
      lines: await output('authority generate --ens 2 --houses 4'),
      messages: await output('feed generate --declarations 2'),
      profile: JSON.stringify({ salt: '1', rules }),
      dataset: await output('dataset generate post-terminal --houses 400'),
      offices: 'reference_number,name\nNO351001,Gardermoen\n',
    };
    for (const [name, text] of Object.entries(contents)) await writeFile(file(name), text);
  });
  after(() => playground.close());

  for (const [name, words, identity] of subcommands) {
    it(name, () => tryOut(name, wordsOf(name, words, identity)));
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
    it(name, () => tryOut(name, wordsOf(name, words, identity), environment));
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
  assertTried(shown.code, shown.output);
  for (const each of linesOnScreen(shown.output)) {
    assert.ok(!isTableLine(each) || displayWidth(each) <= COLUMNS, `wider than 80:\n${each}`);
  }

  const piped =
    start === undefined
      ? await runCommand(line, { environment })
      : await runUntil(start, line, environment);
  assertTried(piped.code, piped.stderr);
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

/** A second run may be refused, such as creating again; wrong usage and stack traces are errors of this test. */
function assertTried(code: number | null, output: string): void {
  assert.ok(code === 0 || code === 1, output);
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
