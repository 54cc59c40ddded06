// `landfall admin audit verify` on PostgreSQL: reports the first break and exits with 1.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  createPostgresql,
  type TestPostgresql,
  whyNoPostgresql,
} from '../../../testing/postgresql.js';
import { runLandfall } from '../../../testing/run-landfall.js';

describe('audit verify', { skip: await whyNoPostgresql() }, () => {
  let database: TestPostgresql;
  const landfall = (...words: string[]) =>
    runLandfall(words, { environment: { DATABASE_URL: database.url } });
  before(async () => {
    database = await createPostgresql();
  });
  after(() => database?.drop());

  it('reports a database without migrations', async () => {
    const { code, stderr } = await landfall('admin', 'audit', 'verify');
    assert.equal(code, 1);
    assert.match(stderr, /^error: the database is of an older version: it lacks 0001\S+\n$/);
  });

  it('reports an empty audit trail', async () => {
    await landfall('admin', 'migrate');
    const { code, stdout } = await landfall('admin', 'audit', 'verify');
    assert.deepEqual([code, stdout], [0, 'The audit trail is empty.\n']);
  });

  it('reports the first break as text and JSON, and exits with 1', async () => {
    const entry = (number: number) => `{"action":"x","details":{"number":${number}}}`;
    await database.run(`
      insert into audit_record
      with recursive chain as (
        select 1 as position, sha256('${entry(1)}') as digest, '${entry(1)}' as entry
        union all
        select position + 1, sha256(digest || convert_to(text, 'UTF8')), text
        from chain, lateral (select '{"action":"x","details":{"number":' || position + 1 || '}}' as text) next
        where position < 250
      )
      select 7, * from chain;
      update audit_chain_end e set position = r.position, digest = r.digest
      from (select * from audit_record where chain = 7 order by position desc limit 1) r where e.chain = 7`);
    assert.match(
      (await landfall('admin', 'audit', 'verify')).stdout,
      /intact: 250 records in 1 chain\b/,
    );
    await database.run(
      `update audit_record set entry = replace(entry, '117', '118') where position = 117`,
    );
    const broken = await landfall('admin', 'audit', 'verify');
    assert.equal(broken.code, 1);
    assert.match(broken.stdout, /^7 +117 +DIGEST_MISMATCH +its digest does not match/m);
    assert.match(
      broken.stderr,
      /^error: the audit trail is broken at chain 7, position 117: its /m,
    );
    const { code, stdout } = await landfall('admin', 'audit', 'verify', '--json');
    assert.equal(code, 1);
    const { intact, breaks } = JSON.parse(stdout);
    assert.equal(intact, false);
    assert.deepEqual(
      [breaks[0].chain, breaks[0].position, breaks[0].code],
      [7, 117, 'DIGEST_MISMATCH'],
    );
  });
});
