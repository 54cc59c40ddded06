// The rule of expand and contract, in CONTRIBUTING.md: what a migration may do while servers of the previous release run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readMigrations } from './migration-files.js';
import { compareVersions, previousVersion } from './releases.js';

/** What servers of the previous release would not survive, each as a pattern of a statement on an existing table. */
const REFUSED: readonly [string, RegExp][] = [
  ['drops what servers may use', /^drop (table|view|materialized view|function|sequence|type) /],
  ['drops a column', /^alter table .* drop (?!constraint |not null|default|expression|identity)/],
  [
    'renames what servers use',
    /^alter (table|view|function|sequence|type) .* rename (?!constraint )/,
  ],
  ['changes the type of a column', /^alter table .* alter (column )?\w+ (set data )?type /],
  ['forbids null', /^alter table .* set not null/],
  [
    'adds a column that is not null and has no default',
    /^alter table .* add (column )?(?![^,]* default )[^,]* not null/,
  ],
];

/** What a migration does that is for a later release; nothing if the head says that the previous one does not use it. */
function findRefused(script: string): string[] {
  const [, unusedSince] = /^-- unused since: (\S+)$/m.exec(script) ?? [];
  if (unusedSince !== undefined && compareVersions(unusedSince, previousVersion) <= 0) return [];
  const statements = script
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase());
  const created = statements.flatMap(
    (each) => /^create (?:or replace )?(?:table|view) (\w+)/.exec(each)?.[1] ?? [],
  );
  return statements
    .filter((each) => !created.includes(/^alter table (?:only )?(\w+)/.exec(each)?.[1] ?? ''))
    .flatMap((each) =>
      REFUSED.filter(([, pattern]) => pattern.test(each)).map(([what]) => `${what}: ${each}`),
    );
}

const { commit } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).previousRelease;

/** A file or folder of the service at the previous release. */
function showPrevious(path: string): string {
  return execFileSync('git', ['show', `${commit}:packages/service/${path}`], {
    cwd: new URL('../..', import.meta.url),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function whyNoPrevious(): string | false {
  try {
    showPrevious('package.json');
    return false;
  } catch {
    return `the commit ${commit} of the previous release is not here: clone the repository with Git, whole`;
  }
}

test('migrations of the previous release are not changed and not removed', {
  skip: whyNoPrevious(),
}, async () => {
  const scripts = new Map((await readMigrations()).map(({ name, script }) => [name, script]));
  const names = showPrevious('migrations/')
    .split('\n')
    .filter((name) => name.endsWith('.sql'));
  assert.ok(names.length > 0);
  for (const name of names) {
    assert.equal(scripts.get(name), showPrevious(`migrations/${name}`), name);
  }
});

test('migrations leave the previous release what it uses', async () => {
  for (const { name, script } of await readMigrations()) {
    assert.deepEqual(findRefused(script), [], name);
  }
});

test('what is for a later release is recognised', () => {
  for (const script of [
    'drop table note',
    'DROP VIEW note; select 1',
    'drop function f(integer)',
    'alter table note drop column text',
    'alter table note\n  add column a integer,\n  drop text',
    'alter table note rename column text to words',
    'alter table note rename to remark',
    'alter table note alter column text type integer',
    'alter table note alter text set data type integer',
    'alter table note alter column text set not null',
    'alter table note add column text text not null',
    'alter table note add column a integer default 0, add column text text not null',
    'create table other (); alter table note add text text not null',
    '-- unused since: 99.0.0\ndrop table note',
  ]) {
    assert.equal(findRefused(`-- locks: note\n${script};\n`).length, 1, script);
  }
});

test('what the previous release does not notice is allowed', () => {
  for (const script of [
    'create table note (text text not null)',
    'alter table note add column text text',
    `alter table note add column text text not null default ''`,
    'alter table note drop constraint note_check',
    'alter table note alter column text drop not null',
    'drop index note_text',
    'create function f() returns void language plpgsql as $$ begin drop table note; end $$',
    '-- The next release may drop table note;\nselect 1',
    // Another relation takes the name in the same transaction.
    'alter table note rename to note_later; create table note (like note_later) partition by range (at)',
    `-- unused since: ${previousVersion}\ndrop table note`,
  ]) {
    assert.deepEqual(findRefused(`-- locks: note\n${script};\n`), [], script);
  }
});
