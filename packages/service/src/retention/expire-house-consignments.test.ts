// Presented and decided house consignments are removed with everything that belongs to them, and nothing else is.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { HouseConsignment, ReleaseCheck } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import { FEED_LOCK, REFERENCE_LOCK } from '../database/locks.js';
import { validationStatuses } from '../presentation/status-feed.js';
import { routingSignals } from '../routing/signal-feed.js';
import { drawnDatabases } from '../testing/databases.js';
import { declaration, house, TestRegistry } from '../testing/registry-client.js';
import { expireFeed } from './expire-entries.js';
import { expireHouseConsignments } from './expire-house-consignments.js';
import { expireUnusedRegistrations } from './expire-registrations.js';

const inAnHour = () => new Date(Date.now() + 3_600_000);
const masterOf = (documentNumber: string) => ({
  transportDocumentMasterLevel: { documentNumber, type: 'N741' as const },
});
const FIND = '/api/authority/v1/house-consignments';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`retention of house consignments on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    const context = () => ({
      database: registry.database,
      audit: new AuditTrail(),
      clock: () => new Date(),
    });
    const expire = async (before: Date) => {
      let removed = 0;
      for await (const step of expireHouseConsignments(context(), before)) removed += step;
      return removed;
    };
    const find = async (mrn: string) =>
      (await registry.playground.get(`${FIND}?mrn=${mrn}`, 'authority')).body as HouseConsignment[];
    const decide = (mrn: string, documentNumber: string, routing: string) =>
      registry.playground.post('/api/authority/v1/routing-decisions', 'authority', [
        { mrn, ...house(documentNumber), routing, routingControlLocation: 'ON_ENTRY' },
      ]);
    const query = <Row extends object>(text: string) =>
      registry.database.query<Row>({ name: '', text, values: [] });

    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    test('one is kept until it is presented and decided, and for the period after both', async () => {
      const mrn = registry.nextMrn();
      await registry.put(
        mrn,
        declaration([house('A1', { routing: 'TO_ENTRY' }), house('A2'), house('A3')]),
      );
      assert.equal(await expire(inAnHour()), 0);
      await registry.present('A1', mrn);
      await registry.present('A2', mrn);
      assert.equal(await expire(new Date(Date.now() - 3_600_000)), 0);
      assert.equal(await expire(inAnHour()), 1);
      assert.deepEqual(
        (await find(mrn)).map(
          ({ transportDocumentHouseLevel: { documentNumber } }) => documentNumber,
        ),
        ['A2', 'A3'],
      );
      const beforeDecision = new Date();
      await query(`update signal_recipient set first_presented_at = now() - interval '1 hour'`);
      await decide(mrn, 'A2', 'TO_CONTROL');
      assert.equal(await expire(beforeDecision), 0);
      assert.equal(await expire(inAnHour()), 1);
      assert.equal((await registry.get(mrn)).status, 200);
    });

    test('everything that belongs to it goes with it, and its declaration when it is empty', async () => {
      const mrn = registry.nextMrn();
      const containerId = ['JARU0000010'];
      await registry.put(
        mrn,
        declaration([
          house('B1', { containerId, routing: 'TO_ENTRY' }),
          house('B2', { containerId }),
        ]),
      );
      await registry.playground.present('entry-summary-declaration', 'forwarder', { mrn });
      await decide(mrn, 'B2', 'TO_CONTROL');
      await decide(mrn, 'B1', 'TO_CONTROL');
      const [counted] = await query(`
        with mine as (
          select id from house_consignment where ens_id = (select id from entry_summary_declaration where mrn = '${mrn}'))
        select (select count(*)::integer from routing_decision where house_consignment_id in (select id from mine)) as decisions,
        (select count(*)::integer from issued_signal) as issued,
        (select count(*)::integer from level_presentation) as levels`);
      assert.deepEqual(counted, { decisions: 3, issued: 4, levels: 1 });
      assert.equal(await expire(inAnHour()), 2);
      const [left] = await query(`
        with known as (select id from house_consignment)
        select
          (select count(*)::integer from signal_recipient where house_consignment_id not in (select id from known)) as recipients,
          (select count(*)::integer from house_consignment_container
            where house_consignment_id not in (select id from known)) as containers,
          (select count(*)::integer from routing_decision where house_consignment_id not in (select id from known)) as decisions,
          (select count(*)::integer from issued_signal) as issued,
          (select count(*)::integer from level_presentation) as levels`);
      assert.deepEqual(left, { recipients: 0, containers: 0, decisions: 0, issued: 0, levels: 0 });
      assert.equal((await registry.get(mrn)).status, 404);
      const [record] = await query<{ entry: string }>(
        `select entry from audit_record where entry like '%"house-consignments.expired"%"houseConsignments":2%'`,
      );
      assert.match(String(record?.entry), /"declarations":1/);
      const registrations = `select count(*)::integer as all,
        (count(*) filter (where id in (select registration from house_consignment)))::integer as used from registration`;
      const [before] = await query<{ all: number; used: number }>(registrations);
      assert(before !== undefined && before.all > before.used);
      for await (const _ of expireUnusedRegistrations(context(), inAnHour()));
      assert.deepEqual(await query(registrations), [{ all: before.used, used: before.used }]);
      // It can be registered again, and is new.
      assert.equal((await registry.put(mrn, declaration([house('B1')]))).status, 201);
      assert.deepEqual(
        (await find(mrn)).map(({ state }) => state),
        ['PRE_NOTIFIED'],
      );
    });

    test('one that is presented or registered at this moment is left to the next run, without a wait', async () => {
      const mrn = registry.nextMrn();
      await registry.put(mrn, declaration([house('C1', { routing: 'TO_ENTRY' })]));
      await registry.present('C1', mrn);
      for (const lock of [
        `select pg_advisory_xact_lock(${FEED_LOCK}, declarant) from entry_summary_declaration where mrn = '${mrn}'`,
        `select from entry_summary_declaration where mrn = '${mrn}' for no key update`,
      ]) {
        if (registry.database.kind === 'embedded') continue; // It has one session.
        await registry.database.transact(async (transaction) => {
          await transaction.query({ name: '', text: lock, values: [] });
          assert.equal(await expire(inAnHour()), 0);
        });
      }
      assert.equal(await expire(inAnHour()), 1);
    });

    for (const [path, members, reference] of [
      ['container', { containerId: ['JARU0000031'] }, { containerId: 'JARU0000031' }],
      [
        'receptacle',
        { receptacleId: 'GBLALADEFRAAACN60123001100251' },
        { receptacleId: 'GBLALADEFRAAACN60123001100251' },
      ],
      ['master-consignment', masterOf('RETAINED-M'), masterOf('RETAINED-M')],
      ['entry-summary-declaration', {}, undefined],
    ] as const) {
      test(`${path}: what enters a whole is flagged as long as goods of its presentation are kept`, async () => {
        const mrn = registry.nextMrn();
        const references = () => query('select level from presented_reference');
        await query('delete from presented_reference');
        await registry.put(mrn, declaration([house('K1', members)]));
        const presented = await registry.playground.present(
          path,
          'forwarder',
          reference ?? { mrn },
        );
        assert.equal(presented.status, 202, presented.text);
        assert.equal(await expire(inAnHour()), 0);
        await registry.put(mrn, declaration([house('K1', members), house('K2', members)]));
        const flags = (await find(mrn)).map(
          ({ addedAfterPresentation }) => addedAfterPresentation !== undefined,
        );
        assert.deepEqual(flags.sort(), [false, true]);
        // What has entered leaves again, and the goods that were presented are decided.
        await registry.put(mrn, declaration([house('K1', members)]));
        await expire(inAnHour());
        assert.equal((await references()).length, 1);
        await decide(mrn, 'K1', 'TO_CONTROL');
        if (registry.database.kind !== 'embedded') {
          // Somebody registers what the reference may reach, and has seen its presentation.
          await registry.database.transact(async (transaction) => {
            await transaction.query({
              name: '',
              text: `select lock_references(${REFERENCE_LOCK}, array(select reference from presented_reference), true)`,
              values: [],
            });
            await expire(inAnHour());
            assert.equal((await find(mrn)).length, 0);
          });
          assert.equal((await references()).length, 1);
        }
        await expire(inAnHour());
        assert.equal((await references()).length, 0);
      });
    }

    test('what is kept is found, shown and checked after its statuses and signals are gone', async () => {
      const mrn = registry.nextMrn();
      await registry.put(mrn, declaration([house('D1', { routing: 'TO_ENTRY' })]));
      await registry.present('D1', mrn);
      await registry.playground.present('house-consignment', 'carrier', { ...house('D1'), mrn });
      // The last entry of a feed stays, so that of this consignment must not be the last.
      const other = registry.nextMrn();
      await registry.put(other, declaration([house('D2', { routing: 'TO_ENTRY' })]));
      await registry.present('D2', other);
      await registry.playground.present('house-consignment', 'carrier', {
        ...house('D2'),
        mrn: other,
      });
      const [found] = await find(mrn);
      assert(found?.presented && found.lastSignal);
      for (const feed of [validationStatuses, routingSignals]) {
        for await (const _ of expireFeed(context(), feed, inAnHour()));
      }
      const [later] = await find(mrn);
      assert.deepEqual(later?.presented, found.presented);
      assert.deepEqual([later?.state, later?.lastSignal], ['SIGNALLED', undefined]);
      const history = await registry.playground.get(`${FIND}/${found.id}/history`, 'authority');
      assert.equal(history.status, 200, history.text);
      // The cast is true because the response was checked against openapi.json.
      const events = history.body as { event: string; details?: object }[];
      assert.deepEqual(
        events.map(({ event }) => event),
        ['PRE_NOTIFIED', 'DECIDED', 'PRESENTED'],
      );
      assert.deepEqual(events[2]?.details, { customsOfficeOfPresentation: 'NO351001' });
      for (const identity of ['forwarder', 'authority']) {
        const path = `/api/movement/routing/v1/release?identifier=D1`;
        const checked = await registry.playground.get(path, identity);
        assert.equal((checked.body as ReleaseCheck).outcome, 'TO_ENTRY', checked.text);
      }
      assert.equal(await expire(inAnHour()), 2);
      const gone = await registry.playground.get(
        '/api/movement/routing/v1/release?identifier=D1',
        'forwarder',
      );
      assert.equal((gone.body as ReleaseCheck).outcome, 'UNKNOWN');
      assert.equal(
        (await registry.playground.get(`${FIND}/${found.id}/history`, 'authority')).status,
        404,
      );
      assert.equal((await registry.present('D1', mrn)).status, 400);
    });
  });
}
