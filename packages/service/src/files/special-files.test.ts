// What a secret may be; and files that are read at the start and are no files: a FIFO without a writer would be waited for without end.
import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { UnreadableKeyFileError } from '../access/signing-keys/key-file.js';
import { openKeyRing } from '../access/signing-keys/key-ring.js';
import {
  makeSpecialFiles,
  type SpecialFiles,
  specialFileKinds,
  whyNoSpecialFiles,
} from '../testing/special-files.js';
import { readSecret } from './read-secret.js';

describe('a secret', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-secret-'));
  });
  after(() => rm(folder, { recursive: true }));
  const read = async (content: string) => {
    await writeFile(join(folder, 'file'), content, { mode: 0o600 });
    return readSecret('SECRET', '', join(folder, 'file'));
  };

  test('has a maximum length, and of a larger file no more is read', async () => {
    const rule = /must not be longer than 65536 bytes$/;
    assert.equal((await read('s'.repeat(65_536)))?.length, 65_536);
    await assert.rejects(read('s'.repeat(65_537)), rule);
    await assert.rejects(read('\0'.repeat(20_000_000)), rule);
    await assert.rejects(readSecret('SECRET', 's'.repeat(65_537), ''), rule);
  });

  test('has no control characters', async () => {
    await assert.rejects(read('\0'.repeat(40)), {
      message:
        'the file in SECRET_FILE must not contain control characters except line breaks and tabs',
    });
    assert.equal(await read('of two\nlines\n'), 'of two\nlines');
  });
});

describe('special files', { skip: whyNoSpecialFiles }, () => {
  let files: SpecialFiles;
  let folder: string;
  before(async () => {
    files = await makeSpecialFiles();
    folder = files.folder;
  });
  after(() => files.remove());

  for (const kind of specialFileKinds) {
    test(`a ${kind} is no secret`, { timeout: 10_000 }, async () => {
      await assert.rejects(readSecret('SECRET', '', join(folder, kind)), {
        name: 'SecretError',
        message: `the file in SECRET_FILE cannot be read: ${join(folder, kind)} (it is not a regular file)`,
      });
    });

    test(`a ${kind} has no keys`, { timeout: 10_000 }, async () => {
      const keys = await mkdtemp(join(folder, 'keys-'));
      await symlink(join(folder, kind), join(keys, 'customs-token.json'));
      await assert.rejects(
        openKeyRing({ folder: keys }, 'customs-token', () => new Date()),
        (error) =>
          error instanceof UnreadableKeyFileError &&
          /customs-token\.json .*is not a regular file/.test(`${error}`),
      );
    });
  }

  test('a link to a file is that file', async () => {
    await writeFile(join(folder, 'file'), 'hidden\n', { mode: 0o600 });
    await symlink(join(folder, 'file'), join(folder, 'link-to-file'));
    assert.equal(await readSecret('SECRET', '', join(folder, 'link-to-file')), 'hidden');
  });
});
