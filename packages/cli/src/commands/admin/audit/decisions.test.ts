// `landfall admin audit decisions` on PostgreSQL: a file with a last line, which is never overwritten.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  createPostgresql,
  type TestPostgresql,
  whyNoPostgresql,
} from '../../../testing/postgresql.js';
import { runLandfall } from '../../../testing/run-landfall.js';

describe('admin audit decisions', { skip: await whyNoPostgresql() }, () => {
  let database: TestPostgresql;
  let folder: string;
  const landfall = (...words: string[]) =>
    runLandfall(['admin', ...words], { environment: { DATABASE_URL: database.url } });
  before(async () => {
    database = await createPostgresql();
    folder = await mkdtemp(join(tmpdir(), 'landfall-decisions-'));
    await landfall('migrate');
  });
  after(async () => {
    await database?.drop();
    if (folder) await rm(folder, { recursive: true });
  });

  it('writes a summary as the last line, and refuses a file that exists and a wrong date', async () => {
    const file = join(folder, 'decisions.ndjson');
    const words = ['audit', 'decisions', '--from', '2026-01-01', '--to', file];
    const { code, stdout, stderr } = await landfall(...words);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Exported: 0 decisions, 0 of them without a record/);
    const { summary } = JSON.parse(await readFile(file, 'utf8'));
    assert.equal(summary.decisions, 0);
    const again = await landfall(...words);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /exists: nothing was changed/);
    const wrong = await landfall('audit', 'decisions', '--from', '1.1.2026', '--to', `${file}2`);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /--from must be a date/);
  });
});
