// The arrival of transports: what they reach is presented, connected, decided and signalled once, in any order of lodging and
// arriving, and whoever else is at work.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { checkSignals } from '../testing/check-signals.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  houseMessage,
  inHours,
  masterMessage,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';

/** The carrier of all messages, which reports the arrivals. */
const carrier = 'NO310000124';
const REPORTER = 'haulier';

type Signal = Record<string, unknown> & {
  houseConsignmentMRN?: string;
  routingResult: { routing: string };
};

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`arrivals on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let movements: TestMovements;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      movements = new TestMovements(playground);
    });
    after(async () => {
      assert.deepEqual(await checkSignals(database), []);
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
      await playground.close();
    });

    /** All signals of an organisation about some goods. */
    const signalsOf = async (as: string, mrns: readonly string[]): Promise<Signal[]> => {
      const signals: Signal[] = [];
      for (let marker: string | undefined; ; ) {
        const query = marker === undefined ? '' : `?marker=${marker}`;
        const path = `/api/movement/routing/v1/house-consignment${query}`;
        const response = await playground.get(path, as);
        const page = response.body as (Signal & { routingResult: { id: string } })[];
        signals.push(...page);
        marker = page.at(-1)?.routingResult.id;
        if (marker === undefined) break;
      }
      return signals.filter(({ houseConsignmentMRN: mrn }) => mrns.includes(mrn ?? ''));
    };
    /** Which goods each of these organisations has signals of, in order. */
    const signalled = async (mrns: readonly string[], organisations: readonly string[]) => {
      const found = await Promise.all(
        organisations.map(async (as) => {
          const signals = await signalsOf(as, mrns);
          return signals.map(({ houseConsignmentMRN }) => mrns.indexOf(houseConsignmentMRN ?? ''));
        }),
      );
      return found.map((each) => each.sort());
    };
    const message = async (mrn: string, as: string) => {
      const { body } = await playground.get(`/api/movement/road/v2/transport/${mrn}`, as);
      return body as { state: string; arrivedAt?: string; message: Record<string, unknown> };
    };

    test('what a transport reaches is presented, decided and signalled to its parties, before the response', async () => {
      const transport = await movements.lodge(
        'transport',
        transportMessage('AR1', { masters: ['AM1', 'AM2'], houses: ['AD'], carrier }),
        'carrier',
      );
      const master = await movements.lodge(
        'master-consignment',
        masterMessage('AM1', { carrier }),
        'forwarder',
      );
      await movements.lodge(
        'master-consignment',
        masterMessage('AM2', { receptacles: ['AREC'], carrier }),
        'express',
      );
      const houses = [
        await movements.lodge(
          'house-consignment',
          houseMessage('A1-CONTROL', { master: 'AM1', carrier }),
          REPORTER,
        ),
        await movements.lodge(
          'house-consignment',
          houseMessage('A2', { receptacle: 'AREC' }),
          REPORTER,
        ),
        await movements.lodge(
          'house-consignment',
          houseMessage('AD', { isDirect: true, carrier }),
          'express',
        ),
        // Nothing reaches it.
        await movements.lodge(
          'house-consignment',
          houseMessage('A4', { master: 'AM4', carrier }),
          REPORTER,
        ),
      ];
      const parties = ['carrier', 'forwarder', 'express', REPORTER];
      assert.deepEqual(await signalled(houses, parties), [[], [], [], []]);
      const at = inHours(-1);
      const status = await movements.arrive(transport, REPORTER, { dateAndTimeOfArrival: at });
      assert.deepEqual(
        [status.status, status.mrn, status.mode, status.level, status.operation],
        ['SUCCESS', transport, 'road', 'ARRIVAL', 'LODGE'],
      );
      assert.deepEqual(await signalled(houses, parties), [[0, 1, 2], [0], [1, 2], [0, 1]]);

      const [signal] = await signalsOf('carrier', houses.slice(0, 1));
      const { message: sent, arrivedAt } = await message(transport, 'carrier');
      assert.equal(arrivedAt?.slice(0, 19), at.slice(0, 19));
      assert.deepEqual(
        [
          signal?.routingResult.routing,
          signal?.estimatedTimeOfArrival,
          signal?.scheduledTimeOfArrival,
          signal?.activeBorderTransportMeans,
        ],
        [
          'TO_CONTROL',
          sent.estimatedDateAndTimeOfArrival,
          sent.scheduledDateAndTimeOfArrival,
          { identificationNumber: 'AR1', typeOfIdentification: '30' },
        ],
      );

      const found = await playground.get(
        `/api/authority/v1/house-consignments?mrn=${houses[0]}`,
        'authority',
      );
      const [{ id }] = found.body as [{ id: string }];
      const history = await playground.get(
        `/api/authority/v1/house-consignments/${id}/history`,
        'authority',
      );
      const events = history.body as { event: string; organisation?: string; details?: unknown }[];
      const { organisation, details } =
        events.find(({ event }) => event === 'PRESENTED') ?? assert.fail();
      assert.equal(organisation, playground.credentials('carrier').organisation);
      assert.deepEqual(details, {
        level: 'ARRIVAL',
        customsOfficeOfPresentation: 'NO371001',
        transport,
        masterConsignment: master,
      });

      // Reported once more, it changes nothing.
      const again = await movements.arrive(transport, REPORTER, { dateAndTimeOfArrival: at });
      assert.equal(again.status, 'SUCCESS');
      const elsewhere = await movements.arrive(transport, 'carrier', {
        dateAndTimeOfArrival: at,
        customsOfficeOfArrival: { referenceNumber: 'NO351001' },
      });
      assert.deepEqual(codesOf(elsewhere), ['ALREADY_ARRIVED']);
      assert.deepEqual(await signalled(houses, parties), [[0, 1, 2], [0], [1, 2], [0, 1]]);

      // It keeps what it has presented.
      const cancelled = await movements.carryOut('DELETE', `transport/${transport}`, {}, 'carrier');
      assert.deepEqual(codesOf(cancelled), ['PRESENTED']);
      const { consignmentMasterLevel: _, ...less } = sent;
      const replaced = await movements.carryOut('PUT', `transport/${transport}`, less, 'carrier');
      assert.deepEqual(codesOf(replaced), ['PRESENTED']);
      const moved = {
        ...sent,
        carrier: { ...(sent.carrier as object), identificationNumber: 'NO1' },
      };
      const other = await movements.carryOut('PUT', `transport/${transport}`, moved, 'carrier');
      assert.deepEqual(codesOf(other), ['PRESENTED']);
    });

    for (const first of ['presentation', 'arrival']) {
      test(`the history of an arrival is its own if a presentation has its UUID, the ${first} first`, async () => {
        const own = (text: string) => `${text}-${first}`;
        const requestId = randomUUID();
        const transport = await movements.lodge(
          'transport',
          transportMessage(own('HI'), { houses: [own('HI1')], carrier }),
          'carrier',
        );
        const house = await movements.lodge(
          'house-consignment',
          houseMessage(own('HI1'), { isDirect: true, carrier }),
        );
        const other = await movements.lodge('house-consignment', houseMessage(own('HI2')));
        const steps = {
          presentation: async () => {
            const reference = {
              transportDocumentHouseLevel: { documentNumber: own('HI2'), type: 'N730' as const },
            };
            const path = 'house-consignment';
            const { status, text } = await playground.present(
              path,
              'carrier',
              reference,
              requestId,
            );
            assert.equal(status, 202, text);
          },
          arrival: async () => {
            assert.equal(
              (await movements.arrive(transport, REPORTER, { requestId })).status,
              'SUCCESS',
            );
          },
        };
        const order =
          first === 'arrival'
            ? (['arrival', 'presentation'] as const)
            : (['presentation', 'arrival'] as const);
        for (const step of order) await steps[step]();
        const levels = await Promise.all([house, other].map(presentedAtLevels));
        assert.deepEqual(levels, [['ARRIVAL'], ['HOUSE_CONSIGNMENT']]);
      });
    }

    /** The levels at which the history of goods has them presented. */
    const presentedAtLevels = async (mrn: string) => {
      const goods = '/api/authority/v1/house-consignments';
      const found = await playground.get(`${goods}?mrn=${mrn}`, 'authority');
      const [{ id }] = found.body as [{ id: string }];
      const history = await playground.get(`${goods}/${id}/history`, 'authority');
      const events = history.body as { event: string; details?: { level?: string } }[];
      return events.flatMap(({ event, details }) => (event === 'PRESENTED' ? details?.level : []));
    };

    test('an arrival is refused by its status, and to others the transport is unknown', async () => {
      const transport = await movements.lodge(
        'transport',
        transportMessage('BR1', { carrier }),
        'carrier',
      );
      const refused = async (more: Record<string, unknown>) =>
        codesOf(await movements.arrive(transport, REPORTER, more));
      assert.deepEqual(await refused({ dateAndTimeOfArrival: inHours(0.3) }), [
        'TIME_OUT_OF_RANGE',
      ]);
      assert.deepEqual(await refused({ dateAndTimeOfArrival: inHours(-73) }), [
        'TIME_OUT_OF_RANGE',
      ]);
      assert.deepEqual(await refused({ customsOfficeOfArrival: { referenceNumber: 'NO000000' } }), [
        'UNKNOWN_CODE',
      ]);
      assert.equal((await message(transport, 'carrier')).arrivedAt, undefined);

      const report = (mrn: string, as: string, more: Record<string, unknown> = {}) =>
        playground.post('/api/movement/arrival/v1/transport-arrival', as, {
          mrn,
          dateAndTimeOfArrival: inHours(0),
          customsOfficeOfArrival: { referenceNumber: 'NO371001' },
          ...more,
        });
      const foreign = await movements.lodge('transport', transportMessage('BR2'), 'forwarder');
      const house = await movements.lodge('house-consignment', houseMessage('BH'), REPORTER);
      for (const [mrn, as] of [
        [foreign, REPORTER],
        [foreign, 'carrier'],
        [house, REPORTER],
        ['26NO7K2M4Q9XWR5HT0', REPORTER],
      ] as const) {
        const { status, body } = await report(mrn, as);
        assert.equal(status, 404);
        const { detail } = body as { detail: string };
        assert.equal(detail, `This organisation has no message ${mrn} here`);
      }
      assert.equal((await report(transport, 'forwarder')).status, 403);
      const empty = await report('no MRN', REPORTER, { dateAndTimeOfArrival: null });
      assert.equal(empty.status, 400);

      const requestId = randomUUID();
      await movements.cancel('transport', transport, 'carrier');
      const ended = await movements.arrive(transport, REPORTER, { requestId });
      assert.deepEqual([ended.requestId, ...codesOf(ended)], [requestId, 'NOT_CURRENT']);
      assert.equal((await report(transport, REPORTER, { requestId })).status, 400);
      // It is no status of a message.
      const path = `/api/movement/road/status/v2/transport/validation-status/${requestId}`;
      assert.equal((await playground.get(path, REPORTER)).status, 404);
      const feed = await playground.get('/api/movement/status/v1/validation-status', REPORTER);
      const statuses = feed.body as { requestId: string; level: string }[];
      assert.equal(statuses.find((each) => each.requestId === requestId)?.level, 'ARRIVAL');
    });

    test('every order of lodging and arriving ends in the same signals, each once', async () => {
      let runs = 0;
      const inOrder = async (order: number[], isAtOnce: boolean) => {
        const run = runs++;
        const own = (text: string) => `${text}-${run}`;
        // It must be there to arrive.
        const transport = await movements.lodge(
          'transport',
          transportMessage(own('CR'), {
            masters: [own('CM1'), own('CM2')],
            houses: [own('CD')],
            carrier,
          }),
          'carrier',
        );
        const mrns: string[] = [];
        const house = (index: number, body: unknown, as: string) => async () => {
          mrns[index] = await movements.lodge('house-consignment', body, as);
        };
        const steps = [
          () =>
            movements.lodge(
              'master-consignment',
              masterMessage(own('CM1'), { carrier }),
              'forwarder',
            ),
          () =>
            movements.lodge(
              'master-consignment',
              masterMessage(own('CM2'), { receptacles: [own('CREC')], carrier }),
              'express',
            ),
          house(0, houseMessage(own('C0'), { master: own('CM1'), carrier }), REPORTER),
          house(1, houseMessage(own('C1'), { receptacle: own('CREC') }), 'forwarder'),
          house(2, houseMessage(own('CD'), { isDirect: true, carrier }), 'express'),
          async () => {
            const { status } = await movements.arrive(transport, REPORTER);
            assert.equal(status, 'SUCCESS');
          },
        ];
        if (isAtOnce) await Promise.all(order.map((index) => steps[index]?.()));
        else for (const index of order) await steps[index]?.();
        // What is lodged after the arrival is presented before its response, and decided soon after that.
        assert.deepEqual(
          await presented(mrns),
          ['carrier,haulier,forwarder', 'carrier,forwarder,express', 'carrier,express'].map(
            (each) => each.split(',').sort().join(),
          ),
        );
        const parties = ['carrier', 'forwarder', 'express', REPORTER];
        await untilSignalled(mrns, parties, [[0, 1, 2], [0, 1], [1, 2], [0]]);
      };
      const all = [0, 1, 2, 3, 4, 5];
      const orders = fc.shuffledSubarray(all, { minLength: all.length });
      await fc.assert(
        fc.asyncProperty(orders, (order) => inOrder(order, false)),
        { numRuns: 12 },
      );
      for (let run = 0; run < 10; run++) await inOrder(all, true);
    });

    /** The identities that are connected to each of these goods. */
    const presented = async (mrns: readonly string[]): Promise<string[]> => {
      const names = new Map(
        playground.playground.identities.map((each) => [each.organisation, each.name]),
      );
      const rows = await database.query<{ mrn: string; organisations: string[] }>({
        name: '',
        text: `
          select e.mrn, array_agg(o.identifier) as organisations
          from declaration e join house_consignment h on h.ens_id = e.id
          join signal_recipient c on c.house_consignment_id = h.id join organisation o on o.id = c.organisation_id
          where e.mrn = any ($1) group by e.mrn`,
        values: [mrns],
      });
      const byMrn = new Map(rows.map(({ mrn, organisations }) => [mrn, organisations]));
      return mrns.map((mrn) =>
        (byMrn.get(mrn) ?? [])
          .map((each) => names.get(each))
          .sort()
          .join(),
      );
    };
    const untilSignalled = async (
      mrns: readonly string[],
      parties: readonly string[],
      expected: number[][],
    ) => {
      for (const end = performance.now() + 5000; ; ) {
        const found = await signalled(mrns, parties);
        try {
          assert.deepEqual(found, expected);
          return;
        } catch (error) {
          if (performance.now() > end) throw error;
        }
      }
    };

    test('a lorry that was swapped arrives as another transport', async () => {
      const lorry = (means: string) => transportMessage(means, { masters: ['DM'], carrier });
      const first = await movements.lodge('transport', lorry('DR1'), 'carrier');
      await movements.lodge('master-consignment', masterMessage('DM', { carrier }));
      const house = await movements.lodge(
        'house-consignment',
        houseMessage('D1', { master: 'DM', carrier }),
      );
      await movements.cancel('transport', first, 'carrier');
      const second = await movements.lodge('transport', lorry('DR2'), 'carrier');
      assert.deepEqual(codesOf(await movements.arrive(first, REPORTER)), ['NOT_CURRENT']);
      assert.deepEqual(await presented([house]), ['']);
      assert.equal((await movements.arrive(second, REPORTER)).status, 'SUCCESS');
      assert.deepEqual(await presented([house]), ['carrier,forwarder']);
      const [signal] = await signalsOf('forwarder', [house]);
      assert.deepEqual(signal?.activeBorderTransportMeans, {
        identificationNumber: 'DR2',
        typeOfIdentification: '30',
      });
    });

    test('a replacement after the arrival completes goods, and adds what the transport reaches', async () => {
      const transport = await movements.lodge(
        'transport',
        transportMessage('ER1', { masters: ['EM1'], carrier }),
        'carrier',
      );
      await movements.lodge('master-consignment', masterMessage('EM1', { carrier }));
      await movements.lodge('master-consignment', masterMessage('EM2', { carrier }));
      const goods = (number: string, master: string, more = {}) =>
        houseMessage(number, { master, carrier, ...more });
      const incomplete = { importProcedure: undefined };
      const first = await movements.lodge('house-consignment', goods('E1', 'EM1', incomplete));
      const second = await movements.lodge('house-consignment', goods('E2', 'EM2'));
      await movements.arrive(transport, REPORTER);
      assert.deepEqual(await presented([first, second]), ['carrier,forwarder', '']);
      assert.deepEqual(await signalled([first, second], ['carrier']), [[]]);
      await movements.replace('house-consignment', first, goods('E1', 'EM1'));
      await untilSignalled([first, second], ['carrier', 'forwarder'], [[0], [0]]);
      const { message: sent } = await message(transport, 'carrier');
      const more = transportMessage('ER1', { masters: ['EM1', 'EM2'], carrier });
      await movements.replace(
        'transport',
        transport,
        { ...sent, consignmentMasterLevel: more.consignmentMasterLevel },
        'carrier',
      );
      assert.deepEqual(await presented([first, second]), [
        'carrier,forwarder',
        'carrier,forwarder',
      ]);
      await untilSignalled(
        [first, second],
        ['carrier', 'forwarder'],
        [
          [0, 1],
          [0, 1],
        ],
      );
    });

    test('goods that were presented without a transport have signals without one', async () => {
      const transport = await movements.lodge(
        'transport',
        transportMessage('FR1', { masters: ['FM'], carrier }),
        'carrier',
      );
      const house = await movements.lodge(
        'house-consignment',
        houseMessage('F1', { master: 'FM', carrier }),
      );
      await movements.lodge('master-consignment', masterMessage('FM', { carrier }), 'express');
      await playground.present('house-consignment', 'forwarder', {
        transportDocumentHouseLevel: { documentNumber: 'F1', type: 'N730' },
      });
      await untilSignalled([house], ['forwarder', 'carrier'], [[0], []]);
      await movements.arrive(transport, REPORTER);
      assert.deepEqual(await signalled([house], ['forwarder', 'carrier', 'express']), [
        [0],
        [0],
        [0],
      ]);
      const [signal] = await signalsOf('carrier', [house]);
      assert.equal(signal?.activeBorderTransportMeans, undefined);
    });
  });
}

function codesOf({
  validationErrorList = [],
}: {
  validationErrorList?: readonly { code: string }[] | undefined;
}) {
  return validationErrorList.map(({ code }) => code);
}
