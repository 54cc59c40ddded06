// `landfall admin audit export` and `verify --dir` on PostgreSQL: closed months become files, which are verified without a
// database, and are continued by what the database has.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  createPostgresql,
  type TestPostgresql,
  whyNoPostgresql,
} from '../../../testing/postgresql.js';
import { runLandfall } from '../../../testing/run-landfall.js';

/** The start of this month. */
const month = `date_trunc('month', now(), 'UTC')`;

/** Ends the last partition of a table at the start of this month, as a server that ran in that month has done. */
const closeMonth = (table: string) => `
  do $$ begin
    alter table ${table} detach partition ${table}_later;
    alter table ${table}_later rename to ${table}_first;
    execute format('alter table ${table} attach partition ${table}_first for values from (minvalue) to (%L)', ${month});
    create table ${table}_later (like ${table}_first including all);
    execute format('alter table ${table} attach partition ${table}_later for values from (%L) to (maxvalue)', ${month});
  end $$;`;

/** Records of chain 3 at a time. */
const addRecords = (from: number, to: number, at: string) => {
  const first = `{"action":"x","details":{"number":${from}}}`;
  return `
  insert into audit_record (chain, position, digest, entry, recorded_at)
  with recursive chain as (
    select ${from} as position, sha256(coalesce((select digest from audit_record where chain = 3 and position = ${from - 1}), '')
      || convert_to('${first}', 'UTF8')) as digest, '${first}' as entry
    union all
    select position + 1, sha256(digest || convert_to(text, 'UTF8')), text
    from chain, lateral (select '{"action":"x","details":{"number":' || position + 1 || '}}' as text) next
    where position < ${to}
  )
  select 3, position, digest, entry, ${at} from chain;
  update audit_chain_end e set position = r.position, digest = r.digest
  from (select * from audit_record where chain = 3 order by position desc limit 1) r where e.chain = 3;`;
};

describe('audit export', { skip: await whyNoPostgresql() }, () => {
  let database: TestPostgresql;
  let folder: string;
  const landfall = (...words: string[]) =>
    runLandfall(words, { environment: { DATABASE_URL: database.url } });
  const withoutDatabase = (...words: string[]) =>
    runLandfall(words, { environment: { DATABASE_URL: 'postgresql://127.0.0.1:1/none' } });
  before(async () => {
    database = await createPostgresql();
    folder = await mkdtemp(join(tmpdir(), 'landfall-audit-'));
    await landfall('admin', 'migrate');
  });
  after(async () => {
    await database?.drop();
    if (folder) await rm(folder, { recursive: true });
  });

  it('says that there is no closed month', async () => {
    const { code, stdout } = await landfall('admin', 'audit', 'export', '--to', folder);
    assert.deepEqual([code, stdout], [0, 'There is no closed month to export.\n']);
  });

  it('writes the closed month, and the month after it only when it is closed', async () => {
    for (const table of ['audit_record', 'consignment_event', 'feed_access']) {
      await database.run(closeMonth(table));
    }
    await database.run(addRecords(1, 40, `${month} - interval '1 day'`));
    await database.run(addRecords(41, 50, 'now()'));
    await database.run(
      `update removal_time set time = now() - interval '400 days', read_at = now()`,
    );
    const withheld = await landfall('admin', 'audit', 'export', '--to', folder);
    assert.deepEqual(
      [withheld.code, withheld.stdout],
      [0, 'There is no closed month to export.\n'],
    );
    assert.match(withheld.stderr, /^1 closed month is not exported yet: the clock .* jumped/m);
    await database.run('update removal_time set time = now(), read_at = now()');
    const { code, stdout, stderr } = await landfall('admin', 'audit', 'export', '--to', folder);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^\S+\.ndjson\.gz: 40 records, exported and verified$/m);
    assert.equal(stdout, `Exported and verified: 1 month in ${folder}.\n`);
    const again = await landfall('admin', 'audit', 'export', '--to', folder);
    assert.match(again.stderr, /40 records, was exported before and verified/);
  });

  it('is verified without a database', async () => {
    const { code, stdout, stderr } = await withoutDatabase(
      'admin',
      'audit',
      'verify',
      '--dir',
      folder,
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /\b40 records\b/);
  });

  it('is continued by the database', async () => {
    const { code, stdout } = await landfall(
      'admin',
      'audit',
      'verify',
      '--dir',
      folder,
      '--join',
      '--json',
    );
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).intact, true);
    await database.run('delete from audit_record where position between 41 and 45');
    const gap = await landfall('admin', 'audit', 'verify', '--dir', folder, '--join');
    assert.equal(gap.code, 1);
    assert.match(gap.stderr, /^error: the audit trail is broken at chain 3, position 4\d: /m);
  });

  it('is broken when a file was changed, or is missing', async () => {
    const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.gz'));
    await writeFile(join(folder, file), 'x');
    const changed = await withoutDatabase('admin', 'audit', 'verify', '--dir', folder);
    assert.equal(changed.code, 1);
    assert.match(changed.stderr, new RegExp(`^error: .*${file}`, 'm'));
    const missing = await withoutDatabase('admin', 'audit', 'verify', '--dir', join(folder, 'no'));
    assert.equal(missing.code, 1);
    assert.doesNotMatch(missing.stderr, /\n\s+at /);
  });

  it('refuses a date that is none, and --join without --dir', async () => {
    const date = await landfall('admin', 'audit', 'export', '--to', folder, '--before', 'May');
    assert.equal(date.code, 2);
    assert.match(date.stderr, /--before must be a date such as 2027-01-01, not May/);
    const join = await landfall('admin', 'audit', 'verify', '--join');
    assert.equal(join.code, 2);
    assert.match(join.stderr, /--join needs --dir/);
  });
});
