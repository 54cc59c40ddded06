// Lodged goods that are presented and undecided: whoever is in the way of some delays no others, and none are forgotten.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';
import { DecisionCommits } from './commit-decisions.js';
import { PresentedGoods, type PresentedParts } from './decide-presented.js';
import { LiveProfiles } from './profiles.js';

const document = (documentNumber: string) => ({ documentNumber, type: 'N730' });
const party = (country: string) => ({
  name: 'Stoler AS',
  typeOfPerson: '2',
  address: { city: 'Oslo', country, postcode: '0150', streetLine: 'Strandgata 1' },
});

/** Without a procedure it is incomplete, so that the playground does not decide it. */
const incomplete = (documentNumber: string) => ({
  documentIssueDate: '2026-05-04T07:00:00Z',
  consignmentHouseLevel: {
    transportDocumentHouseLevel: document(documentNumber),
    containerIndicator: '0',
    totalGrossMass: 800,
    numberOfPackages: 3,
    goodsDescription: 'Wooden chairs',
    consignor: party('SE'),
    consignee: party('NO'),
  },
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`presented goods on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let watch: FeedWatch;
    let parts: PresentedParts;
    const goods: PresentedGoods[] = [];
    const reported: unknown[] = [];
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      watch = new FeedWatch(database);
      parts = {
        database,
        profiles: new LiveProfiles(),
        commits: new DecisionCommits(database, watch),
        movedClock: undefined,
        extendedResults: false,
        decideByDefault: () => 'TO_ENTRY',
      };
    });
    after(async () => {
      for (const each of goods) await each.close();
      await watch.close();
      await playground.close();
    });

    const start = (more: Partial<PresentedParts> = {}) => {
      const made = new PresentedGoods({ ...parts, ...more }, (error) => reported.push(error));
      goods.push(made);
      return made;
    };
    const run = <Row>(text: string, values: unknown[]) =>
      database.query<Row & object>({ name: '', text, values });
    /** Lodges and presents goods, which are complete afterwards; gives their id. */
    const present = async (documentNumber: string, as: string): Promise<string> => {
      const lodged = await playground.post(
        '/api/movement/road/v2/house-consignment',
        as,
        incomplete(documentNumber),
      );
      assert.equal(lodged.status, 202, lodged.text);
      const presented = await playground.present('house-consignment', as, {
        transportDocumentHouseLevel: document(documentNumber),
      });
      assert.equal(presented.status, 202, presented.text);
      const [row] = await run<{ id: string }>(
        `
        update movement m set reasons = '{}' from house_consignment h
        where h.ens_id = m.declaration_id and h.document_number = $1 returning h.id`,
        [documentNumber],
      );
      assert(row);
      return row.id;
    };
    const routingOf = async (id: string) => {
      const [row] = await run<{ routing: string | null }>(
        'select routing from house_consignment where id = $1',
        [id],
      );
      return row?.routing;
    };
    const untilDecided = async (id: string, within: number) => {
      for (const end = performance.now() + within; performance.now() < end; await delay(50)) {
        if ((await routingOf(id)) === 'TO_ENTRY') return;
      }
      assert.fail(`${id} is undecided`);
    };

    // The embedded database runs one transaction at a time.
    if (name !== 'embedded') {
      test('an organisation that is held delays no other', async () => {
        const held = await present('HELD', 'forwarder');
        const free = await present('FREE', 'haulier');
        const organisation = await organisationOf(
          database,
          playground.credentials('forwarder').organisation,
        );
        const presented = start();
        await database.transact(async (transaction) => {
          const lock = `select pg_advisory_xact_lock(${FEED_LOCK}, $1)`;
          await transaction.query({ name: '', text: lock, values: [organisation] });
          void presented.add([held]);
          await delay(200);
          void presented.add([free]);
          await untilDecided(free, 3000);
          assert.equal(await routingOf(held), null);
        });
        await untilDecided(held, 5000);
      });
    }

    test('a decision that fails is made by the next search, and fails no other', async () => {
      let failing: string | undefined;
      let failures = 0;
      const commits = Object.create(parts.commits) as DecisionCommits;
      commits.commit = (block) => {
        if (failures > 0 || block.decisions.every(({ house }) => house !== failing)) {
          return parts.commits.commit(block);
        }
        failures++;
        return Promise.reject(new Error('the connection is lost'));
      };
      const presented = start({ commits });
      await presented.catchUp();
      failing = await present('FAILING', 'forwarder');
      const other = await present('OTHER', 'haulier');
      // A replacement has completed them, long after they were presented.
      await run(
        `update signal_recipient set first_presented_at = first_presented_at - interval '2 days'
          where house_consignment_id = any ($1::uuid[])`,
        [[failing, other]],
      );
      void presented.add([failing, other]);
      await presented.catchUp();
      assert.equal(failures, 1);
      assert.equal(await routingOf(other), 'TO_ENTRY');
      assert.equal(await routingOf(failing), 'TO_ENTRY');
      assert.match(String(reported.at(-1)), /the connection is lost/);
    });

    test('what a replacement completes long after the presentation is found', async () => {
      const house = await present('COMPLETED', 'forwarder');
      await run(
        `update signal_recipient set first_presented_at = first_presented_at - interval '2 days'
          where house_consignment_id = $1`,
        [house],
      );
      await start().catchUp();
      assert.equal(await routingOf(house), null);
      await run(
        `update movement m set replaced_at = clock_timestamp() from house_consignment h
          where h.ens_id = m.declaration_id and h.id = $1`,
        [house],
      );
      await start().catchUp();
      await untilDecided(house, 1000);
    });

    test('what was pending and is complete waits for an officer if nothing decides it', async () => {
      const house = await present('PENDING', 'forwarder');
      const setReasons = (reasons: string) =>
        run(
          `update movement m set reasons = $2::text[] from house_consignment h
            where h.ens_id = m.declaration_id and h.id = $1`,
          [house, reasons],
        );
      const presented = start({ extendedResults: true, decideByDefault: undefined });
      await setReasons('{INCOMPLETE_DOCUMENTATION}');
      await presented.add([house]);
      assert.equal(await routingOf(house), 'ENTRY_PENDING');
      await setReasons('{}');
      await presented.add([house]);
      assert.equal(await routingOf(house), null);
      const [awaited] = await run<{ count: number }>(
        `select count(*)::integer as count from signal_recipient
          where house_consignment_id = $1 and awaits_decision`,
        [house],
      );
      assert.equal(awaited?.count, 1);
    });

    test('what becomes incomplete meanwhile is left to a person', async () => {
      const house = await present('MEANWHILE', 'forwarder');
      const commits = Object.create(parts.commits) as DecisionCommits;
      commits.commit = async (block) => {
        await run(
          `update movement m set reasons = '{INCOMPLETE_DOCUMENTATION}' from house_consignment h
            where h.ens_id = m.declaration_id and h.id = $1`,
          [house],
        );
        return parts.commits.commit(block);
      };
      const presented = start({ commits });
      void presented.add([house]);
      await presented.catchUp();
      assert.equal(await routingOf(house), null);
    });
  });
}
