// The partitions of the audit trail: created by one server at a time, and chains that continue from one to the next.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Database } from '../database/database.js';
import { SESSION_LOCKS } from '../database/locks.js';
import { makeRemovalClock } from '../database/removal-clock.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import { AuditPartitions } from './audit-partitions.js';
import { AuditTrail } from './audit-trail.js';
import { verifyAudit } from './verify-audit.js';

const unexpected = (error: unknown) => assert.ifError(error);

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`partitions of the audit trail on ${name}`, { skip }, () => {
    let database: Database;
    const audit = new AuditTrail();
    before(async () => {
      database = await open();
    });
    after(() => database.close());

    const read = <Found extends object>(text: string) =>
      database.query<Found>({ name: '', text, values: [] });
    const recordEvent = () =>
      database.transact((transaction) =>
        audit.record(
          transaction,
          { at: new Date(0), actor: undefined, requestId: undefined, action: 'test', details: {} },
          [{ houseConsignmentId: '00000000-0000-0000-0000-000000000000', action: 'changed' }],
        ),
      );
    const months = () =>
      read<{ parent: string; count: number }>(`
        select inhparent::regclass::text as parent, count(*) from pg_inherits
        where inhparent in (select partrelid from pg_partitioned_table) group by 1 order by 1`);

    test('are created for the months to come, unless another server does it', async () => {
      const partitions = new AuditPartitions(
        database,
        { auditRetention: 0, feedAccessRetention: 0 },
        makeRemovalClock(database),
        unexpected,
      );
      if (database.kind === 'postgresql') {
        const release = await database.tryLock(SESSION_LOCKS.partitions, () => undefined);
        await partitions.run();
        assert.deepEqual(
          (await months()).map(({ count }) => count),
          [1, 1, 1],
        );
        await release?.();
      }
      await partitions.run();
      assert.deepEqual(await months(), [
        { parent: 'audit_record', count: 4 },
        { parent: 'consignment_event', count: 4 },
        { parent: 'feed_access', count: 4 },
      ]);
    });

    test('a chain continues in another partition, and what belongs to a record is where it is', async () => {
      await recordEvent();
      // As if it had been written months ago: the chain is continued from the first partition.
      await database.transact((transaction) =>
        transaction.run(`
          update audit_record set recorded_at = now() - interval '50 days';
          update audit_chain_end set recorded_at = now() - interval '50 days' where position > 0;
          update consignment_event set recorded_at = now() - interval '50 days'`),
      );
      for (let round = 0; round < 40; round++) await recordEvent();
      // A clock that is behind: time does not go back within a chain.
      await database.transact((transaction) =>
        transaction.run(`
          update audit_record set recorded_at = recorded_at + interval '95 days' where position > 1;
          update audit_chain_end set recorded_at = recorded_at + interval '95 days' where position > 1;
          update consignment_event set recorded_at = recorded_at + interval '95 days' where position > 1`),
      );
      for (let round = 0; round < 40; round++) await recordEvent();
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
      const [disorder] = await read<{ records: number; decreasing: number; split: number }>(`
        select count(*) as records, count(*) filter (where recorded_at < before) as decreasing,
          count(*) filter (where event is distinct from recorded_at) as split
        from (
          select recorded_at, lag(recorded_at) over (partition by chain order by position) as before,
            (select e.recorded_at from consignment_event e where e.chain = r.chain and e.position = r.position) as event
          from audit_record r
        ) record`);
      assert.deepEqual(disorder, { records: 81, decreasing: 0, split: 0 });
      const partitions = await read('select distinct tableoid from audit_record');
      assert.equal(partitions.length, 2);
    });
  });
}
