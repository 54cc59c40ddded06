// Files that are read at the start and are no files: a FIFO without a writer would be waited for without end.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { UnreadableKeyFileError } from '../access/signing-keys/key-file.js';
import { openKeyRing } from '../access/signing-keys/key-ring.js';
import { readSecret } from './read-secret.js';

const skip = process.platform === 'win32' && 'Windows has no such files';

describe('special files', { skip }, () => {
  let folder: string;
  const socket = createServer();
  const kinds = ['fifo', 'folder', 'socket', 'device', 'link'];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-special-'));
    const path = (kind: string) => join(folder, kind);
    execFileSync('mkfifo', ['-m', '600', path('fifo')]);
    await mkdir(path('folder'), { mode: 0o700 });
    await symlink('/dev/zero', path('device'));
    await symlink(path('fifo'), path('link'));
    await new Promise<void>((resolve) => socket.listen(path('socket'), resolve));
  });
  after(async () => {
    await new Promise((resolve) => socket.close(resolve));
    await rm(folder, { recursive: true });
  });

  for (const kind of kinds) {
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
