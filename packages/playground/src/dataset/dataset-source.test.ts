// Where a dataset comes from: a name, or a file that is one.
import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  makeSpecialFiles,
  type SpecialFiles,
  specialFileKinds,
  whyNoSpecialFiles,
} from '../../../service/dist/testing/special-files.js';
import { UnreadableDatasetError } from './dataset-error.js';
import { openDataset } from './dataset-source.js';

describe('a dataset in a file', { skip: whyNoSpecialFiles }, () => {
  let files: SpecialFiles;
  before(async () => {
    files = await makeSpecialFiles();
  });
  after(() => files.remove());

  for (const kind of specialFileKinds) {
    test(`is no ${kind}`, { timeout: 10_000 }, async () => {
      const file = join(files.folder, kind);
      const dataset = openDataset(file);
      await assert.rejects(dataset.checkReadable(), (error) => {
        assert(error instanceof UnreadableDatasetError);
        assert.match(error.message, new RegExp(`${kind} is not a regular file`));
        return true;
      });
      await assert.rejects(async () => {
        for await (const bytes of dataset.read()) assert.fail(`${bytes.length} bytes`);
      }, /is not a regular file/);
    });
  }

  test('may be a link to a file, and is read each time', async () => {
    const file = join(files.folder, 'lines');
    await writeFile(file, '{}\n');
    await symlink(file, join(files.folder, 'link-to-lines'));
    const dataset = openDataset(join(files.folder, 'link-to-lines'));
    await dataset.checkReadable();
    for (let time = 0; time < 2; time++) {
      const parts: Uint8Array[] = [];
      for await (const part of dataset.read()) parts.push(part);
      assert.equal(Buffer.concat(parts).toString(), '{}\n');
    }
  });
});
