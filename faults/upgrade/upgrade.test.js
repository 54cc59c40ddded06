// This release runs beside the one before it, during the migration and after it.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { whyNoNats } from '../../packages/service/dist/testing/own-nats.js';
import {
  createPostgresql,
  whyNoPostgresql,
} from '../../packages/service/dist/testing/postgresql.js';
import { whyNoPreviousRelease } from './previous-release.js';
import { upgrade } from './upgrade.js';

const skip = (await whyNoPostgresql()) || (await whyNoNats()) || whyNoPreviousRelease();

test('servers of two releases share a database while it is migrated, and every promise is kept', {
  skip,
}, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-upgrade-'));
  const { url, drop } = await createPostgresql();
  context.after(async () => {
    await drop();
    rmSync(folder, { recursive: true });
  });
  assert.deepEqual(await upgrade({ folder, url, report: (line) => context.diagnostic(line) }), []);
});
