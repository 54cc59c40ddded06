// The day of a very small airport; `npm run faults -- --only airport` runs it at full size.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startIdentityProvider } from '../bench/goods.js';
import { findPort } from '../packages/playground/dist/find-port.js';
import { openPostgresql } from '../packages/service/dist/database/postgresql.js';
import { testDatabases } from '../packages/service/dist/testing/databases.js';
import { createMigratedPostgresql } from '../packages/service/dist/testing/migrated-postgresql.js';
import { playAirportDay } from './airport-day.js';

const [, { skip } = { skip: false }] = await testDatabases();

test('decided before, during and after presentation on two servers, every connected organisation has exactly its signals', {
  skip,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-airport-'));
  const { url, drop } = await createMigratedPostgresql();
  const database = openPostgresql(url);
  const provider = await startIdentityProvider();
  const lines = [];
  try {
    const broken = await playAirportDay({
      url,
      database,
      provider,
      folder,
      ports: [await findPort('127.0.0.1', 0), await findPort('127.0.0.1', 0)],
      size: { declarations: 22, houses: 30 },
      report: (line) => lines.push(line),
    });
    assert.deepEqual(broken, [], lines.join('\n'));
  } finally {
    provider.stop();
    await database.close();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  }
});
