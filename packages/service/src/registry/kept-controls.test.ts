// A control that an officer or a system has decided is on whatever is lodged of the same goods after they were withdrawn.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoutingSignal } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { AUDIT_LOCK } from '../database/locks.js';
import { feedKinds } from '../feed-kinds.js';
import { closeMovements, expireConsignments } from '../retention/end-movements.js';
import { expireHouseConsignments } from '../retention/expire-house-consignments.js';
import { checkSignals } from '../testing/check-signals.js';
import { drawnDatabases } from '../testing/databases.js';
import { houseMessage, roadDocument, TestMovements } from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';
import { DECLARATIONS } from '../testing/registry-client.js';
import { until } from '../testing/until.js';

const AUTHORITY = '/api/authority/v1';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`controls of withdrawn goods on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let road: TestMovements;
    let air: TestMovements;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      road = new TestMovements(playground);
      air = new TestMovements(playground, 'air');
      const as = 'authority';
      const put = await playground.call(`${AUTHORITY}/routing-profiles/open`, {
        as,
        method: 'PUT',
        body: { salt: 's', rules: [{ name: 'all', routing: 'TO_ENTRY' }] },
      });
      const { version } = put.body as { version: number };
      const live = `${AUTHORITY}/live-routing-profile`;
      await playground.call(live, { as, method: 'PUT', body: { name: 'open', version } });
    });
    after(() => playground.close());

    const run = <Row extends object>(text: string, values: unknown[] = []) =>
      database.query<Row>({ name: '', text, values });
    const numberOf = (as: string) => playground.credentials(as).organisation.replace('0192:', 'NO');
    /** A house consignment under a master consignment, unless another place is said. */
    const message = (
      number: string,
      { master = `${number}-M`, representative, ...more }: Record<string, unknown> = {},
    ) => ({
      ...houseMessage(number, {
        ...(more.receptacle === undefined && { master: master as string }),
        ...more,
      }),
      ...(representative !== undefined && {
        representative: {
          name: 'Spedisjon AS',
          identificationNumber: numberOf(representative as string),
          address: { city: 'Oslo', country: 'NO' },
          communication: [],
        },
      }),
    });
    const lodge = (number: string, more: Record<string, unknown> = {}, as = 'forwarder') =>
      road.lodge('house-consignment', message(number, more), as);
    const decide = async (mrn: string, number: string, routing: string, more: object = {}) => {
      const response = await playground.call(`${AUTHORITY}/routing-decisions`, {
        as: 'authority',
        method: 'POST',
        body: [
          {
            mrn,
            transportDocumentHouseLevel: roadDocument(number),
            routing,
            reason: 'checked',
            ...more,
          },
        ],
      });
      assert.match(response.text, /"DECIDED"/);
    };
    /** Lodges goods that a system sends to control, and withdraws them; gives their MRN. */
    const controlled = async (
      number: string,
      more: Record<string, unknown> = {},
      as = 'forwarder',
    ) => {
      const mrn = await lodge(number, more, as);
      await decide(mrn, number, 'TO_CONTROL', { routingControlLocation: 'ON_ENTRY' });
      await road.cancel('house-consignment', mrn, as);
      return mrn;
    };
    /** Registers an ENS with one house consignment, or changes it. */
    const registerEns = async (
      mrn: string,
      number: string,
      version: number,
      by = 'forwarder',
      { representative, master = `${number}-M` }: { representative?: string; master?: string } = {},
    ) => {
      const response = await playground.call(`${DECLARATIONS}/${mrn}`, {
        as: 'authority',
        method: 'PUT',
        body: {
          version,
          customsOfficeOfFirstEntry: 'NO351001',
          declarant: playground.credentials(by).organisation,
          ...(representative !== undefined && {
            representative: playground.credentials(representative).organisation,
          }),
          houseConsignments: [
            {
              transportDocumentHouseLevel: roadDocument(number),
              transportDocumentMasterLevel: roadDocument(master),
            },
          ],
        },
      });
      assert.ok(response.status < 300, response.text);
    };
    const routingOf = async (mrn: string) => {
      const [row] = await run<{ routing: string | null }>(
        'select routing from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = $1',
        [mrn],
      );
      return row?.routing;
    };
    const decisionsOf = async (mrn: string) => {
      const [row] = await run<{ id: string }>(
        'select h.id from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = $1',
        [mrn],
      );
      const path = `${AUTHORITY}/house-consignments/${row?.id}/decisions`;
      const { body } = await playground.get(path, 'authority');
      return body as {
        routing: string;
        routingControlLocation?: string;
        origin: string;
        reason?: string;
      }[];
    };
    /** When goods that are withdrawn were decided first, as the interfaces say it. */
    const decidedAt = async (mrn: string) => {
      const [row] = await run<{ at: string }>(
        `select api_time(min(decided_at)) as at from routing_decision d
         join withdrawn_house_consignment h on h.id = d.house_consignment_id join declaration e on e.id = h.ens_id
         where e.mrn = $1 and d.origin in ('ENGINE', 'OFFICER')`,
        [mrn],
      );
      return row?.at;
    };
    const signalsOf = async (mrn: string, as: string) => {
      const path = '/api/movement/routing/v1/house-consignment?limit=1000';
      const { body } = await playground.get(path, as);
      return (body as (RoutingSignal & { houseConsignmentMRN?: string })[]).flatMap(
        ({ houseConsignmentMRN, routingResult }) =>
          houseConsignmentMRN === mrn ? routingResult.routing : [],
      );
    };
    const present = async (number: string, mrn: string, as = 'forwarder') => {
      const reference = { transportDocumentHouseLevel: roadDocument(number), mrn };
      const response = await playground.present('house-consignment', as, reference);
      assert.equal(response.status, 202, response.text);
    };
    const context = () => ({
      database,
      audit: new AuditTrail(),
      clock: () => new Date(),
      movedClock: undefined,
    });
    const inAMinute = () => new Date(Date.now() + 60_000);

    test('goods that are cancelled and lodged again are under the control that was decided on them', async () => {
      const first = await controlled('K1');
      const again = await lodge('K1');
      const decisions = await decisionsOf(again);
      const { routing, routingControlLocation, origin, reason } = decisions.at(-1) ?? assert.fail();
      assert.deepEqual(
        { routing, routingControlLocation, origin, reason },
        {
          routing: 'TO_CONTROL',
          routingControlLocation: 'ON_ENTRY',
          origin: 'ENGINE',
          reason: `Taken over from ${first}, decided at ${await decidedAt(first)}: checked`,
        },
      );
      assert.deepEqual(await signalsOf(again, 'forwarder'), []);
      const records = await run(
        `select from audit_record where entry like '%"takenFrom":"' || $1 || '"%'`,
        [first],
      );
      assert.equal(records.length, 1);
      await present('K1', again);
      assert.deepEqual(await signalsOf(again, 'forwarder'), ['TO_CONTROL']);
    });

    test('however often they are cancelled, the reason names the goods on which it was decided', async () => {
      const first = await controlled('K2');
      for (let times = 0; times < 3; times++) {
        const mrn = await lodge('K2', { master: `K2-M${times}` });
        const reason = `Taken over from ${first}, decided at ${await decidedAt(first)}: checked`;
        assert.equal((await decisionsOf(mrn)).at(-1)?.reason, reason);
        const taken = await run(
          `select from audit_record where entry like '%"takenFrom":"' || $1 || '"%'`,
          [first],
        );
        assert.equal(taken.length, times + 1);
        await road.cancel('house-consignment', mrn);
      }
      const [row] = await run<{ rows: number }>(
        `select count(*)::integer as rows from kept_control where document_key = 'K2'`,
      );
      // One for the submitter, and one for each master document.
      assert.equal(row?.rows, 5);
    });

    /** How goods may come again after they were withdrawn, and whether the control is on them. */
    const ways: Record<
      string,
      { isControlled: boolean; again: (number: string) => Promise<string> }
    > = {
      'under another master document': {
        isControlled: true,
        again: (number) => lodge(number, { master: `${number}-other` }),
      },
      'on their own': {
        isControlled: true,
        again: (number) => road.lodge('house-consignment', houseMessage(number)),
      },
      'in another mode': {
        isControlled: true,
        again: (number) => air.lodge('house-consignment', message(number)),
      },
      'with another spelling': {
        isControlled: true,
        again: (number) => lodge(number.toLowerCase(), { master: 'any' }),
      },
      'by their representative': {
        isControlled: true,
        again: (number) => lodge(number, { master: `${number}-other` }, 'haulier'),
      },
      'by a stranger under the same master document': {
        isControlled: true,
        again: (number) => lodge(number, {}, 'express'),
      },
      'by a stranger under another master document': {
        isControlled: false,
        again: (number) => lodge(number, { master: `${number}-other` }, 'express'),
      },
      'in an ENS': {
        isControlled: true,
        again: async (number) => {
          const mrn = `26NO8${number.padStart(12, '0')}A`;
          await registerEns(mrn, number, 1);
          return mrn;
        },
      },
      'elsewhere, and replaced': {
        isControlled: true,
        again: async (number) => {
          const mrn = await lodge(number, { master: `${number}-other` }, 'express');
          assert.equal(await routingOf(mrn), 'TO_ENTRY');
          await road.replace('house-consignment', mrn, message(number), 'express');
          return mrn;
        },
      },
    };
    for (const [index, [way, { isControlled, again }]] of Object.entries(ways).entries()) {
      test(`goods that come again ${way} are ${isControlled ? '' : 'not '}under the control`, async () => {
        const number = `W${index}`;
        await controlled(number, { representative: 'haulier' });
        assert.equal(
          await routingOf(await again(number)),
          isControlled ? 'TO_CONTROL' : 'TO_ENTRY',
        );
      });
    }

    test('goods in a receptacle keep the control', async () => {
      await controlled('MAIL', { receptacle: 'KR1' });
      assert.equal(
        await routingOf(await lodge('MAIL', { receptacle: 'KR1' }, 'express')),
        'TO_CONTROL',
      );
    });

    test('what is lodged in another mode beside controlled goods is under the control too', async () => {
      const first = await lodge('K3');
      await decide(first, 'K3', 'TO_CONTROL');
      const second = await air.lodge('house-consignment', message('K3'));
      assert.equal(await routingOf(second), 'TO_CONTROL');
    });

    test('a control is on what was lodged in another mode before it, and a release is not', async () => {
      const first = await lodge('K3B');
      const [second, third] = [
        await air.lodge('house-consignment', message('K3B'), 'express'),
        await lodge('K3B', { master: 'K3B-other' }, 'express'),
      ];
      await decide(first, 'K3B', 'TO_CONTROL');
      assert.deepEqual(await Promise.all([first, second, third].map(routingOf)), [
        'TO_CONTROL',
        'TO_CONTROL',
        'TO_ENTRY',
      ]);
      await decide(first, 'K3B', 'TO_ENTRY');
      assert.equal(await routingOf(second), 'TO_CONTROL');
    });

    test('a control is on presented goods beside its own with signals, unless they are released', async () => {
      const incomplete = { importProcedure: undefined };
      const first = await lodge('K3C', incomplete);
      const waiting = await air.lodge('house-consignment', message('K3C', incomplete), 'express');
      const rail = new TestMovements(playground, 'rail');
      const released = await rail.lodge('house-consignment', message('K3C', incomplete), 'carrier');
      await present('K3C', waiting, 'express');
      await present('K3C', released, 'carrier');
      await decide(released, 'K3C', 'TO_ENTRY');
      await decide(first, 'K3C', 'TO_CONTROL');
      assert.deepEqual(await signalsOf(waiting, 'express'), ['TO_CONTROL']);
      assert.deepEqual(await signalsOf(released, 'carrier'), ['TO_ENTRY']);
    });

    test('goods that have expired keep the control', async () => {
      const first = await lodge('K4');
      await decide(first, 'K4', 'TO_CONTROL');
      for await (const ended of expireConsignments(context(), inAMinute())) assert.ok(ended >= 0);
      assert.equal(await routingOf(first), undefined);
      assert.equal(await routingOf(await lodge('K4')), 'TO_CONTROL');
    });

    test('goods of a withdrawn ENS keep the control', async () => {
      const mrn = '26NO8ENS0000000000A'.slice(0, 18);
      await registerEns(mrn, 'K5', 1);
      await decide(mrn, 'K5', 'TO_CONTROL');
      const response = await playground.call(`${DECLARATIONS}/${mrn}`, {
        as: 'authority',
        method: 'DELETE',
        headers: { 'if-match': '*' },
      });
      assert.ok(response.status < 300, response.text);
      assert.equal(await routingOf(await lodge('K5')), 'TO_CONTROL');
    });

    test('what is released after it was taken over stays released', async () => {
      await controlled('K6');
      const again = await lodge('K6');
      await decide(again, 'K6', 'TO_ENTRY');
      await road.replace('house-consignment', again, message('K6', { numberOfPackages: 4 }));
      assert.equal(await routingOf(again), 'TO_ENTRY');
    });

    test('what a profile has decided is decided by it again', async () => {
      const first = await lodge('K7');
      assert.equal(await routingOf(first), 'TO_ENTRY');
      await road.cancel('house-consignment', first);
      assert.equal((await decisionsOf(await lodge('K7'))).at(-1)?.origin, 'PROFILE');
    });

    test('presented goods that come to be the same take the control, and it is signalled', async () => {
      await controlled('K8');
      const other = await road.lodge(
        'house-consignment',
        houseMessage('K8', { importProcedure: undefined }),
        'express',
      );
      await present('K8', other, 'express');
      await road.replace(
        'house-consignment',
        other,
        message('K8', { importProcedure: undefined }),
        'express',
      );
      assert.equal(await routingOf(other), 'TO_CONTROL');
      assert.deepEqual(await signalsOf(other, 'express'), ['TO_CONTROL']);
    });

    const close = async () => {
      for await (const ended of closeMovements(context(), inAMinute())) assert.ok(ended >= 0);
    };

    test('what is closed under control ends nothing, and what is closed released frees its numbers', async () => {
      await controlled('K9');
      const again = await lodge('K9');
      await present('K9', again);
      await close();
      const third = await lodge('K9');
      assert.equal(await routingOf(third), 'TO_CONTROL');
      await decide(third, 'K9', 'TO_ENTRY');
      await present('K9', third);
      await close();
      assert.equal(await routingOf(await lodge('K9')), 'TO_ENTRY');
    });

    test('what took no control over ends none when it is closed', async () => {
      const stranger = await lodge('K9B', { master: 'K9B-other' }, 'express');
      await controlled('K9B', { representative: 'haulier' });
      await present('K9B', stranger, 'express');
      await close();
      assert.equal(await routingOf(await lodge('K9B')), 'TO_CONTROL');
    });

    // The embedded database runs one transaction at a time.
    if (name !== 'embedded') {
      test('a decision waits for goods that are lodged beside at the same moment', async () => {
        const first = await lodge('AT-ONCE');
        const waiting = async (count: number) => {
          const [row] = await run<{ waits: number }>(
            `select count(*)::integer as waits from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
          );
          return (row?.waits ?? 0) >= count;
        };
        let lodging: Promise<string> | undefined;
        let deciding: Promise<void> | undefined;
        // Whoever writes an audit record waits, and has looked for what is the same goods before.
        await database.transact(async (transaction) => {
          await transaction.run(
            `select pg_advisory_xact_lock(${AUDIT_LOCK}, chain) from generate_series(0, 64) chain`,
          );
          lodging = air.lodge(
            'house-consignment',
            message('AT-ONCE', { master: 'AT-ONCE-M' }),
            'express',
          );
          await until(() => waiting(1));
          deciding = decide(first, 'AT-ONCE', 'TO_CONTROL');
          await until(() => waiting(2));
        });
        await deciding;
        assert.equal(await routingOf((await lodging) ?? ''), 'TO_CONTROL');
      });
    }

    test('an organisation lodges the same goods a hundred times, and a control is on all of them', async () => {
      const mrns = await Promise.all(
        Array.from({ length: 100 }, (_, carrier) =>
          lodge('MANY', { carrier: `NO7777777${carrier}` }),
        ),
      );
      const many = { carrier: 'NO666666666', master: 'MANY-M' };
      const { status, ...rest } = await road.carryOut(
        'POST',
        'house-consignment',
        message('MANY', many),
      );
      assert.equal(status, 'FAILURE');
      assert.match(JSON.stringify(rest), /DUPLICATE/);
      const [other] = [
        await lodge('MANY', many, 'express'),
        await lodge('MANY', { ...many, master: 'other' }),
      ];
      const moved = await road.carryOut(
        'PUT',
        `house-consignment/${await lodge('MANY', { master: 'third' })}`,
        message('MANY', many),
      );
      assert.equal(moved.status, 'FAILURE');
      await decide(mrns[0] ?? '', 'MANY', 'TO_CONTROL');
      const routings = new Set(await Promise.all([...mrns, other].map(routingOf)));
      assert.deepEqual([...routings], ['TO_CONTROL']);
    });

    test('what was lodged before the control was kept ends nothing when it is closed', async () => {
      const other = await lodge('K10', { master: 'K10-other' });
      await controlled('K10');
      await present('K10', other);
      for await (const ended of closeMovements(context(), inAMinute())) assert.ok(ended >= 0);
      assert.equal(await routingOf(await lodge('K10')), 'TO_CONTROL');
    });

    test('the signals are those of the decisions, and the audit trail covers it', async () => {
      assert.deepEqual(await checkSignals(database), []);
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    });

    test('a control is kept for a year, and no longer than the goods on which it was decided', async () => {
      await controlled('K11');
      await controlled('K12');
      await run(
        `update kept_control set kept_at = now() - interval '367 days' where document_key = 'K11'`,
      );
      assert.equal(await routingOf(await lodge('K11')), 'TO_ENTRY');
      assert.ok((await run('select from kept_control')).length > 0);
      for await (const removed of expireHouseConsignments(context(), inAMinute())) {
        assert.ok(removed >= 0);
      }
      assert.equal((await run('select from kept_control')).length, 0);
      assert.equal(await routingOf(await lodge('K12')), 'TO_ENTRY');
    });

    test('goods that are current have a party still if its role changes, and no more if another one takes its place', async () => {
      const [mrn, second, third] = [
        '26NO8ENS0000000001',
        '26NO8ENS0000000002',
        '26NO8ENS0000000003',
      ];
      const isControlled = async (other: string, by: string) => {
        await registerEns(other, 'K5B', 1, by, { master: `K5B-${other}` });
        return (await routingOf(other)) === 'TO_CONTROL';
      };
      await registerEns(mrn, 'K5B', 1, 'forwarder', { representative: 'haulier' });
      await decide(mrn, 'K5B', 'TO_CONTROL');
      await registerEns(mrn, 'K5B', 2, 'haulier');
      assert.equal(await isControlled(second, 'haulier'), false);
      assert.equal(await isControlled(third, 'forwarder'), true);
    });
  });

  describe(`controls of withdrawn goods where expected parties present, on ${name}`, {
    skip,
  }, () => {
    test('whoever was only named as a representative keeps no control, and gets none', async () => {
      const database = await open();
      const playground = await TestPlayground.start(database, { presenters: 'expected' });
      const road = new TestMovements(playground);
      try {
        const named = (as: string) => ({
          representative: {
            name: 'Spedisjon AS',
            identificationNumber: playground.credentials(as).organisation.replace('0192:', 'NO'),
            address: { city: 'Oslo', country: 'NO' },
            communication: [],
          },
        });
        const lodge = (master: string, as: string, more: object = {}) =>
          road.lodge('house-consignment', { ...houseMessage('R1', { master }), ...more }, as);
        const routingOf = async (mrn: string) => {
          const [row] = await database.query<{ routing: string | null }>({
            name: '',
            text: 'select routing from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = $1',
            values: [mrn],
          });
          return row?.routing;
        };
        const first = await lodge('R1-A', 'forwarder', named('haulier'));
        const response = await playground.post(`${AUTHORITY}/routing-decisions`, 'authority', [
          { mrn: first, transportDocumentHouseLevel: roadDocument('R1'), routing: 'TO_CONTROL' },
        ]);
        assert.match(response.text, /"DECIDED"/);
        await road.cancel('house-consignment', first);
        assert.notEqual(await routingOf(await lodge('R1-B', 'haulier')), 'TO_CONTROL');
        assert.notEqual(
          await routingOf(await lodge('R1-C', 'carrier', named('forwarder'))),
          'TO_CONTROL',
        );
        assert.equal(await routingOf(await lodge('R1-D', 'forwarder')), 'TO_CONTROL');
      } finally {
        await playground.close();
      }
    });
  });
}
