// The file of lines that failed is written beside its place, by one run at a time, and replaces what is there at a whole end only.
import assert from 'node:assert/strict';
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';
import { FailedFile } from './failed-file.js';

const form = { form: 'csv', delimiter: ',' } as const;
const presentation = { customsOfficeOfPresentation: 'NO351001', containerId: 'JARU0000010' };

test('two runs, in containers in which both have one process id, do not write one file', async () => {
  const folder = await makeTemporaryFolder();
  const path = join(folder, 'failed.csv');
  const first = await FailedFile.open(path, form, ['containerId', 'error']);
  await assert.rejects(
    FailedFile.open(path, form, ['containerId', 'error']),
    /failed\.csv is in use/,
  );
  first.addRefused(presentation, new Map([['containerId', presentation.containerId]]), 'refused');
  assert.deepEqual(first.close(true), { lines: 1, file: path, isEarlier: false });
  assert.deepEqual(readdirSync(folder), ['failed.csv']);
  assert.match(readFileSync(path, 'utf8'), /^.*\n.*JARU0000010.*\n$/);
});

test('a run that ends before its end leaves what is there, and what a run left that was killed goes', async () => {
  const folder = await makeTemporaryFolder();
  const path = join(folder, 'failed.csv');
  const partial = `${path}.partial`;
  writeFileSync(path, 'corrected by hand');
  writeFileSync(partial, 'left by a run that was killed');
  const stopped = await FailedFile.open(path, form, ['containerId', 'error']);
  stopped.addRefused(presentation, new Map([['containerId', presentation.containerId]]), 'refused');
  assert.deepEqual(stopped.close(false), { lines: 1, file: partial, isEarlier: true });
  assert.equal(readFileSync(path, 'utf8'), 'corrected by hand');
  assert.match(readFileSync(partial, 'utf8'), /^containerId.*\nJARU0000010.*\n$/);
  const next = await FailedFile.open(path, form, ['containerId', 'error']);
  assert.deepEqual(next.close(true), { lines: 0, file: path, isEarlier: true });
  assert.deepEqual(readdirSync(folder), ['failed.csv']);
});

test('of a symbolic link, the file is replaced that it leads to', async () => {
  const folder = await makeTemporaryFolder();
  const link = join(folder, 'link.csv');
  writeFileSync(join(folder, 'file.csv'), 'earlier');
  symlinkSync('file.csv', link);
  const failed = await FailedFile.open(link, form, ['containerId', 'error']);
  failed.addRefused(presentation, new Map([['containerId', presentation.containerId]]), 'refused');
  failed.close(true);
  assert(lstatSync(link).isSymbolicLink());
  assert.match(readFileSync(join(folder, 'file.csv'), 'utf8'), /JARU0000010/);
});
