// The file of lines that failed is written beside its place, by any number of runs.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTemporaryFolder } from '../../testing/temporary-folder.js';
import { FailedFile } from './failed-file.js';

test('two runs, in containers in which both have one process id, do not write one file', async () => {
  const folder = await makeTemporaryFolder();
  const path = join(folder, 'failed.csv');
  const form = { form: 'csv', delimiter: ',' } as const;
  const files = [1, 2].map(() => new FailedFile(path, 'container', form));
  const presentation = { customsOfficeOfPresentation: 'NO351001', containerId: 'JARU0000010' };
  for (const file of files) file.addRefused(presentation, 'refused');
  for (const file of files) assert.deepEqual(file.close(), { lines: 1, isEarlier: false });
  assert.deepEqual(readdirSync(folder), ['failed.csv']);
  assert.match(readFileSync(path, 'utf8'), /^.*\n.*JARU0000010.*\n$/);
});
