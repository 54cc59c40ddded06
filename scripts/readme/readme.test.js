// The commands of a document are extracted, run and compared as CONTRIBUTING.md describes.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findPort } from '../../packages/playground/dist/find-port.js';
import { extractCommands } from './extract-commands.js';
import { findMismatch } from './match-output.js';
import { ShellSession } from './shell-session.js';

const sample = readFileSync(new URL('./sample.md', import.meta.url), 'utf8');

test('finds each command with its marks and the output shown after it', () => {
  assert.deepEqual(
    extractCommands(sample).map(({ text, notRun, readyAt, output }) => ({
      text,
      notRun,
      readyAt,
      output,
    })),
    [
      {
        text: 'git clone ...',
        notRun: 'a clone is what is tested',
        readyAt: undefined,
        output: undefined,
      },
      { text: 'export PLACE=quay', notRun: undefined, readyAt: undefined, output: undefined },
      {
        text: 'node server.js',
        notRun: undefined,
        readyAt: 'http://localhost:9/ready',
        output: undefined,
      },
      { text: 'echo "the $PLACE"', notRun: undefined, readyAt: undefined, output: 'the quay' },
      {
        text: 'npm run hidden',
        notRun: undefined,
        readyAt: 'http://localhost:9/',
        output: undefined,
      },
    ],
  );
});

test('a mark without a command and an open block are reported', () => {
  assert.throws(() => extractCommands('<!-- not run: why -->\n'), /a mark after the last block/);
  assert.throws(
    () => extractCommands('<!-- not run: why -->\n```json\n{}\n```\n'),
    /belongs to a sh/,
  );
  assert.throws(() => extractCommands('text\n```sh\nls\n'), /line 2: the block has no end/);
});

test('output is compared line by line, except for parts that change from run to run', () => {
  const id = '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01';
  const other = '00000000-0000-4000-8000-000000000000';
  assert.equal(
    findMismatch(`id ${id} at 2026-01-01T00:00:00.000Z`, `id ${other} at 2027-02-03T04:05:06Z\n`),
    undefined,
  );
  assert.equal(findMismatch('at 2026-01-01 00:00:00Z', 'at 2027-02-03 04:05:06Z\n'), undefined);
  assert.equal(findMismatch('token eyJ...', 'token eyJhbGciOi\n'), undefined);
  assert.equal(findMismatch('first\n...\nlast', 'first\n1\n2\nlast\n'), undefined);
  assert.equal(findMismatch('first\n...', 'first\n1\n2\n'), undefined);
  assert.match(findMismatch('a.c', 'abc') ?? '', /shown: {3}a\.c\nprinted: abc/);
  assert.match(findMismatch('one', 'one\ntwo') ?? '', /not shown, but printed: two/);
  assert.match(findMismatch('one\ntwo', 'one') ?? '', /nothing more/);
  assert.match(findMismatch('...\nlast', 'first') ?? '', /shown: {3}last/);
});

test('commands share one shell, and the first failure is reported', async () => {
  const session = new ShellSession(tmpdir());
  after(() => session.close());
  assert.deepEqual(await session.run('export PLACE=quay'), { succeeded: true, output: '' });
  assert.deepEqual(await session.run('echo "the $PLACE"'), {
    succeeded: true,
    output: 'the quay\n',
  });
  assert.deepEqual(await session.run('echo before\nfalse | cat\necho after'), {
    succeeded: false,
    output: 'before\n',
  });
});

test('npx runs the first command with a program, and the next ones run what it found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-npx-'));
  const programs = join(folder, 'node_modules', '.bin');
  mkdirSync(programs, { recursive: true });
  // Only npm sets this variable.
  const print = '#!/bin/sh\necho "$npm_command: $# $1"\nexit 3\n';
  writeFileSync(join(programs, 'print'), print, { mode: 0o755 });
  const session = new ShellSession(folder, { npm_command: '' });
  after(async () => {
    await session.close();
    rmSync(folder, { recursive: true });
  });
  const run = 'npx print "two words" || echo "status $?"';
  assert.equal((await session.run(run)).output, 'exec: 1 two words\nstatus 3\n');
  assert.equal((await session.run(run)).output, ': 1 two words\nstatus 3\n');
});

test('a command in the background is ready when its address responds, and ends with the shell', async () => {
  const port = await findPort('127.0.0.1', 0);
  const address = `http://127.0.0.1:${port}/`;
  const session = new ShellSession(tmpdir());
  const started = await session.start(
    `node -e "require('http').createServer((_, r) => r.end()).listen(${port})"`,
    address,
  );
  assert.equal(started.succeeded, true);
  const second = new ShellSession(tmpdir());
  assert.match((await second.start('true', address)).output, /another process already responds/);
  await second.close();
  await session.close();
  await assert.rejects(fetch(address));
});
