// Arrivals that the authority reports: which transport is meant, what is presented, and what a second line changes.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { TransportArrivalResult } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { feedKinds } from '../feed-kinds.js';
import { ReachedGoods } from '../presentation/present-reached.js';
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
import { postTransportArrivals } from './post-transport-arrivals.js';

const PATH = '/api/authority/v1/transport-arrivals';
const carrier = 'NO310000124';
const OFFICE = 'NO371001';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`arrivals that the authority reports on ${name}`, { skip }, () => {
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

    /** Reports arrivals as an array. */
    const report = async (...arrivals: unknown[]): Promise<TransportArrivalResult[]> => {
      const response = await playground.post(PATH, 'authority', arrivals);
      assert.equal(response.status, 200, response.text);
      // Safe cast: the response was compared with openapi.json.
      return response.body as TransportArrivalResult[];
    };
    /** Reports an arrival by a clock that is some hours slow. */
    const reportEarlier = async (hours: number, value: object) => {
      const now = new Date(Date.now() - hours * 3_600_000);
      const movedClock = () => now;
      const notePresented = () => Promise.resolve();
      const watch = new FeedWatch(database);
      const parts = { database, watch, expectedOnly: false, movedClock, notePresented };
      const reached = new ReachedGoods(parts, assert.ifError);
      const isCustomsOffice = () => true;
      const audit = new AuditTrail();
      const context = { database, audit, reached, isCustomsOffice, notePresented, movedClock };
      const actor = { organisation: '0192:974760673', client: 'test' };
      const lines = [{ line: 1, value }];
      const [result] = await postTransportArrivals(context, lines, {
        now,
        actor,
        requestId: randomUUID(),
      });
      await reached.close();
      await watch.close();
      assert.equal(result?.status, 'ARRIVED');
    };
    const one = async (arrival: object) => (await report(arrival))[0] ?? assert.fail();
    const arrivalOf = (transport: object, at = inHours(-0.1), office = OFFICE) => ({
      ...transport,
      dateAndTimeOfArrival: at,
      customsOfficeOfArrival: { referenceNumber: office },
    });
    const seen = (identificationNumber: string, at?: string, office?: string) =>
      arrivalOf({ mode: 'road', identificationNumber }, at, office);
    const lodgeTransport = (means: string, hours: number, more: Record<string, unknown> = {}) =>
      movements.lodge(
        'transport',
        transportMessage(means, {
          carrier,
          estimatedDateAndTimeOfArrival: inHours(hours),
          scheduledDateAndTimeOfArrival: inHours(hours),
          ...more,
        }),
        'carrier',
      );
    const broken = ({ status, validationErrors = [] }: TransportArrivalResult) => [
      status,
      ...validationErrors.map(({ field, code }) => `${field} ${code}`),
    ];
    const movement = async (mrn: string) => {
      const { body } = await playground.get(`/api/movement/road/v2/transport/${mrn}`, 'carrier');
      return body as { arrivedAt?: string; customsOfficeOfArrival?: string };
    };
    const records = (action: string, mrn: string) =>
      database.query<{ entry: string }>({
        name: '',
        text: `select entry from audit_record
          where entry::jsonb ->> 'action' = $1 and entry::jsonb -> 'details' ->> 'mrn' = $2`,
        values: [action, mrn],
      });

    test('by its MRN, a transport arrives, what it reaches is presented, and a second line corrects it', async () => {
      const transport = await lodgeTransport('AA1', 2, {
        consignmentMasterLevel: [
          { transportDocumentMasterLevel: { documentNumber: 'AAM', type: 'N730' } },
        ],
      });
      await movements.lodge('master-consignment', masterMessage('AAM', { carrier }), 'forwarder');
      const goods = (number: string) => houseMessage(number, { master: 'AAM', carrier });
      const house = await movements.lodge('house-consignment', goods('AA1'));
      const at = inHours(-0.2);
      assert.deepEqual(await one(arrivalOf({ mrn: transport }, at)), {
        line: 1,
        status: 'ARRIVED',
        mrn: transport,
        houseConsignments: 1,
        signals: 0,
      });
      const signals = await playground.get(
        '/api/movement/routing/v1/house-consignment?limit=1000',
        'carrier',
      );
      assert.match(signals.text, new RegExp(`"houseConsignmentMRN":"${house}"`));
      assert.deepEqual(await one(arrivalOf({ mrn: transport }, at)), {
        line: 1,
        status: 'UNCHANGED',
        mrn: transport,
        houseConsignments: 0,
        signals: 0,
      });
      const earlier = inHours(-0.5);
      const corrected = await one(arrivalOf({ mrn: transport }, earlier, 'NO351001'));
      assert.equal(corrected.status, 'CORRECTED');
      const { arrivedAt, customsOfficeOfArrival } = await movement(transport);
      assert.equal(arrivedAt?.slice(0, 19), earlier.slice(0, 19));
      assert.equal(customsOfficeOfArrival, 'NO351001');
      const [arrived] = await records('transport.arrived', transport);
      assert.match(arrived?.entry ?? '', /"organisation":"0192:/);
      const [record] = await records('transport.arrival-corrected', transport);
      assert.match(record?.entry ?? '', new RegExp(`"before":.*"office":"${OFFICE}"`));
    });

    test('a correction presents what the transport newly reaches, also when it has ceased to present by itself', async () => {
      const transport = await lodgeTransport('AB1', 2, {
        consignmentMasterLevel: [
          { transportDocumentMasterLevel: { documentNumber: 'ABM', type: 'N730' } },
        ],
      });
      const at = inHours(-25);
      await reportEarlier(25, arrivalOf({ mrn: transport }, at));
      await movements.lodge('master-consignment', masterMessage('ABM', { carrier }), 'forwarder');
      await movements.lodge('house-consignment', houseMessage('AB1', { master: 'ABM', carrier }));
      const { status, houseConsignments } = await one(
        arrivalOf({ mrn: transport }, at, 'NO351001'),
      );
      assert.deepEqual([status, houseConsignments], ['CORRECTED', 1]);
    });

    test('without an MRN, it is the expected transport that is nearest, and the same line again is the same one', async () => {
      const evening = await lodgeTransport('BB1', 9);
      const morning = await lodgeTransport('BB1', 1);
      const far = await lodgeTransport('BB1', 30);
      const line = seen('BB1');
      assert.deepEqual([(await one(line)).status, (await one(line)).mrn], ['ARRIVED', morning]);
      // Whoever has lost the response sends it again: it is not the one of the evening.
      const again = await one(line);
      assert.deepEqual([again.status, again.mrn], ['UNCHANGED', morning]);
      const next = await one(seen('BB1', inHours(0.05)));
      assert.deepEqual([next.status, next.mrn], ['ARRIVED', evening]);
      assert.deepEqual(broken(await one(seen('BB1', inHours(0.06)))), [
        'REFUSED',
        'identificationNumber REFERENCE_NOT_FOUND',
      ]);
      assert.equal((await movement(far)).arrivedAt, undefined);
    });

    test('two that are equally near are ambiguous; a cancelled one, another mode and another spelling are not found', async () => {
      const hour = inHours(1);
      const at = { estimatedDateAndTimeOfArrival: hour };
      const first = await lodgeTransport('CC1', 1, at);
      const second = await lodgeTransport('CC1', 2, at);
      assert.deepEqual(broken(await one(seen('CC1'))), [
        'REFUSED',
        'identificationNumber REFERENCE_AMBIGUOUS',
      ]);
      await movements.cancel('transport', first, 'carrier');
      const notFound = ['REFUSED', 'identificationNumber REFERENCE_NOT_FOUND'];
      assert.deepEqual(broken(await one({ ...seen('CC1'), mode: 'rail' })), notFound);
      assert.deepEqual(broken(await one(seen('cc1'))), notFound);
      assert.equal((await one(seen('CC1'))).mrn, second);
      assert.deepEqual(broken(await one(arrivalOf({ mrn: first }))), [
        'REFUSED',
        'mrn NOT_CURRENT',
      ]);
    });

    test('a flight is found by its number alone, or with its means of transport', async () => {
      const air = new TestMovements(playground, 'air');
      const flight = (tail: string) =>
        air.lodge(
          'transport',
          transportMessage(tail, {
            mode: 'air',
            carrier,
            activeBorderTransportMeans: {
              ...transportMessage(tail, { mode: 'air' }).activeBorderTransportMeans,
              conveyanceReferenceNumber: 'LF900',
            },
          }),
          'forwarder',
        );
      const [one1, two] = [await flight('LN-AAA'), await flight('LN-BBB')];
      const number = { mode: 'air', conveyanceReferenceNumber: 'LF900' };
      assert.equal((await one(arrivalOf({ ...number, identificationNumber: 'LN-BBB' }))).mrn, two);
      assert.equal((await one(arrivalOf(number, inHours(-0.2)))).mrn, one1);
      assert.deepEqual(broken(await one(arrivalOf(number, inHours(-0.3)))), [
        'REFUSED',
        'conveyanceReferenceNumber REFERENCE_NOT_FOUND',
      ]);
    });

    test('each line is judged by itself, with the member and the code', async () => {
      const transport = await lodgeTransport('DD1', 1);
      const house = await movements.lodge('house-consignment', houseMessage('DD1'));
      const good = arrivalOf({ mrn: transport });
      const lines = [
        arrivalOf({}),
        arrivalOf({ mrn: transport, mode: 'road' }),
        arrivalOf({ mrn: transport }, inHours(0.3)),
        arrivalOf({ mrn: transport }, inHours(-73)),
        arrivalOf({ mrn: transport }, undefined, 'NO000000'),
        arrivalOf({ mrn: house }),
        arrivalOf({ mrn: '26NO000000000000T0' }),
        { ...good, plate: 'X' },
        { mrn: transport },
        7,
        good,
        good,
      ];
      const expected = [
        ['REFUSED', 'mode REQUIRED', 'identificationNumber REQUIRED'],
        ['REFUSED', 'mode INCOMPATIBLE'],
        ['REFUSED', 'dateAndTimeOfArrival TIME_OUT_OF_RANGE'],
        ['REFUSED', 'dateAndTimeOfArrival TIME_OUT_OF_RANGE'],
        ['REFUSED', 'customsOfficeOfArrival.referenceNumber UNKNOWN_CODE'],
        ['REFUSED', 'mrn REFERENCE_NOT_FOUND'],
        ['REFUSED', 'mrn REFERENCE_NOT_FOUND'],
        ['REFUSED', 'plate UNKNOWN_MEMBER'],
        ['REFUSED', 'dateAndTimeOfArrival REQUIRED', 'customsOfficeOfArrival REQUIRED'],
        ['REFUSED', ' FORMAT'],
        ['ARRIVED'],
        ['UNCHANGED'],
      ];
      const results = await report(...lines);
      assert.deepEqual(results.map(broken), expected);
      const raw = [...lines.map((line) => JSON.stringify(line)), '', '{'].join('\n');
      const response = await playground.call(PATH, {
        as: 'authority',
        method: 'POST',
        raw,
        headers: { 'content-type': 'application/x-ndjson', prefer: 'summary' },
      });
      const texts = response.text.trimEnd().split('\n');
      assert.deepEqual(JSON.parse(texts.pop() ?? ''), {
        summary: { lines: 13, accepted: 2, refused: 11 },
      });
      const read = texts.map((text) => JSON.parse(text) as TransportArrivalResult);
      assert.deepEqual(
        read.map(broken),
        expected
          .map((each) => (each[0] === 'ARRIVED' ? ['UNCHANGED'] : each))
          .concat([['REFUSED', ' FORMAT']]),
      );
      assert.equal(read.at(-1)?.line, 14);
    });

    test('the office of an arrival can be corrected when its time is out of range', async () => {
      const transport = await lodgeTransport('EE1', 1);
      const at = inHours(-100);
      await reportEarlier(100, arrivalOf({ mrn: transport }, at));
      const corrected = await one(arrivalOf({ mrn: transport }, at, 'NO351001'));
      assert.equal(corrected.status, 'CORRECTED');
      const other = await one(arrivalOf({ mrn: transport }, inHours(-99), 'NO351001'));
      assert.deepEqual(broken(other), ['REFUSED', 'dateAndTimeOfArrival TIME_OUT_OF_RANGE']);
    });

    test('reported at the same time by many, and by the carrier, a transport arrives once', async () => {
      const transport = await lodgeTransport('FF1', 1);
      const at = inHours(-0.1);
      const results = await Promise.all([
        ...Array.from({ length: 4 }, () => one(seen('FF1', at))),
        ...Array.from({ length: 4 }, () => one(arrivalOf({ mrn: transport }, at))),
      ]);
      assert.deepEqual(results.map(({ status }) => status).sort(), [
        'ARRIVED',
        ...Array.from({ length: 7 }, () => 'UNCHANGED'),
      ]);
      assert.equal((await records('transport.arrived', transport)).length, 1);
      const { status } = await movements.arrive(transport, 'haulier', { dateAndTimeOfArrival: at });
      assert.equal(status, 'SUCCESS');
    });

    // The embedded database has one session.
    const testSessions = name === 'embedded' ? () => undefined : test;
    testSessions(
      'a transport whose parties are held for long is refused with HELD, and the next line is not',
      async () => {
        const held = await lodgeTransport('HH1', 1);
        const free = await movements.lodge('transport', transportMessage('HH2'), 'express');
        const [row] = await database.query<{ submitter: number }>({
          name: '',
          text: 'select submitter from movement where declaration_id = (select id from declaration where mrn = $1)',
          values: [held],
        });
        let isHeld: () => void = () => undefined;
        const begun = new Promise<void>((resolve) => {
          isHeld = resolve;
        });
        const holding = database.transact(async (transaction) => {
          await transaction.query({
            name: '',
            text: `select pg_advisory_xact_lock(${FEED_LOCK}, $1)`,
            values: [row?.submitter],
          });
          isHeld();
          // A session that does nothing in a transaction would be ended after 10 s.
          await transaction.run('select pg_sleep(14)');
        }, 'maintenance');
        await begun;
        const lines = [arrivalOf({ mrn: held }), arrivalOf({ mrn: free })];
        assert.deepEqual((await report(...lines)).map(broken), [['REFUSED', ' HELD'], ['ARRIVED']]);
        await holding;
        assert.deepEqual((await report(...lines)).map(broken), [['ARRIVED'], ['UNCHANGED']]);
      },
    );

    test('two transports of one lorry that are seen at the same moment both arrive', async () => {
      for (let round = 0; round < 5; round++) {
        const plate = `II${round}`;
        const lodged = [await lodgeTransport(plate, 1), await lodgeTransport(plate, 5)];
        const times = [inHours(-0.1), inHours(-0.2), inHours(-0.3)];
        const results = await Promise.all(times.map((at) => one(seen(plate, at))));
        const arrived = results.filter(({ status }) => status === 'ARRIVED');
        assert.deepEqual(arrived.map(({ mrn }) => mrn).sort(), lodged.sort());
        assert.equal(results.filter(({ status }) => status === 'REFUSED').length, 1);
      }
    });

    test('nobody else may report arrivals so', async () => {
      const response = await playground.post(PATH, 'carrier', [seen('GG1')]);
      assert.equal(response.status, 403);
    });
  });
}
