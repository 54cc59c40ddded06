// A few episodes of the model; `npm run faults -- --only record` runs it for as long as one likes.
import '../../scripts/end-with-script.js';
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { testDatabases } from '../../packages/service/dist/testing/databases.js';
import { createMigratedPostgresql } from '../../packages/service/dist/testing/migrated-postgresql.js';
import { checkRecordOn } from './record.js';

const [, { skip } = { skip: false }] = await testDatabases();

/** Episodes begin until this time has passed, in milliseconds: at least one of each kind. */
const DURATION_MS = 10_000;

/** The operations of an episode. */
const OPERATIONS = 20;

test('what two servers say of the record is what the model says', { skip }, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-record-'));
  const { url, drop } = await createMigratedPostgresql();
  try {
    const broken = await checkRecordOn({
      databaseUrl: url,
      isMigrated: true,
      folder,
      durationMs: DURATION_MS,
      operations: OPERATIONS,
      seed: Number(process.env.RECORD_SEED ?? randomInt(1_000_000)),
      report: (line) => context.diagnostic(line),
    });
    assert.deepEqual(broken, []);
  } finally {
    await drop();
    rmSync(folder, { recursive: true, force: true });
  }
});
