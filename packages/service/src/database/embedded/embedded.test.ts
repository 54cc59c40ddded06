// The embedded database beside the HTTP thread, in its folder, and after it was closed.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { TestPlayground } from '../../testing/playground-client.js';
import type { Database } from '../database.js';
import { migrate } from '../migrate.js';
import { openEmbedded, openInMemory } from './embedded.js';
import { FolderInUseError } from './folder-lock.js';

const statement = (text: string, values: readonly unknown[] = []) => ({ name: '', text, values });

describe('the embedded database', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-embedded-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test('keeps what was committed when it is closed and opened again', async () => {
    const first = await openEmbedded(folder);
    await migrate(first);
    await first.query(statement(`insert into organisation (identifier) values ('0192:1')`));
    await first.close();
    const second = await openEmbedded(folder);
    assert.deepEqual(await migrate(second), []);
    const rows = await second.query(statement('select identifier from organisation'));
    assert.deepEqual(rows, [{ identifier: '0192:1' }]);
    await second.close();
  });

  test('is in one process at a time, and says in which', async () => {
    const first = await openEmbedded(folder);
    await assert.rejects(openEmbedded(folder), (error) => {
      assert(error instanceof FolderInUseError);
      assert.match(error.message, new RegExp(`process ${process.pid}$`));
      return true;
    });
    await first.close();
    const again = await openEmbedded(folder);
    await again.close();
  });

  test('reports its progress when it makes a new cluster', async () => {
    const reported: string[] = [];
    const database = await openEmbedded(join(folder, 'new'), (progress) => reported.push(progress));
    await database.close();
    assert.deepEqual(reported, ['making a new database']);
  });
});

test('a slow query never holds up /livez', async () => {
  const database: Database = await openInMemory();
  const playground = await TestPlayground.start(database);
  let slowEnded = false;
  const slow = database.query(statement('select pg_sleep(3)')).then(() => {
    slowEnded = true;
  });
  for (let time = 0; time < 20; time++) {
    const response = await playground.call('/livez');
    assert.equal(response.status, 200);
  }
  assert.equal(slowEnded, false, 'twenty responses came while the query ran');
  await slow;
  await playground.close();
});
