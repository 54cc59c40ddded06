// An arrival presents both of goods that are told twice: as they were lodged, and in an ENS, whichever comes last.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { v7 } from 'uuid';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { tryOnFeeds } from '../feed/transact-on-feeds.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { feedKinds } from '../feed-kinds.js';
import { ReachedGoods, type ReachedParts } from '../presentation/present-reached.js';
import { register } from '../registry/register.js';
import { checkSignals } from '../testing/check-signals.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  houseMessage,
  inHours,
  masterMessage,
  roadDocument,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';
import { DECLARATIONS } from '../testing/registry-client.js';
import { recordArrival } from './arrival-queries.js';

/** The carrier of all messages, which reports the arrivals. */
const carrier = 'NO310000124';
const REPORTER = 'haulier';

/** What an ENS has beside its number, its house document and its declarant. */
type Ens = { master?: string; receptacle?: string; routing?: string; representative?: string };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`arrivals of goods told twice on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let movements: TestMovements;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      movements = new TestMovements(playground);
      watch = new FeedWatch(database);
    });
    after(async () => {
      await watch.close();
      assert.deepEqual(reported, []);
      assert.deepEqual(await checkSignals(database), []);
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
      await playground.close();
    });

    let mrns = 0;
    const newMrn = () => `26NO8${String(++mrns).padStart(12, '0')}A`;
    const organisation = (as: string) => playground.credentials(as).organisation;
    const ensBody = (number: string, declarant: string, { master, receptacle, ...more }: Ens) => ({
      customsOfficeOfFirstEntry: 'NO351001',
      declarant: organisation(declarant),
      ...(more.representative && { representative: organisation(more.representative) }),
      houseConsignments: [
        {
          transportDocumentHouseLevel: roadDocument(number),
          ...(master && { transportDocumentMasterLevel: roadDocument(master) }),
          ...(receptacle && { receptacleId: receptacle }),
          ...(more.routing && { routing: more.routing }),
        },
      ],
    });
    let versions = 0;
    const putEns = async (mrn: string, number: string, declarant: string, given: Ens = {}) => {
      const body = { ...ensBody(number, declarant, given), version: ++versions };
      const response = await playground.call(`${DECLARATIONS}/${mrn}`, {
        as: 'authority',
        method: 'PUT',
        body,
      });
      assert.ok([200, 201].includes(response.status), response.text);
      return mrn;
    };
    /** A transport and its master consignment; the house consignments are others'. */
    const lodgeTransport = async (key: string) => {
      const message = transportMessage(`R${key}`, { masters: [`M${key}`], carrier });
      const transport = await movements.lodge('transport', message, 'carrier');
      await movements.lodge('master-consignment', masterMessage(`M${key}`, { carrier }), 'carrier');
      return transport;
    };
    const lodgeHouse = (key: string, more: object = {}) =>
      movements.lodge(
        'house-consignment',
        houseMessage(`H${key}`, { master: `M${key}`, carrier, ...more }),
      );
    // An arrival that is reported again at another time is refused.
    const dateAndTimeOfArrival = inHours(-0.1);
    const arrive = async (transport: string) => {
      const { status } = await movements.arrive(transport, REPORTER, { dateAndTimeOfArrival });
      assert.equal(status, 'SUCCESS');
    };
    const numberOf = async (mrn: string) => {
      const [row] = await database.query<{ id: number }>({
        name: '',
        text: 'select id from declaration where mrn = $1',
        values: [mrn],
      });
      return row?.id ?? assert.fail();
    };
    /** The organisations that are connected to the goods under an MRN. */
    const connected = async (mrn: string): Promise<string> => {
      const rows = await database.query<{ identifier: string }>({
        name: '',
        text: `
          select o.identifier from declaration e join house_consignment h on h.ens_id = e.id
          join signal_recipient c on c.house_consignment_id = h.id join organisation o on o.id = c.organisation_id
          where e.mrn = $1`,
        values: [mrn],
      });
      const identities = playground.playground.identities;
      return rows
        .map(({ identifier }) => identities.find((one) => one.organisation === identifier)?.name)
        .sort()
        .join();
    };
    /** The signals of an organisation about goods under some MRNs. */
    const signalsOf = async (as: string, about: readonly string[]): Promise<string[]> => {
      const { body } = await playground.get(
        '/api/movement/routing/v1/house-consignment?limit=1000',
        as,
      );
      type Signal = Record<string, string> & { routingResult: { routing: string } };
      return (body as Signal[])
        .flatMap(({ entrySummaryDeclarationMRN, houseConsignmentMRN, routingResult }) => {
          const which = about.indexOf(entrySummaryDeclarationMRN ?? houseConsignmentMRN ?? '');
          return which === -1 ? [] : `${which} ${routingResult.routing}`;
        })
        .sort();
    };
    const untilSignalled = async (as: string, about: readonly string[], expected: string[]) => {
      for (const end = performance.now() + 60_000; ; ) {
        const found = await signalsOf(as, about);
        if (found.length >= expected.length || performance.now() > end) {
          assert.deepEqual(found, expected, as);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };

    const reported: unknown[] = [];
    let watch: FeedWatch;
    const openReached = (more: Partial<ReachedParts> = {}) =>
      new ReachedGoods(
        {
          database,
          watch,
          expectedOnly: false,
          movedClock: undefined,
          notePresented: () => undefined,
          ...more,
        },
        (error) => reported.push(error),
      );
    /** Registers an ENS at a server that does not see what has arrived. */
    const registerUnseen = async (number: string, master: string) => {
      const mrn = newMrn();
      const { houseConsignments, ...declaration } = ensBody(number, 'express', { master });
      const [outcome] = await register(
        { database, audit: new AuditTrail(), newId: v7 },
        [
          {
            mrn,
            declaration: { mrn, ...declaration },
            houses: houseConsignments as never,
            isComplete: true,
          },
        ],
        { at: undefined, actor: undefined, requestId: v7() },
      );
      assert.equal(outcome !== undefined && 'errors' in outcome, false, JSON.stringify(outcome));
      return mrn;
    };

    test('both records are presented, each for its own parties, and nobody gets a signal twice', async () => {
      const transport = await lodgeTransport('A');
      const lodged = await lodgeHouse('A');
      const ens = await putEns(newMrn(), 'HA', 'express', {
        master: 'MA',
        routing: 'TO_CONTROL',
        representative: 'forwarder',
      });
      // Another house document, and another master document: other goods.
      const others = [
        await putEns(newMrn(), 'HA-other', 'express', { master: 'MA', routing: 'TO_ENTRY' }),
        await putEns(newMrn(), 'HA', 'express', { master: 'MA-other', routing: 'TO_ENTRY' }),
      ];
      await arrive(transport);
      assert.equal(await connected(lodged), 'carrier,forwarder');
      assert.equal(await connected(ens), 'express,forwarder');
      for (const other of others) assert.equal(await connected(other), '');
      const all = [lodged, ens, ...others];
      assert.deepEqual(await signalsOf('carrier', all), ['0 TO_CONTROL']);
      assert.deepEqual(await signalsOf('express', all), ['1 TO_CONTROL']);
      assert.deepEqual(await signalsOf('forwarder', all), ['0 TO_CONTROL', '1 TO_CONTROL']);

      const goods = '/api/authority/v1/house-consignments';
      const found = await playground.get(`${goods}?mrn=${ens}`, 'authority');
      const [{ id }] = found.body as [{ id: string }];
      const history = await playground.get(`${goods}/${id}/history`, 'authority');
      const events = history.body as { event: string; details?: object; organisation?: string }[];
      const presented = events.find(({ event }) => event === 'PRESENTED');
      assert.deepEqual(presented?.details, {
        level: 'ARRIVAL',
        customsOfficeOfPresentation: 'NO371001',
        transport,
      });
      // The ENS has its own times and means; those of the transport are in the signal of what was lodged.
      const { body } = await playground.get(
        '/api/movement/routing/v1/house-consignment?limit=1000',
        'forwarder',
      );
      const means = (body as Record<string, unknown>[]).flatMap((signal) =>
        [ens, lodged].includes(
          String(signal.entrySummaryDeclarationMRN ?? signal.houseConsignmentMRN),
        )
          ? [[signal.entrySummaryDeclarationMRN, signal.activeBorderTransportMeans !== undefined]]
          : [],
      );
      assert.deepEqual(
        means.sort(([one], [other]) => String(one).localeCompare(String(other))),
        [
          [ens, false],
          [undefined, true],
        ],
      );
    });

    test('whichever of both records comes after the arrival, both are presented', async () => {
      const receptacle = 'GBASFZMLBKONAUN30001001019999';
      const lodgedLate = await lodgeTransport('B');
      const early = await putEns(newMrn(), 'HB', 'express', { master: 'MB', routing: 'TO_ENTRY' });
      await arrive(lodgedLate);
      assert.equal(await connected(early), '');
      const late = await lodgeHouse('B');
      assert.equal(await connected(late), 'carrier,forwarder');
      assert.equal(await connected(early), 'express');
      await untilSignalled('express', [early], ['0 TO_ENTRY']);
      await untilSignalled('carrier', [late], ['0 TO_ENTRY']);

      const transport = await lodgeTransport('C');
      const lodged = await lodgeHouse('C');
      await arrive(transport);
      await untilSignalled('forwarder', [lodged], ['0 TO_ENTRY']);
      const registered = await putEns(newMrn(), 'HC', 'express', { master: 'MC' });
      assert.equal(await connected(registered), 'express');
      assert.deepEqual(await signalsOf('express', [registered]), ['0 TO_ENTRY']);
      assert.deepEqual(await signalsOf('carrier', [lodged, registered]), ['0 TO_ENTRY']);

      // By what an amendment and a replacement change.
      const amended = await putEns(newMrn(), 'HC', 'express', { master: 'MC-other' });
      assert.equal(await connected(amended), '');
      await putEns(amended, 'HC', 'express', { master: 'MC' });
      assert.equal(await connected(amended), 'express');
      const post = await putEns(newMrn(), 'HD', 'express', { receptacle });
      const mail = await movements.lodge('house-consignment', houseMessage('HD', { receptacle }));
      const { body } = await playground.get(
        `/api/movement/road/v2/transport/${transport}`,
        'carrier',
      );
      const { message } = body as { message: object };
      const { consignmentMasterLevel } = transportMessage('RC', { masters: ['MC', 'MD'], carrier });
      const more = { ...message, consignmentMasterLevel };
      await movements.replace('transport', transport, more, 'carrier');
      assert.equal(await connected(post), '');
      const bags = masterMessage('MD', { receptacles: [receptacle], carrier });
      await movements.lodge('master-consignment', bags, 'carrier');
      assert.equal(await connected(mail), 'carrier,forwarder');
      assert.equal(await connected(post), 'express');
      await untilSignalled('express', [post], ['0 TO_ENTRY']);
    });

    test('a decision after the arrival is signalled once to the parties of both', async () => {
      const transport = await lodgeTransport('E');
      const lodged = await lodgeHouse('E', { importProcedure: undefined });
      const ens = await putEns(newMrn(), 'HE', 'express', { master: 'ME' });
      await arrive(transport);
      assert.deepEqual(await signalsOf('express', [ens]), []);
      const decided = await playground.post('/api/authority/v1/routing-decisions', 'authority', [
        {
          mrn: ens,
          transportDocumentHouseLevel: roadDocument('HE'),
          routing: 'TO_CONTROL',
          reason: 'a warning',
        },
      ]);
      assert.equal(decided.status, 200, decided.text);
      assert.deepEqual(await signalsOf('express', [lodged, ens]), ['1 TO_CONTROL']);
      assert.deepEqual(await signalsOf('carrier', [lodged, ens]), ['0 TO_CONTROL']);
      assert.deepEqual(await signalsOf('forwarder', [lodged, ens]), ['0 TO_CONTROL']);
    });

    test('what was presented before is connected to nobody else, and is sent nothing again', async () => {
      const transport = await lodgeTransport('F');
      const lodged = await lodgeHouse('F');
      const ens = await putEns(newMrn(), 'HF', 'express', { master: 'MF', routing: 'TO_ENTRY' });
      const reference = { transportDocumentHouseLevel: roadDocument('HF'), mrn: ens };
      const { status } = await playground.present('house-consignment', 'broker', reference);
      assert.equal(status, 202);
      await arrive(transport);
      await arrive(transport);
      assert.equal(await connected(ens), 'broker,express');
      for (const as of ['broker', 'express']) {
        await untilSignalled(as, [lodged, ens], ['1 TO_ENTRY']);
      }
      for (const as of ['carrier', 'forwarder']) {
        await untilSignalled(as, [lodged, ens], ['0 TO_ENTRY']);
      }
    });

    test('an arrival beside the registration of the ENS leaves neither behind', async () => {
      for (let round = 0; round < 12; round++) {
        const key = `G${round}`;
        const transport = await lodgeTransport(key);
        const lodged = round % 2 === 0 ? await lodgeHouse(key) : undefined;
        const ens = newMrn();
        const [other] = await Promise.all([
          lodged ?? lodgeHouse(key),
          putEns(ens, `H${key}`, 'express', { master: `M${key}` }),
          arrive(transport),
        ]);
        assert.equal(await connected(other), 'carrier,forwarder', key);
        assert.equal(await connected(ens), 'express', key);
        await untilSignalled('express', [ens], ['0 TO_ENTRY']);
      }
    });

    test('both are presented in one step, and what a server left behind is found', async () => {
      const reached = openReached({ maxHouses: 1 });
      const transport = await lodgeTransport('I');
      const lodged = [await lodgeHouse('I'), await lodgeHouse('I', roadHouse('HI2'))];
      await arrive(transport);
      const ens = [await registerUnseen('HI', 'MI'), await registerUnseen('HI2', 'MI')];
      for (const one of ens) assert.equal(await connected(one), '');
      await reached.catchUp();
      for (const one of ens) assert.equal(await connected(one), 'express');
      assert.deepEqual(await Promise.all(lodged.map(connected)), [
        'carrier,forwarder',
        'carrier,forwarder',
      ]);
      await reached.close();
    });

    test('an arrival that is committed while an ENS is registered presents it', async () => {
      const reached = openReached();
      const transport = await lodgeTransport('J');
      const lodged = await lodgeHouse('J');
      const ens = await registerUnseen('HJ', 'MJ');
      const [house, arriving] = await Promise.all([lodged, transport].map(numberOf));
      assert(house !== undefined && arriving !== undefined);
      const afterCommit = await tryOnFeeds(
        database,
        (transaction) => reached.presentTold(transaction, [house], new Date()),
        { attempts: {} },
      );
      assert(typeof afterCommit === 'function');
      await database.transact(async (transaction) => {
        const at = '2026-05-04T09:30:00Z';
        const arrival = {
          at,
          office: 'NO371001',
          recordedAt: new Date(),
          requestId: v7(),
          signal: '',
        };
        await transaction.query(recordArrival(arriving, arrival));
        await transaction.query({
          name: '',
          text: `select append_audit_record(3, '{"action":"test.arrival","details":{}}')`,
          values: [],
        });
      });
      assert.equal(await connected(ens), '');
      await afterCommit();
      assert.equal(await connected(ens), 'express');
      await reached.close();
    });
  });

  test(`an arrival presents an ENS only if whoever has lodged the goods may present it, on ${name}`, {
    skip,
  }, async () => {
    const database = await open();
    const playground = await TestPlayground.start(database, { presenters: 'expected' });
    try {
      const movements = new TestMovements(playground);
      const transport = await movements.lodge(
        'transport',
        transportMessage('RX', { masters: ['MX'], carrier }),
        REPORTER,
      );
      await movements.lodge('master-consignment', masterMessage('MX', { carrier }), REPORTER);
      const numbers = ['HX1', 'HX2', 'HX3'];
      for (const number of numbers) {
        const house = houseMessage(number, { master: 'MX', carrier });
        await movements.lodge('house-consignment', house, 'forwarder');
      }
      const forwarder = playground.credentials('forwarder').organisation;
      const parties = [{}, { representative: forwarder }, { presenters: [forwarder] }];
      const declarations = parties.map((more, index) => ({
        mrn: `26NO9${String(index).padStart(12, '0')}A`,
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: playground.credentials('express').organisation,
        ...more,
        houseConsignments: [
          {
            transportDocumentHouseLevel: roadDocument(numbers[index] ?? ''),
            transportDocumentMasterLevel: roadDocument('MX'),
          },
        ],
      }));
      const put = async ({ mrn, ...body }: { mrn: string; presenters?: string[] }) => {
        const response = await playground.call(`${DECLARATIONS}/${mrn}`, {
          as: 'authority',
          method: 'PUT',
          body: { ...body, version: Date.now() },
        });
        assert.ok([200, 201].includes(response.status), response.text);
      };
      const isPresented = async () => {
        const express = await organisationOf(
          database,
          playground.credentials('express').organisation,
        );
        const rows = await database.query<{ mrn: string }>({
          name: '',
          text: `
            select e.mrn from signal_recipient c join house_consignment h on h.id = c.house_consignment_id
            join declaration e on e.id = h.ens_id
            where c.organisation_id = $1 and e.mrn like '26NO9%' order by 1`,
          values: [express],
        });
        return rows.map(({ mrn }) => declarations.findIndex((one) => one.mrn === mrn));
      };
      for (const one of declarations) await put(one);
      assert.equal((await movements.arrive(transport, REPORTER)).status, 'SUCCESS');
      assert.deepEqual(await isPresented(), [1, 2]);
      // Named afterwards, he may.
      const [first] = declarations;
      assert(first !== undefined);
      await put({ ...first, presenters: [forwarder] });
      assert.deepEqual(await isPresented(), [0, 1, 2]);
    } finally {
      await playground.close();
    }
  });
}

const roadHouse = (documentNumber: string) => ({
  transportDocumentHouseLevel: roadDocument(documentNumber),
});
