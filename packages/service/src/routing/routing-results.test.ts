// The results of an installation: two, or also ENTRY_PENDING and ENTRY_DENIED, which are decided and sent as signals.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { DecidedRouting, IssuedRouting, RoutingSignal } from '@landfall/contract';
import { EXTENDED_ROUTINGS } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { closeMovements } from '../retention/end-movements.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  citing,
  houseMessage,
  inHours,
  roadDocument,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';
import { strictestOf } from './decision-rules.js';

const DECISIONS = '/api/authority/v1/routing-decisions';
const RUNS = '/api/authority/v1/routing-runs';
/** An identity that may report arrivals. */
const REPORTER = 'haulier';

const RELEASE = '/api/movement/routing/v1/release';

/** A house consignment that cites a customs declaration which no register has. */
const incomplete = (documentNumber: string, more: Record<string, unknown> = {}) =>
  houseMessage(documentNumber, { ...citing('99999'), ...more });

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  for (const routingResults of ['standard', 'extended'] as const) {
    describe(`${routingResults} results on ${name}`, { skip }, () => {
      let database: Database;
      let playground: TestPlayground;
      let movements: TestMovements;
      before(async () => {
        database = await open();
        playground = await TestPlayground.start(database, {
          referenceDocuments: 'loaded',
          routingResults,
        });
        movements = new TestMovements(playground);
      });
      after(() => playground.close());

      const decide = async (documentNumber: string, routing: DecidedRouting) => {
        const response = await playground.call(DECISIONS, {
          as: 'authority',
          method: 'POST',
          body: [
            {
              transportDocumentHouseLevel: roadDocument(documentNumber),
              routing,
              reason: 'a test',
            },
          ],
        });
        assert.equal(response.status, 200, response.text);
        const [result] = response.body as [{ status: string; validationErrors?: object[] }];
        return result;
      };
      const present = async (documentNumber: string) => {
        const transportDocumentHouseLevel = roadDocument(documentNumber);
        const body = { transportDocumentHouseLevel };
        const presented = await playground.present('house-consignment', 'forwarder', body);
        assert.equal(presented.status, 202, presented.text);
      };
      const signalsOf = async (documentNumber: string): Promise<IssuedRouting[]> => {
        const { body } = await playground.get(
          '/api/movement/routing/v1/house-consignment',
          'forwarder',
        );
        return (body as RoutingSignal[])
          .filter(
            ({ transportDocumentHouseLevel: document }) =>
              document.documentNumber === documentNumber,
          )
          .map(({ routingResult }) => routingResult.routing);
      };
      /** The signals as soon as there are so many. */
      const signalled = async (documentNumber: string, count: number) => {
        for (let tries = 0; tries < 200; tries++) {
          if ((await signalsOf(documentNumber)).length >= count) break;
          await delay(50);
        }
        return signalsOf(documentNumber);
      };
      const releaseOf = async (documentNumber: string) => {
        const { body } = await playground.get(
          `${RELEASE}?identifier=${documentNumber}`,
          'forwarder',
        );
        return body as { outcome: string; entryPending?: number; entryDenied?: number };
      };
      let goods = 0;
      const lodge = async (message = houseMessage) => {
        const documentNumber = `RR${routingResults}${goods++}`;
        const mrn = await movements.lodge('house-consignment', message(documentNumber));
        return { documentNumber, mrn };
      };

      if (routingResults === 'standard') {
        for (const routing of EXTENDED_ROUTINGS) {
          test(`${routing} is refused, as a decision and in a run, and changes nothing`, async () => {
            const { documentNumber } = await lodge();
            await present(documentNumber);
            const before = await signalled(documentNumber, 1);
            const result = await decide(documentNumber, routing);
            assert.equal(result.status, 'REFUSED');
            const [error] = result.validationErrors as [{ field: string; code: string }];
            assert.deepEqual([error.field, error.code], ['routing', 'UNKNOWN_CODE']);
            const run = await playground.call(RUNS, {
              as: 'authority',
              method: 'POST',
              body: {
                select: { documentNumber },
                routing,
                reason: 'a test',
                expectedCount: 1,
              },
            });
            assert.equal(run.status, 400, run.text);
            assert.deepEqual(await signalsOf(documentNumber), before);
          });
        }

        test('incomplete goods that are presented have no signal', async () => {
          const { documentNumber, mrn } = await lodge(incomplete);
          await present(documentNumber);
          await movements.replace('house-consignment', mrn, houseMessage(documentNumber));
          assert.deepEqual(await signalled(documentNumber, 1), ['TO_ENTRY']);
        });
        return;
      }

      test('each is a signal and an outcome of a check, and is taken back by another decision', async () => {
        const { documentNumber } = await lodge();
        await present(documentNumber);
        await signalled(documentNumber, 1);
        for (const routing of EXTENDED_ROUTINGS) {
          assert.equal((await decide(documentNumber, routing)).status, 'DECIDED');
          const checked = await releaseOf(documentNumber);
          assert.equal(checked.outcome, routing);
          const counted = routing === 'ENTRY_PENDING' ? checked.entryPending : checked.entryDenied;
          assert.equal(counted, 1);
        }
        await decide(documentNumber, 'TO_ENTRY');
        assert.equal((await releaseOf(documentNumber)).outcome, 'TO_ENTRY');
        const expected = ['TO_ENTRY', 'ENTRY_PENDING', 'ENTRY_DENIED', 'TO_ENTRY'];
        assert.deepEqual(await signalsOf(documentNumber), expected);
      });

      test('a check that waits waits while entry is pending', async () => {
        const { documentNumber } = await lodge();
        await decide(documentNumber, 'ENTRY_PENDING');
        await present(documentNumber);
        const waiting = playground.call(`${RELEASE}?identifier=${documentNumber}`, {
          as: 'forwarder',
          headers: { prefer: 'wait=30' },
        });
        const first = await Promise.race([waiting, delay(300).then(() => 'waits')]);
        assert.equal(first, 'waits');
        await decide(documentNumber, 'ENTRY_DENIED');
        const { body } = await waiting;
        assert.equal((body as { outcome: string }).outcome, 'ENTRY_DENIED');
      });

      test('what is incomplete when it is presented is pending, and decided when it is complete', async () => {
        const { documentNumber, mrn } = await lodge(incomplete);
        await present(documentNumber);
        assert.deepEqual(await signalled(documentNumber, 1), ['ENTRY_PENDING']);
        const still = incomplete(documentNumber, { goodsDescription: 'Wooden tables' });
        await movements.replace('house-consignment', mrn, still);
        await movements.replace('house-consignment', mrn, houseMessage(documentNumber));
        const expected = ['ENTRY_PENDING', 'TO_ENTRY'];
        assert.deepEqual(await signalled(documentNumber, 2), expected);
      });

      test('a document that comes late decides what is pending', async () => {
        const { documentNumber } = await lodge((number) => houseMessage(number, citing('77777')));
        await present(documentNumber);
        await signalled(documentNumber, 1);
        const response = await playground.call('/api/authority/v1/reference-documents', {
          as: 'authority',
          method: 'POST',
          headers: { 'content-type': 'application/x-ndjson' },
          raw: `${JSON.stringify({
            kind: 'CUDE',
            declarantNumber: '123456789',
            declarationDate: '2022-08-10',
            sequenceNumber: '77777',
            state: 'VALID',
          })}\n`,
        });
        assert.equal(response.status, 200, response.text);
        assert.deepEqual(await signalled(documentNumber, 2), ['ENTRY_PENDING', 'TO_ENTRY']);
      });

      test('what an officer has said to be pending stays, whatever is replaced', async () => {
        const { documentNumber, mrn } = await lodge(incomplete);
        await decide(documentNumber, 'ENTRY_PENDING');
        await present(documentNumber);
        await movements.replace('house-consignment', mrn, houseMessage(documentNumber));
        // Of goods that are decided after it in the same background work.
        const later = await lodge(incomplete);
        await present(later.documentNumber);
        await signalled(later.documentNumber, 1);
        assert.deepEqual(await signalsOf(documentNumber), ['ENTRY_PENDING']);
      });

      test('goods that are denied are denied when they are cancelled and lodged again, and beside each other', async () => {
        const master = `RRM${goods}`;
        const under = (number: string) => houseMessage(number, { master });
        const { documentNumber, mrn } = await lodge(under);
        await decide(documentNumber, 'ENTRY_DENIED');
        await movements.cancel('house-consignment', mrn);
        const again = await movements.lodge('house-consignment', under(documentNumber));
        const rail = new TestMovements(playground, 'rail');
        const beside = await rail.lodge('house-consignment', under(documentNumber));
        const rows = await database.query<{ routing: string }>({
          name: '',
          text: 'select routing from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = any ($1)',
          values: [[again, beside]],
        });
        assert.deepEqual(
          rows.map(({ routing }) => routing),
          ['ENTRY_DENIED', 'ENTRY_DENIED'],
        );
      });

      /** As when everything that is due a week later is closed; what is held at this moment is left to the next run. */
      const close = async () => {
        const context = { database, audit: new AuditTrail(), clock: () => new Date() };
        for (let runs = 0; runs < 3; runs++) {
          const due = new Date(Date.now() + 60_000);
          for await (const ended of closeMovements(context, due)) assert.ok(ended >= 0);
          await delay(100);
        }
      };
      const currentRoutingOf = async (mrn: string) => {
        const [row] = await database.query<{ routing: string | null }>({
          name: '',
          text: 'select routing from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = $1',
          values: [mrn],
        });
        return row?.routing;
      };

      for (const routing of ['TO_CONTROL', 'ENTRY_DENIED'] as const) {
        test(`goods that are closed with ${routing} have it when they are lodged again`, async () => {
          const { documentNumber, mrn } = await lodge((number) =>
            houseMessage(number, { master: `${number}M` }),
          );
          await decide(documentNumber, routing);
          await present(documentNumber);
          await close();
          const read = await playground.get(
            `/api/movement/road/v2/house-consignment/${mrn}`,
            'forwarder',
          );
          assert.equal((read.body as { state: string }).state, 'CLOSED');
          const again = await movements.lodge(
            'house-consignment',
            houseMessage(documentNumber, { master: `${documentNumber}M` }),
          );
          assert.equal(await currentRoutingOf(again), routing);
        });
      }

      test('what is pending is not closed, and is decided when it is completed', async () => {
        const { documentNumber, mrn } = await lodge(incomplete);
        await present(documentNumber);
        await signalled(documentNumber, 1);
        await close();
        await movements.replace('house-consignment', mrn, houseMessage(documentNumber));
        assert.deepEqual(await signalled(documentNumber, 2), ['ENTRY_PENDING', 'TO_ENTRY']);
      });

      test('a driver does not unload what is pending or denied', async () => {
        const direct = (number: string) => houseMessage(number, { isDirect: true });
        const houses = await Promise.all([lodge(direct), lodge(direct)]);
        const [pending, denied] = houses.map(({ documentNumber }) => documentNumber);
        const transport = await movements.lodge(
          'transport',
          transportMessage('RR 12345', {
            houses: houses.map(({ documentNumber }) => documentNumber),
          }),
          REPORTER,
        );
        assert(pending !== undefined && denied !== undefined);
        await decide(pending, 'ENTRY_PENDING');
        await decide(denied, 'ENTRY_DENIED');
        const arrived = await playground.post(
          '/api/movement/arrival/v1/transport-arrival',
          REPORTER,
          {
            mrn: transport,
            dateAndTimeOfArrival: inHours(0),
            customsOfficeOfArrival: { referenceNumber: 'NO371001' },
          },
        );
        assert.equal(arrived.status, 202, arrived.text);
        const { body } = await playground.get(
          `/api/movement/road/status/v2/entry/status/${transport}`,
          REPORTER,
        );
        assert.deepEqual((body as { reasons: string[] }).reasons, ['UNDECIDED', 'ENTRY_DENIED']);
      });
    });
  }
}

test('of two decisions on the same goods, the stricter one holds, whichever they are', () => {
  const order: DecidedRouting[] = [
    'UNDECIDED',
    'TO_ENTRY',
    'ENTRY_PENDING',
    'TO_CONTROL',
    'ENTRY_DENIED',
  ];
  for (const [weak, weaker] of order.entries()) {
    for (const stricter of order.slice(weak + 1)) {
      const one = { routing: weaker, routingControlLocation: null, origin: 'OFFICER' } as const;
      const other = { routing: stricter, routingControlLocation: null, origin: 'PROFILE' } as const;
      assert.equal(strictestOf([one, other])?.routing, stricter);
      assert.equal(strictestOf([other, one])?.routing, stricter);
    }
  }
});
