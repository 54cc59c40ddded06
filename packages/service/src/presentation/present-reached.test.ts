// What transports that have arrived reach: more than one transaction presents, servers that stop between two of them, and
// whoever names the documents of others.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { tryOnFeeds } from '../feed/transact-on-feeds.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { feedKinds } from '../feed-kinds.js';
import { recordArrival } from '../movements/arrival-queries.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  houseMessage,
  masterMessage,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';
import { countProcessedRows, countScannedRows } from '../testing/scanned-rows.js';
import { ReachedGoods, type ReachedParts } from './present-reached.js';
import { findReached, presentReached } from './reached-queries.js';

const CARRIER = 'NO310000124';
const REPORTER = 'haulier';

/** Inserts house consignments under a master consignment, undecided and incomplete, with a record in the audit trail. */
async function insertHouses(
  database: Database,
  submitter: number,
  master: string,
  count: number,
  lodgedAt = new Date(),
) {
  await database.transact(async (transaction) => {
    await transaction.query({
      name: '',
      text: `
        with inserted as (
          insert into declaration (mrn, declarant, kind)
          select $2 || extract(epoch from $4::timestamptz) || number, $1::integer, 'HOUSE' from generate_series(1, $3) number returning id, mrn
        ),
        message as (
          insert into movement (declaration_id, level, mode, submitter, key, request_id, lodged_at, document_number,
            document_type, carrier, listed, reasons)
          select id, 'HOUSE_CONSIGNMENT', 'road', $1::integer, mrn, gen_random_uuid(), $4::timestamptz, mrn, 'N730', '${CARRIER}', '{}',
            '{INCOMPLETE_DOCUMENTATION}'
          from inserted
        )
        insert into house_consignment (id, ens_id, document_number, document_type, document_key, master_document_number,
          master_document_type, master_document_key, signal_head)
        select gen_random_uuid(), id, mrn, 'N730', identifier_key(mrn), $2, 'N730', identifier_key($2),
          '{"houseConsignmentMRN":"' || mrn || '"'
        from inserted`,
      values: [submitter, master, count, lodgedAt],
    });
    await transaction.query({
      name: '',
      text: `select append_audit_record(3, '{"action":"test.houses","details":{}}')`,
      values: [],
    });
  });
}

/** Records that a transport has arrived, and nothing beside it. */
const arrivalOf = (transport: number, recordedAt: Date) =>
  recordArrival(transport, {
    at: '2026-05-04T09:30:00Z',
    office: 'NO371001',
    recordedAt,
    requestId: randomUUID(),
    signal: '',
  });

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`what transports reach on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let movements: TestMovements;
    let watch: FeedWatch;
    let parts: ReachedParts;
    const reported: unknown[] = [];
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      movements = new TestMovements(playground);
      watch = new FeedWatch(database);
      parts = {
        database,
        watch,
        expectedOnly: false,
        movedClock: undefined,
        notePresented: () => undefined,
      };
    });
    after(async () => {
      assert.deepEqual(reported, []);
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
      await watch.close();
      await playground.close();
    });

    /** How many house consignments under a master consignment are presented, and the connections that they have. */
    const presentedUnder = async (master: string) => {
      const [row] = await database.query<{ houses: number; connections: number }>({
        name: '',
        text: `
          select count(distinct h.id)::integer as houses, count(*)::integer as connections
          from house_consignment h join signal_recipient c on c.house_consignment_id = h.id
          where h.master_document_number = $1`,
        values: [master],
      });
      return row;
    };
    const numberOf = async (mrn: string) => {
      const [row] = await database.query<{ id: number }>({
        name: '',
        text: 'select id from declaration where mrn = $1',
        values: [mrn],
      });
      return row?.id ?? assert.fail();
    };
    const lodgeTransport = async (key: string) => {
      const message = transportMessage(`T-${key}`, { masters: [`M-${key}`], carrier: CARRIER });
      const mrn = await movements.lodge('transport', message, 'carrier');
      await movements.lodge('master-consignment', masterMessage(`M-${key}`, { carrier: CARRIER }));
      return { mrn, id: await numberOf(mrn), master: `M-${key}` };
    };

    test('a server that stops after the first step leaves the rest to another one', async () => {
      const { id, master } = await lodgeTransport('A');
      const submitter = await organisationOf(
        database,
        playground.credentials(REPORTER).organisation,
      );
      await insertHouses(database, submitter, master, 120);
      const stopped = new ReachedGoods({ ...parts, maxHouses: 100 }, (error) =>
        reported.push(error),
      );
      const row = await tryOnFeeds(
        database,
        async (transaction) => {
          const affected = await stopped.findAffected(transaction, { transport: id });
          const locked = await transaction.lock(affected);
          await transaction.query(arrivalOf(id, new Date()));
          return stopped.presentIn(transaction, { transport: id }, locked, undefined);
        },
        { lane: 'levels', attempts: {} },
      );
      assert('houses' in row);
      assert.deepEqual([row.houses, row.signals, row.hasMore], [100, 0, true]);
      assert.equal(row.undecided.length, 100);
      assert.deepEqual(await presentedUnder(master), { houses: 100, connections: 300 });

      const other = new ReachedGoods(parts, (error) => reported.push(error));
      await other.catchUp();
      assert.deepEqual(await presentedUnder(master), { houses: 120, connections: 360 });
      // Once more it changes nothing.
      const { houses } = await other.present(id);
      assert.equal(houses, 0);
      await other.close();
    });

    test('finding and presenting compare no goods with each other', async () => {
      const submitter = await organisationOf(
        database,
        playground.credentials(REPORTER).organisation,
      );
      const processed: { find: number; present: number }[] = [];
      for (const [key, count] of [
        ['D', 150],
        ['E', 300],
      ] as const) {
        const { id, master } = await lodgeTransport(key);
        await insertHouses(database, submitter, master, count);
        const scope = { transport: id };
        const find = findReached(scope, false, 10_000);
        const [found] = await database.query(find);
        assert.equal(found?.houses, count);
        const present = presentReached(scope, found.organisations, false, 10_000, undefined);
        processed.push({
          find: await countProcessedRows(database, find),
          present: await countProcessedRows(database, present, arrivalOf(id, new Date())),
        });
      }
      const [once, twice] = processed;
      assert(once !== undefined && twice !== undefined);
      assert.ok(once.find > 150 * 3 && once.present > 150 * 3, JSON.stringify(once));
      assert.ok(twice.find < 2.3 * once.find, JSON.stringify(processed));
      assert.ok(twice.present < 2.3 * once.present, JSON.stringify(processed));
    });

    test('a late house consignment is looked at from itself upwards, not the whole transport', async () => {
      const submitter = await organisationOf(
        database,
        playground.credentials(REPORTER).organisation,
      );
      const scanned: number[] = [];
      for (const [key, count] of [
        ['F', 20],
        ['G', 200],
      ] as const) {
        const { mrn, id, master } = await lodgeTransport(key);
        await movements.arrive(mrn, 'carrier');
        // A server stopped before it presented these.
        await insertHouses(database, submitter, master, count);
        const late = houseMessage(`H-${key}`, { master, carrier: CARRIER });
        const lateMrn = await movements.lodge('house-consignment', late, 'forwarder');
        assert.deepEqual(await presentedUnder(master), { houses: 1, connections: 2 });
        const houses = [await numberOf(lateMrn)];
        const find = findReached({ transport: id, houses }, false, 10_000);
        scanned.push(await countScannedRows(database, find));
      }
      assert.ok(Math.max(...scanned) < 100, `${scanned}`);
    });

    test('a search looks only at what came since the last one, and goes on where it stopped', async () => {
      const submitter = await organisationOf(
        database,
        playground.credentials(REPORTER).organisation,
      );
      const lodged = [await lodgeTransport('I'), await lodgeTransport('J')];
      for (const { id, master } of lodged) {
        await insertHouses(database, submitter, master, 3);
        await database.transact(async (transaction) => {
          await transaction.query(arrivalOf(id, new Date()));
          await transaction.query({
            name: '',
            text: `select append_audit_record(3, '{"action":"test.arrival","details":{}}')`,
            values: [],
          });
        });
      }
      // By the clock of the searches, all of it is an hour old.
      const inAnHour = new Date(Date.now() + 3_600_000);
      const run: string[] = [];
      const noted: Database = {
        ...database,
        query: (statement) => {
          run.push(statement.name);
          return database.query(statement);
        },
        transact: (work, lane) =>
          database.transact(
            (transaction) =>
              work({
                ...transaction,
                query: (statement) => {
                  run.push(statement.name);
                  return transaction.query(statement);
                },
              }),
            lane,
          ),
      };
      const times = (name: string) => run.filter((one) => one === name).length;
      const reached = new ReachedGoods(
        { ...parts, database: noted, maxArrivals: 1, movedClock: () => inAnHour },
        (error) => reported.push(error),
      );
      await reached.catchUp();
      for (const { master } of lodged) {
        assert.deepEqual(await presentedUnder(master), { houses: 3, connections: 9 });
      }
      assert.ok(times('find-reached-by-transport') >= 2);
      assert.ok(times('select-arrivals') > 2, 'a search takes one transport at most');

      run.length = 0;
      await reached.catchUp();
      assert.equal(times('find-reached-by-transport'), 0);
      assert.equal(times('select-reaching-transports'), 0);

      const master = lodged[0]?.master ?? assert.fail();
      await insertHouses(database, submitter, master, 1, inAnHour);
      await reached.catchUp();
      assert.deepEqual(await presentedUnder(master), { houses: 4, connections: 12 });
      assert.equal(times('find-reached-by-transport'), 0);
      assert.equal(times('find-reached-by-houses'), 1);
      await reached.close();
    });

    test('where only expected parties present, naming the documents of others presents nothing', async () => {
      const transport = transportMessage('T-C', { masters: ['M-C'], houses: ['D-C'] });
      const mrn = await movements.lodge('transport', transport, REPORTER);
      await movements.lodge('master-consignment', masterMessage('M-C'), 'forwarder');
      await movements.lodge(
        'house-consignment',
        houseMessage('H-C', { master: 'M-C' }),
        'forwarder',
      );
      await movements.lodge(
        'house-consignment',
        houseMessage('D-C', { isDirect: true }),
        'forwarder',
      );
      const [row] = await database.query<{ id: number }>({
        name: '',
        text: `
          update movement m set arrived_at = now(), arrival_office = 'NO371001'
          from declaration d where d.id = m.declaration_id and d.mrn = $1 returning d.id`,
        values: [mrn],
      });
      const id = row?.id ?? assert.fail();
      const expected = new ReachedGoods({ ...parts, expectedOnly: true }, (error) =>
        reported.push(error),
      );
      const { houses } = await expected.present(id);
      assert.equal(houses, 0);
      assert.deepEqual(await presentedUnder('M-C'), { houses: 0, connections: 0 });
      await expected.close();
      await database.query({
        name: '',
        text: 'update movement set arrived_at = null, arrival_office = null where declaration_id = $1',
        values: [id],
      });
    });
  });
}
