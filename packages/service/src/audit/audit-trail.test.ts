// Records by concurrent writers, and records with events of house consignments.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import type { AuditEntry } from './audit-entry.js';
import { AuditTrail } from './audit-trail.js';

type Kept = { chain: number; position: number; digest: Buffer; entry: string };

const entryOf = (details: Record<string, unknown>): AuditEntry => ({
  at: new Date('2026-01-01T12:00:00Z'),
  actor: { organisation: '0192:310000043', client: 'authority-client' },
  requestId: randomUUID(),
  action: 'test.done',
  details,
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`the audit trail on ${name}`, { skip }, () => {
    let database: Database;
    const audit = new AuditTrail();
    before(async () => {
      database = await open();
    });
    after(() => database.close());

    const readAll = () =>
      database.query<Kept>({
        name: 'test-read-records',
        text: 'select * from audit_record order by chain, position',
        values: [],
      });

    test('records of concurrent writers form chains, each record with the digest of the previous one', async () => {
      const before = (await readAll()).length;
      await Promise.all(
        Array.from({ length: 100 }, (_, number) =>
          database.transact((transaction) =>
            audit.record(transaction, entryOf({ number, text: 'Ærø \u0000 "quoted"' })),
          ),
        ),
      );
      const records = await readAll();
      assert.equal(records.length - before, 100);
      const ends = new Map<number, Kept>();
      for (const record of records) {
        const last = ends.get(record.chain);
        assert.equal(record.position, (last?.position ?? 0) + 1);
        const digest = createHash('sha256')
          .update(last?.digest ?? '')
          .update(record.entry)
          .digest();
        assert.deepEqual(Buffer.from(record.digest), digest);
        ends.set(record.chain, record);
      }
    });

    test('records of production have the time of the database, whatever the clock of the server says', async () => {
      const before = Date.now();
      const entry = entryOf({ clock: 'behind' });
      await database.transact((transaction) =>
        new AuditTrail('database').record(transaction, entry),
      );
      const record = (await readAll()).find(({ entry: text }) => text.includes('"behind"'));
      const { at, ...rest } = JSON.parse(record?.entry ?? '');
      assert(Date.parse(at) >= before, at);
      const { at: _, ...given } = entry;
      assert.deepEqual(rest, given);
    });

    test('a transaction that is rolled back leaves no record', async () => {
      const before = await readAll();
      await assert.rejects(
        database.transact(async (transaction) => {
          await audit.record(transaction, entryOf({}));
          throw new Error('no');
        }),
      );
      assert.deepEqual(await readAll(), before);
    });

    test('the events of house consignments are stored with the chain and position of their record', async () => {
      const houses = [randomUUID(), randomUUID()];
      const entry = entryOf({ mrn: '26NO00000000000001' });
      await database.transact((transaction) =>
        audit.record(
          transaction,
          entry,
          houses.map((houseConsignmentId) => ({
            houseConsignmentId,
            action: 'withdrawn',
            details: { documentNumber: 'HC001' },
          })),
        ),
      );
      const events = await database.query<{ house: string; entry: string; index: number }>({
        name: 'test-read-events',
        text: `select house_consignment_id as house, entry, index
          from consignment_event where house_consignment_id = any ($1::uuid[]) order by index`,
        values: [houses],
      });
      assert.deepEqual(
        events.map(({ house, index }) => ({ house, index })),
        houses.map((house, index) => ({ house, index: index + 1 })),
      );
      assert.deepEqual(JSON.parse(events[0]?.entry ?? ''), {
        at: '2026-01-01T12:00:00.000Z',
        action: 'withdrawn',
        actor: entry.actor,
        requestId: entry.requestId,
        details: { documentNumber: 'HC001' },
      });
    });
  });
}
