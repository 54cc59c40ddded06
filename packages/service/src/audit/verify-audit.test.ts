// Verifying the audit trail: every change, deletion and truncation is found.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { v7 } from 'uuid';
import { loadDataset } from '../../../playground/dist/dataset.js';
import type { Database } from '../database/database.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { feedKinds } from '../feed-kinds.js';
import { makePresentConsignment } from '../presentation/present-consignment.js';
import { readSubmission } from '../presentation/submission.js';
import { drawnDatabases } from '../testing/databases.js';
import { emptyAuditTrail, emptyFeeds } from '../testing/empty-tables.js';
import { AuditCheckpoints } from './audit-checkpoints.js';
import { AuditTrail } from './audit-trail.js';
import { FeedAccessLog } from './feed-access-log.js';
import type { AuditBreak } from './read-record.js';
import { verifyAudit } from './verify-audit.js';

const unexpected = (error: unknown) => assert.ifError(error);
const actor = { organisation: '0192:310000019', client: 'playground-carrier' };

const unexpectedFailures = { failed: unexpected, dropped: unexpected };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`verifying the audit trail on ${name}`, { skip }, () => {
    let database: Database;
    let watch: FeedWatch;
    const audit = new AuditTrail();

    const run = (script: string) => database.transact((transaction) => transaction.run(script));
    const presentAt = async (
      path: 'house-consignment' | 'entry-summary-declaration',
      body: object,
    ) => {
      const present = makePresentConsignment(database, watch);
      await present({
        organisationId: 1,
        actor,
        submission: readSubmission(
          path,
          { requestId: randomUUID(), customsOfficeOfPresentation: 'NO351001', ...body },
          () => true,
        ),
      });
    };

    before(async () => {
      database = await open();
      watch = new FeedWatch(database);
      await loadDataset(database, new Date(), () => v7());
    });
    after(async () => {
      watch.close();
      await database.close();
    });

    /** A trail with records of every kind, in one chain or in several. */
    beforeEach(async () => {
      await run(`${emptyFeeds} truncate signal_recipient; ${emptyAuditTrail}`);
      const presented = { documentNumber: 'HC001', type: 'N740' };
      await presentAt('house-consignment', { transportDocumentHouseLevel: presented });
      await presentAt('house-consignment', {
        transportDocumentHouseLevel: { ...presented, documentNumber: 'X' },
      });
      await presentAt('entry-summary-declaration', { mrn: '23NO00000000000004' });
      for (let number = 0; number < 5; number++) {
        await database.transact((transaction) =>
          audit.record(
            transaction,
            {
              at: new Date(),
              actor,
              requestId: randomUUID(),
              action: 'test.done',
              details: { number, text: 'Ærø' },
            },
            number === 3 ? [{ houseConsignmentId: randomUUID(), action: 'withdrawn' }] : [],
          ),
        );
      }
      const accesses = new FeedAccessLog(database, unexpectedFailures);
      accesses.add({
        kind: 2,
        owner: 1,
        organisation: actor.organisation,
        clientId: actor.client,
        first: 1,
        last: 2,
        at: new Date(),
      });
      await accesses.close();
      await new AuditCheckpoints(database, unexpected).write(new Date());
    });

    const verify = async (): Promise<AuditBreak[]> =>
      (await verifyAudit(database, feedKinds)).breaks;

    /** The chain with the most records, and a position in the middle of it. */
    const someRecord = async () => {
      const [row] = await database.query<{ chain: number; position: number; last: number }>({
        name: 'test-some-record',
        text: `select chain, max(position) / 2 as position, max(position) as last
          from audit_record group by chain order by count(*) desc, chain limit 1`,
        values: [],
      });
      assert(row && row.position >= 2, 'the trail is too short for this test');
      return row;
    };

    test('an unchanged trail verifies, and progress is reported', async () => {
      const reported: number[] = [];
      const { records, ends, breaks } = await verifyAudit(database, feedKinds, {
        onProgress: (done) => reported.push(done),
      });
      assert.deepEqual(breaks, []);
      assert.equal(records, 11);
      assert.equal(reported.at(-1), 11);
      assert(ends.every(({ digest }) => /^[0-9a-f]{64}$/.test(digest)));
    });

    test('a changed byte of any record is found at its position', async () => {
      const records = await database.query<{ chain: number; position: number; byte: number }>({
        name: 'test-all-records',
        text: `select chain, position, 1 + floor(random() * length(entry))::integer as byte
          from audit_record order by chain, position`,
        values: [],
      });
      for (const { chain, position, byte } of records) {
        const change = `update audit_record set entry = overlay(entry placing '%' from ${byte} for 1)
          where chain = ${chain} and position = ${position}`;
        const [kept] = await database.query<{ character: string }>({
          name: '',
          text: `select substr(entry, ${byte}, 1) as character from audit_record
            where chain = ${chain} and position = ${position}`,
          values: [],
        });
        await run(change.replace('%', kept?.character === '1' ? '2' : '1'));
        const [first] = await verify();
        assert.deepEqual(
          { chain: first?.chain, position: first?.position, code: first?.code },
          { chain, position, code: 'DIGEST_MISMATCH' },
        );
        await run(change.replace('%', () => kept?.character.replace("'", "''") ?? ''));
        assert.deepEqual(await verify(), []);
      }
    });

    test('a changed bit of a digest is found', async () => {
      const { chain, position } = await someRecord();
      await run(`update audit_record set digest = set_bit(digest, 7, 1 - get_bit(digest, 7))
        where chain = ${chain} and position = ${position}`);
      const [first] = await verify();
      assert.deepEqual([first?.chain, first?.position], [chain, position]);
    });

    test('a deleted record is found', async () => {
      const { chain, position } = await someRecord();
      await run(`delete from audit_record where chain = ${chain} and position = ${position}`);
      const [first] = await verify();
      assert.deepEqual(
        [first?.chain, first?.position, first?.code],
        [chain, position, 'RECORD_MISSING'],
      );
    });

    test('a deleted record is found even if the records after it were renumbered', async () => {
      const { chain, position } = await someRecord();
      await run(`
        delete from audit_record where chain = ${chain} and position = ${position};
        update audit_record set position = -position where chain = ${chain} and position > ${position};
        update audit_record set position = -position - 1 where chain = ${chain} and position < 0;`);
      const [first] = await verify();
      assert.deepEqual(
        [first?.chain, first?.position, first?.code],
        [chain, position, 'DIGEST_MISMATCH'],
      );
    });

    test('two records that were swapped are found', async () => {
      const { chain, position } = await someRecord();
      await run(`
        update audit_record set position = -1 where chain = ${chain} and position = ${position};
        update audit_record set position = ${position} where chain = ${chain} and position = ${position - 1};
        update audit_record set position = ${position - 1} where chain = ${chain} and position = -1;`);
      const [first] = await verify();
      assert.deepEqual([first?.chain, first?.position], [chain, position - 1]);
    });

    test('a truncated chain is found by a checkpoint, in whichever chain the checkpoint is', async () => {
      // A separate chain, whose end is in a checkpoint of another chain.
      await run(`
        insert into audit_record values (99, 1, sha256('{"action":"x","details":{}}'), '{"action":"x","details":{}}');
        insert into audit_chain_end select 99, 1, digest, now() from audit_record where chain = 99`);
      await new AuditCheckpoints(database, unexpected).write(new Date());
      assert.deepEqual(await verify(), []);
      await run(
        'delete from audit_record where chain = 99; delete from audit_chain_end where chain = 99',
      );
      const [first] = await verify();
      assert.deepEqual([first?.chain, first?.position, first?.code], [99, 1, 'RECORD_MISSING']);
      assert.match(
        first?.problem ?? '',
        /the checkpoint at position \d+ of chain \d+ has this record/,
      );
    });

    test('a chain that was rewritten with valid digests does not match its checkpoint', async () => {
      await run(`
        insert into audit_record values (99, 1, sha256('{"action":"x","details":{}}'), '{"action":"x","details":{}}');
        insert into audit_chain_end select 99, 1, digest, now() from audit_record where chain = 99`);
      await new AuditCheckpoints(database, unexpected).write(new Date());
      await run(`
        update audit_record set entry = '{"action":"y","details":{}}', digest = sha256('{"action":"y","details":{}}')
          where chain = 99;
        delete from audit_chain_end where chain = 99`);
      const [first] = await verify();
      assert.deepEqual([first?.chain, first?.position, first?.code], [99, 1, 'SEAL_MISMATCH']);
    });

    test('a malformed record with a valid digest is reported, and the verification continues', async () => {
      const texts = [
        'no JSON',
        '{}',
        '{"action":"audit.sealed","details":{"ends":[{"chain":1e99}]}}',
        '{"action":"feeds.read","details":{"feedAccesses":7}}',
      ];
      for (const text of texts) {
        await run(`delete from audit_record where chain = 99`);
        await run(`insert into audit_record values (99, 1, sha256('${text}'), '${text}')`);
        assert.deepEqual(
          (await verify()).map(({ chain, code }) => ({ chain, code })),
          [
            { chain: 99, code: 'MALFORMED' },
            { chain: 99, code: 'RECORD_UNKNOWN' },
          ],
        );
      }
      const wrong = ['[{"entries":"9/9/9-9 x","digest":1}]', '[{"entries":"1/2"}]', '[{}]'];
      for (const text of wrong.map((appended) => `{"details":{"appended":${appended}}}`)) {
        await run(`update audit_record set entry = '${text}', digest = sha256('${text}')
          where chain = 99`);
        assert.deepEqual(
          (await verify()).map(({ chain, code }) => ({ chain, code })),
          [
            { chain: 99, code: 'CONTENT_CHANGED' },
            { chain: 99, code: 'RECORD_UNKNOWN' },
          ],
        );
      }
    });

    test('a trail truncated at a point in time is found with the ends that were kept elsewhere', async () => {
      const { ends } = await verifyAudit(database, feedKinds);
      const { chain, last } = await someRecord();
      await run(`delete from audit_record where chain = ${chain} and position = ${last}`);
      const { breaks } = await verifyAudit(database, feedKinds, { expected: ends });
      const [first] = breaks;
      assert.deepEqual(
        [first?.chain, first?.position, first?.code],
        [chain, last, 'RECORD_MISSING'],
      );
    });

    test('rows that were accepted as they are make no break, and the report says so', async () => {
      await run(`update organisation set name = 'Altered' where id = 1`);
      await run('select accept_audited_rows()');
      const { breaks, accepted } = await verifyAudit(database, feedKinds);
      assert.deepEqual(breaks, []);
      const last = accepted.at(-1) ?? assert.fail('nothing is reported');
      // The altered one, and the one that it was.
      assert.equal(last.tables.organisation, 2);
      assert(last.user.length > 0 && Math.abs(Date.parse(last.at) - Date.now()) < 60_000);
    });

    const changes: [string, string][] = [
      [
        'a changed signal',
        `update routing_signal set entry = replace(entry, 'TO_CONTROL', 'TO_ENTRY')`,
      ],
      ['a deleted signal', 'delete from routing_signal where owner = 1 and position = 2'],
      [
        'a changed status',
        `update validation_status set entry = replace(entry, 'FAILURE', 'SUCCESS')`,
      ],
      [
        'a changed event',
        `update consignment_event set entry = replace(entry, 'withdrawn', 'changed')`,
      ],
      ['a deleted event', 'delete from consignment_event'],
      ['a changed feed access', `update feed_access set client_id = 'somebody else'`],
      ['a deleted feed access', 'delete from feed_access'],
    ];
    for (const [what, script] of changes) {
      test(`${what} is found`, async () => {
        assert.deepEqual(await verify(), []);
        await run(script);
        const breaks = await verify();
        assert(breaks.length > 0);
        assert.equal(breaks[0]?.code, 'CONTENT_CHANGED');
        assert.deepEqual(
          (await verifyAudit(database, feedKinds, { recordsOnly: true })).breaks,
          [],
        );
      });
    }
  });
}
