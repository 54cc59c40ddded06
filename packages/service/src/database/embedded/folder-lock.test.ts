// Who opens a folder that another process holds is refused soon, whatever that process does.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockFolder } from './folder-lock.js';

test('a folder whose holder does not respond is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-lock-'));
  const silent = createServer(() => undefined).listen(join(folder, 'lock'));
  await once(silent, 'listening');
  try {
    await assert.rejects(lockFolder(folder), {
      code: 'FOLDER_IN_USE',
      message: `${folder} is already open in a process that does not respond`,
    });
  } finally {
    silent.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a folder that is held is refused with the process, and free when it is released', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-lock-'));
  try {
    const lock = await lockFolder(folder);
    await assert.rejects(lockFolder(folder), {
      message: `${folder} is already open in process ${process.pid}`,
    });
    await lock.release();
    await (await lockFolder(folder)).release();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
