// Every script of this folder runs on little data: it ends without an error, and with figures for every row. A run of all tests
// draws a few of the scripts, and of the groups of rows.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { drawCases } from '../packages/contract/dist/testing/drawn-cases.js';
import { whyNoNats } from '../packages/service/dist/testing/own-nats.js';
import { whyNoOwnPostgresql } from '../packages/service/dist/testing/own-postgresql.js';
import { whyNoPostgresql } from '../packages/service/dist/testing/postgresql.js';
import { isInstalled } from '../scripts/require-programs.js';
import { PEERS, whyNoPeers } from './peers.js';
import { ROWS } from './rows.js';

const folder = fileURLToPath(new URL('.', import.meta.url));
const skip = (await whyNoPostgresql()) || whyNoOwnPostgresql() || (await whyNoNats());

/** What a script needs beside the databases. */
const skips = {
  'measure-restore.js':
    process.getuid?.() === 0 && isInstalled('pgbackrest')
      ? false
      : 'needs root and pgbackrest: apt-get install pgbackrest',
};

const few = ['--rounds', '1', '--seconds', '0.2', '--connections', '4'];
const growth = ['--millions', `0.01,0.0${2 + (process.pid % 7)}`, '--warm-up', '0.1', ...few];

/** Words of the rows of `run.js`: those of one group are compared with each other. */
const rowGroups = [
  'present:',
  'large presentation',
  'batch',
  'arrival,descendants',
  'status',
  'lodging',
  'routing page',
  'release',
  'token,exchange',
  'goods items',
  'push',
];

/** The options with which each script is run, one time after the other. */
const runs = {
  'capacity/capacity.js': [
    ['--houses', '1000', '--rounds', '1', '--seconds', '0.2', '--repeats', '50'],
  ],
  'client.js': [['--rounds', '1', '--presents', '20', '--signals', '200']],
  'command.js': [['--times', '1']],
  'growth.js': ['prepare', 'measure', 'pages', 'drop'].map((name) => [name, ...growth]),
  'import.js': [['--houses', '1000']],
  'large-declaration.js': [['--houses', '1000']],
  'measure-restore.js': [['--houses', '1000']],
  'parallel-tests/run.js': [['node:test', '--tests', '3', '--prepared', '1']],
  'playground.js': [['--times', '1']],
  'run.js': drawCases('groups of rows', rowGroups, 1).map((words) => [
    ...['--small', '--connections', '4'],
    ...['--only', words],
  ]),
  'standbys.js': [['--warm-up', '0.1', ...few]],
};

const scripts = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.js') && !/node_modules|\.test\.js$/.test(name))
  .filter((name) => readFileSync(join(folder, name), 'utf8').includes('parseArgs({'));

test('every script is run here, and ends what it has started', () => {
  assert.deepEqual(scripts.sort(), Object.keys(runs));
  for (const name of scripts.filter((each) => runs[each].length > 0)) {
    const [first] = readFileSync(join(folder, name), 'utf8').split('\n').filter(isImport);
    assert.match(first, /^import '.*\/scripts\/end-with-script.js';$/, name);
  }
});

test('every request of a script ends it when it fails', () => {
  const others = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.js') && !/node_modules|\.test\.js$|^send\.js$/.test(name));
  for (const name of others) {
    assert.doesNotMatch(
      readFileSync(join(folder, name), 'utf8'),
      /\bfetch\(/,
      `${name}: use send.js`,
    );
  }
});

test('every row is of a group', () => {
  for (const name of Object.keys(ROWS)) {
    const groups = rowGroups.filter((words) =>
      words.split(',').some((word) => name.includes(word)),
    );
    assert.equal(groups.length, 1, name);
  }
});

const others = Object.keys(runs).filter((name) => name !== 'run.js');
for (const name of ['run.js', ...drawCases('scripts of the bench', others, 2)]) {
  for (const options of runs[name]) {
    test(`${name} ${options.join(' ')}`, { skip: skip || skips[name] }, async (t) => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        ...process.execArgv,
        join(folder, name),
        ...options,
      ]);
      assert.doesNotMatch(stdout, /NaN|Infinity|undefined/);
      if (name !== 'run.js') return;
      checkTable(stdout);
      if (!options.includes('present:')) return;
      const why = whyNoPeers();
      if (why === undefined) for (const row of Object.keys(PEERS)) assert.ok(stdout.includes(row));
      else t.diagnostic(`without the rows of libraries, which are ${why}`);
    });
  }
}

/** Each row has a rate, a ratio unless there is nothing to compare with, and has lost nothing. */
function checkTable(report) {
  const rows = report.split('\n').filter((line) => /^\| [^|]/.test(line));
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  for (const [, name, perSecond, ratio, , , , , , , , lost] of cells) {
    assert.ok(Number(perSecond) > 0, name);
    assert.match(ratio, name.includes(', live: ') ? /^$/ : /^\d+\.\d\d$/, name);
    assert.match(
      lost,
      name.startsWith('present') && !name.includes('node:http') ? /^0$/ : /^$/,
      name,
    );
  }
}

const isImport = (line) => line.startsWith('import ');
