// The embedded database where the disk is full or its files are damaged: a sentence that says what to do, and an end.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { migrate } from '../migrate.js';
import { BrokenDatabaseError } from './broken-database.js';
import { openEmbedded } from './embedded.js';
import { makeCluster, unpackSnapshot } from './make-cluster.js';

const statement = (text: string, values: readonly unknown[] = []) => ({ name: '', text, values });

/** One sentence for people: no stack, no second line. */
const isOneLine = (pattern: RegExp) => (error: unknown) => {
  assert(error instanceof BrokenDatabaseError, String(error));
  assert.match(error.message, pattern);
  assert.doesNotMatch(error.message, /\n/);
  return true;
};

describe('damaged files', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-damaged-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test('of a database are reported in one sentence, at each start, and nothing is changed', async () => {
    const database = await openEmbedded(folder);
    await database.close();
    await writeFile(join(folder, 'database', 'global', 'pg_control'), 'damaged');
    for (let time = 0; time < 2; time++) {
      await assert.rejects(
        openEmbedded(folder),
        isOneLine(/database cannot be opened: .* delete it to begin anew$/),
      );
    }
  });

  test('of the snapshot that new databases are made from are reported in one sentence', async () => {
    const snapshot = join(folder, 'fresh-cluster.snapshot');
    await writeFile(snapshot, 'damaged');
    await assert.rejects(
      unpackSnapshot(pathToFileURL(snapshot), folder),
      isOneLine(/is damaged: install Landfall again$/),
    );
  });

  test('a database that cannot be made leaves nothing behind', async () => {
    const other = join(folder, 'other');
    await mkdir(other);
    const cluster = join(other, 'database');
    await writeFile(cluster, 'in the way');
    // Where the folder is to be is a file: renaming fails after everything was unpacked.
    await assert.rejects(makeCluster(cluster, async () => undefined));
    assert.deepEqual(await readdir(other), ['database']);
  });
});

const disk = await mountSmallDisk();

describe('a full disk', { skip: disk.skip }, () => {
  after(() => disk.unmount());

  test('at the first start is reported in one sentence, leaves nothing behind, and a start with space works', async () => {
    const folder = join(disk.path, 'first');
    const fill = fillDisk(5e6);
    for (let time = 0; time < 2; time++) {
      await assert.rejects(openEmbedded(folder), isOneLine(/ENOSPC.*free some space/));
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.startsWith('database')),
        [],
      );
    }
    await fill.remove();
    const database = await openEmbedded(folder);
    await database.close();
    await rm(folder, { recursive: true });
  });

  test('while running makes writes unavailable without a busy loop, and writes succeed again once there is space', async () => {
    const folder = join(disk.path, 'running');
    const database = await openEmbedded(folder);
    await migrate(database);
    await database.commit([statement('create table note (number integer)')]);
    const fill = fillDisk(0);
    // Messages in the write-ahead log alone: it is full at the moment of a commit, where a server would stop.
    const write = () =>
      database.commit([
        statement(`insert into note values (1)`),
        statement(`select pg_logical_emit_message(true, 'x', repeat('y', 1000000))`),
      ]);
    let written = 0;
    while (
      await write().then(
        () => true,
        () => false,
      )
    )
      written++;
    const before = process.cpuUsage();
    for (let time = 0; time < 20; time++) {
      await write().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const { user, system } = process.cpuUsage(before);
    assert.ok((user + system) / 1e6 < 4, `${(user + system) / 1e6} s of processor in 5 s`);
    await fill.remove();
    const again = await retryUntilSuccess(() =>
      database.query<{ notes: number }>(statement('select count(*)::integer as notes from note')),
    );
    assert.ok((again[0]?.notes ?? 0) >= written, 'what was acknowledged is there');
    await retryUntilSuccess(write);
    await database.close();
  });

  test('does not keep it from closing', async () => {
    const folder = join(disk.path, 'closing');
    await rm(join(disk.path, 'running'), { recursive: true });
    const database = await openEmbedded(folder);
    await database.commit([statement('create table note (number integer)')]);
    fillDisk(0);
    const write = () =>
      database.commit([
        statement(`select pg_logical_emit_message(true, 'x', repeat('y', 1000000))`),
      ]);
    while (
      await write().then(
        () => true,
        () => false,
      )
    );
    await database.close();
  });
});

async function retryUntilSuccess<Result>(run: () => Promise<Result>): Promise<Result> {
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** A file that takes all space but so many bytes. */
function fillDisk(left: number): { remove(): Promise<void> } {
  const path = join(disk.path, 'fill');
  const file = openSync(path, 'w');
  let size = 0;
  for (const block of [1 << 20, 4096]) {
    try {
      for (;;) size += writeSync(file, Buffer.alloc(block), 0, block, size);
    } catch {
      // Full to within a block.
    }
  }
  if (left > 0) ftruncateSync(file, size - left);
  closeSync(file);
  return { remove: () => rm(path) };
}

/** A file system of 150 MB in memory; only root may mount one. */
async function mountSmallDisk() {
  const path = await mkdtemp(join(tmpdir(), 'landfall-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=150m', 'tmpfs', path], { stdio: 'ignore' });
    const unmount = async () => {
      execFileSync('umount', ['-l', path]);
      await rm(path, { recursive: true });
    };
    return { path, skip: false as const, unmount };
  } catch {
    await rm(path, { recursive: true });
    const skip = 'a small disk cannot be mounted: run this test as root on Linux';
    return { path, skip, unmount: async () => undefined };
  }
}
