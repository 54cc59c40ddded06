// Relations: what they couple, who makes and cancels them, and that they count like couplings by documents.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { MovementStatus } from '@landfall/contract';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { checkSignals } from '../testing/check-signals.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  houseMessage,
  masterMessage,
  type RelatedEnd,
  roadDocument,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';
import { DECLARATIONS } from '../testing/registry-client.js';
import { insertLodged, type LodgedDeclaration } from './lodging-queries.js';
import { insertRelation } from './relation-queries.js';

/** The carrier of the transports, which reports their arrivals. */
const carrier = 'NO310000124';
const REPORTER = 'haulier';

const BASE = '/api/movement/road';

/** The broken rules of a status that is a failure, and the members at which they are broken. */
const broken = ({ status, validationErrorList = [] }: MovementStatus) => {
  assert.equal(status, 'FAILURE');
  return validationErrorList.map(({ code, pointer }) => `${code} ${pointer.messageElementPath}`);
};

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`relations on ${name}`, { skip }, () => {
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

    let made = 0;
    const next = (text: string) => `${text}-${made++}`;
    const transport = async (as = 'carrier', more: Parameters<typeof transportMessage>[1] = {}) =>
      [
        'TRANSPORT',
        await movements.lodge('transport', transportMessage(next('R'), { carrier, ...more }), as),
      ] as const;
    const master = async (as = 'express', more = {}) =>
      [
        'MASTER_CONSIGNMENT',
        await movements.lodge('master-consignment', masterMessage(next('M'), more), as),
      ] as const;
    const house = async (as = 'forwarder', more = {}) =>
      [
        'HOUSE_CONSIGNMENT',
        await movements.lodge('house-consignment', houseMessage(next('H'), more), as),
      ] as const;

    /** The identities for whom goods are presented, in order. */
    const presentedFor = async ([, mrn]: RelatedEnd): Promise<string[]> => {
      const rows = await database.query<{ organisation: string }>({
        name: '',
        text: `
          select o.identifier as organisation
          from declaration e join house_consignment h on h.ens_id = e.id
          join signal_recipient c on c.house_consignment_id = h.id join organisation o on o.id = c.organisation_id
          where e.mrn = $1`,
        values: [mrn],
      });
      const names = new Map(
        playground.playground.identities.map((each) => [each.organisation, each.name]),
      );
      return rows.map(({ organisation }) => names.get(organisation) ?? '').sort();
    };
    const arrive = async ([, mrn]: RelatedEnd) => {
      assert.equal((await movements.arrive(mrn, REPORTER)).status, 'SUCCESS');
    };
    const read = async (path: string, as: string) => {
      const { status, text, body } = await playground.get(`${BASE}/${path}`, as);
      assert.equal(status, 200, text);
      return body as Record<string, unknown>;
    };
    const relationsOf = async (level: string, [, mrn]: RelatedEnd, as: string) => {
      const { relations = [] } = await read(`v2/${level}/${mrn}`, as);
      return (relations as { mrn: string }[]).map((each) => each.mrn);
    };

    test('a master or a house consignment hangs on a transport, a house consignment on a master consignment, and nothing else', async () => {
      const ends = {
        parents: [await transport(), await master(), await house()],
        children: [await transport(), await master(), await house()],
      };
      const accepted: string[] = [];
      for (const parent of ends.parents) {
        for (const child of ends.children) {
          const status = await movements.tryRelate(parent, child);
          assert.deepEqual(
            [status.level, status.operation, status.mode],
            ['RELATION', 'LODGE', 'road'],
          );
          if (status.status === 'SUCCESS') {
            assert.match(status.mrn ?? '', /^[0-9]{2}NO[0-9A-Z]{12}T[0-9]$/);
            accepted.push(`${parent[0]} ${child[0]}`);
          } else assert.deepEqual(broken(status), ['INCOMPATIBLE childObjectType']);
        }
      }
      assert.deepEqual(accepted, [
        'TRANSPORT MASTER_CONSIGNMENT',
        'TRANSPORT HOUSE_CONSIGNMENT',
        'MASTER_CONSIGNMENT HOUSE_CONSIGNMENT',
      ]);
    });

    test('both messages are current, of their types and of the mode, whoever has lodged them', async () => {
      const [parent, child] = [await master(), await house()];
      const ended = await house();
      await movements.cancel('house-consignment', ended[1]);
      const byRail = await new TestMovements(playground, 'rail').lodge(
        'house-consignment',
        houseMessage(next('H')),
        'carrier',
      );
      const texts = new Set<string>();
      for (const reference of [ended[1], byRail, parent[1], '26NO7K2M4Q9XWR5HT0']) {
        const status = await movements.tryRelate(parent, ['HOUSE_CONSIGNMENT', reference]);
        assert.deepEqual(broken(status), ['REFERENCE_NOT_FOUND childObjectReference']);
        for (const { description } of status.validationErrorList ?? []) texts.add(description);
      }
      assert.equal(texts.size, 1, [...texts].join('\n'));
      const both = await movements.tryRelate(
        ['TRANSPORT', '26NO7K2M4Q9XWR5HT0'],
        ['TRANSPORT', ended[1]],
      );
      assert.deepEqual(broken(both).sort(), [
        'INCOMPATIBLE childObjectType',
        'REFERENCE_NOT_FOUND childObjectReference',
        'REFERENCE_NOT_FOUND parentObjectReference',
      ]);
      // Neither is of the haulier.
      await movements.relate(parent, child, 'haulier');
    });

    test('what one member shows by itself is refused at once, and spends no requestId', async () => {
      const requestId = randomUUID();
      const [parent, child] = [await master(), await house()];
      const send = (body: object, path = 'v2/relation') =>
        playground.post(`${BASE}/${path}`, 'forwarder', body);
      const fields = ({ body }: { body: unknown }) =>
        (body as { validationErrors: { field: string; code: string }[] }).validationErrors.map(
          ({ field, code }) => `${code} ${field}`,
        );
      const empty = await send({ requestId });
      assert.equal(empty.status, 400);
      assert.deepEqual(fields(empty), [
        'REQUIRED parentObjectType',
        'REQUIRED parentObjectReference',
        'REQUIRED childObjectType',
        'REQUIRED childObjectReference',
      ]);
      const wrong = await send({
        requestId,
        documentIssueDate: 'today',
        representative: { name: 'A' },
        parentObjectType: 'ARRIVAL',
        parentObjectReference: 'no MRN',
        childObjectType: child[0],
        childObjectReference: child[1],
      });
      assert.equal(wrong.status, 400);
      assert.deepEqual(fields(wrong), [
        'REQUIRED representative.identificationNumber',
        'REQUIRED representative.address',
        'REQUIRED representative.address.city',
        'REQUIRED representative.address.country',
        'REQUIRED representative.communication',
        'UNKNOWN_CODE parentObjectType',
        'FORMAT documentIssueDate',
        'FORMAT parentObjectReference',
      ]);
      const representative = {
        name: 'Spedisjon AS',
        identificationNumber: 'NO999999999',
        address: { city: 'Oslo', country: 'XX' },
        communication: [],
      };
      const country = await movements.tryRelate(parent, child, 'forwarder', { representative });
      assert.deepEqual(broken(country), ['UNKNOWN_CODE representative.address.country']);
      const status = await movements.tryRelate(parent, child, 'forwarder', {
        requestId,
        documentIssueDate: '2026-05-04T07:00:00Z',
        representative: 'Spedisjon AS',
      });
      assert.deepEqual([status.status, status.requestId], ['SUCCESS', requestId]);
      const reused = await send({
        requestId,
        parentObjectType: parent[0],
        parentObjectReference: parent[1],
        childObjectType: child[0],
        childObjectReference: child[1],
      });
      assert.deepEqual(fields(reused), ['REQUEST_ID_REUSED requestId']);
      assert.equal((await send({}, 'v1/relation')).status, 404);
      const put = await playground.call(`${BASE}/v2/relation/${status.mrn}`, {
        as: 'forwarder',
        method: 'PUT',
        body: {},
      });
      assert.equal(put.status, 405);
      // The status is that of a relation, for whoever has sent the request.
      const statusPath = (level: string) => `status/v2/${level}/validation-status/${requestId}`;
      assert.deepEqual(await read(statusPath('relation'), 'forwarder'), status);
      for (const [level, as] of [
        ['master-consignment', 'forwarder'],
        ['relation', 'carrier'],
      ] as const) {
        const other = await playground.get(`${BASE}/${statusPath(level)}`, as);
        assert.equal(other.status, 404);
      }
      const feed = await playground.get('/api/movement/status/v1/validation-status', 'forwarder');
      const found = (feed.body as MovementStatus[]).find((each) => each.requestId === requestId);
      assert.deepEqual(found, status);
    });

    test('a pair is related once, and again after it was cancelled; of two at once one wins', async () => {
      const [parent, child] = [await transport(), await master()];
      const mrn = await movements.relate(parent, child, 'forwarder');
      const again = await movements.tryRelate(parent, child, 'forwarder');
      assert.deepEqual(broken(again), ['DUPLICATE childObjectReference']);
      assert.match(again.validationErrorList?.[0]?.description ?? '', new RegExp(`: ${mrn}$`));
      const others = await movements.tryRelate(parent, child, 'express');
      assert.deepEqual(broken(others), ['DUPLICATE childObjectReference']);
      assert.doesNotMatch(others.validationErrorList?.[0]?.description ?? '', new RegExp(mrn));
      assert.equal((await movements.unrelate(mrn)).status, 'SUCCESS');

      const atOnce = await Promise.all(
        ['forwarder', 'express', 'carrier', 'haulier', 'forwarder'].map((as) =>
          movements.tryRelate(parent, child, as),
        ),
      );
      const won = atOnce.filter(({ status }) => status === 'SUCCESS');
      assert.equal(won.length, 1);
      assert.notEqual(won[0]?.mrn, mrn);
      for (const status of atOnce) {
        if (status.status === 'FAILURE') {
          assert.deepEqual(broken(status), ['DUPLICATE childObjectReference']);
        }
      }
      // Many relations of one transport at once, by all.
      const houses = await Promise.all(Array.from({ length: 12 }, () => house()));
      const parties = ['forwarder', 'express', 'carrier', 'haulier'];
      const mrns = await Promise.all(
        houses.map((each, index) => movements.relate(parent, each, parties[index % 4])),
      );
      assert.equal(new Set(mrns).size, houses.length);
    });

    test('its maker and the submitters of both messages cancel it, and to others it is unknown', async () => {
      const cancel = (mrn: string, as: string, path = 'road/v2') =>
        playground.call(`/api/movement/${path}/relation/${mrn}`, { as, method: 'DELETE' });
      for (const as of ['haulier', 'carrier', 'express']) {
        const [parent, child] = [await transport('carrier'), await master('express')];
        const mrn = await movements.relate(parent, child, 'haulier');
        assert.deepEqual(await relationsOf('transport', parent, 'carrier'), [mrn]);
        assert.deepEqual(await relationsOf('master-consignment', child, 'express'), [mrn]);
        const detail = async (of: string, by: string, path?: string) => {
          const { status, body } = await cancel(of, by, path);
          assert.equal(status, 404);
          return (body as { detail: string }).detail.replace(of, 'MRN');
        };
        const unknown = await detail('26NO7K2M4Q9XWR5HT0', as);
        assert.equal(await detail(mrn, 'forwarder'), unknown);
        // It is no MRN of a message, nor is that of a message one of a relation.
        assert.equal(await detail(parent[1], 'carrier'), unknown);
        const asMessage = await playground.call(`${BASE}/v2/transport/${mrn}`, {
          as: 'haulier',
          method: 'DELETE',
        });
        assert.equal(asMessage.status, 404);
        if (as === 'carrier') assert.equal(await detail(mrn, as, 'rail/v1'), unknown);

        const status = await movements.unrelate(mrn, as);
        assert.deepEqual(
          [status.status, status.mrn, status.level, status.operation],
          ['SUCCESS', mrn, 'RELATION', 'CANCEL'],
        );
        assert.deepEqual(await relationsOf('transport', parent, 'carrier'), []);
        assert.equal((await movements.unrelate(mrn, as)).status, 'SUCCESS');
        await arrive(parent);
      }
    });

    test('an arrival presents what hangs by relations, as what hangs by documents', async () => {
      const lorry = await transport('carrier');
      const parcels = await master('express');
      const [below, direct, apart] = [
        await house('forwarder'),
        await house('haulier'),
        await house(),
      ];
      const relations = [
        await movements.relate(lorry, parcels, 'forwarder'),
        await movements.relate(parcels, below, 'haulier'),
        await movements.relate(lorry, direct, 'forwarder'),
      ];
      const cancelled = await movements.relate(lorry, apart);
      await movements.unrelate(cancelled);
      await arrive(lorry);
      assert.deepEqual(await presentedFor(below), ['carrier', 'express', 'forwarder']);
      assert.deepEqual(await presentedFor(direct), ['carrier', 'haulier']);
      assert.deepEqual(await presentedFor(apart), []);

      for (const mrn of relations) {
        const [as = ''] = mrn === relations[1] ? ['haulier'] : ['forwarder'];
        assert.deepEqual(broken(await movements.unrelate(mrn, as)), ['PRESENTED MRN']);
      }
      // The master consignment has presented goods under it now.
      const master1 = await movements.carryOut(
        'DELETE',
        `master-consignment/${parcels[1]}`,
        {},
        'express',
      );
      assert.deepEqual(broken(master1), ['PRESENTED MRN']);
    });

    test('what is related within 24 hours after an arrival is presented before the response', async () => {
      const lorry = await transport('carrier');
      await arrive(lorry);
      const [direct, below] = [await house('forwarder'), await house('haulier')];
      await movements.relate(lorry, direct, 'haulier');
      assert.deepEqual(await presentedFor(direct), ['carrier', 'forwarder']);
      const parcels = await master('express');
      await movements.relate(parcels, below, 'forwarder');
      assert.deepEqual(await presentedFor(below), []);
      const hung = await movements.relate(lorry, parcels, 'forwarder');
      assert.deepEqual(await presentedFor(below), ['carrier', 'express', 'haulier']);
      const later = await house('forwarder');
      await movements.relate(parcels, later, 'forwarder');
      assert.deepEqual(await presentedFor(later), ['carrier', 'express', 'forwarder']);
      assert.deepEqual(broken(await movements.unrelate(hung)), ['PRESENTED MRN']);

      // Recorded more than 24 hours ago, an arrival presents nothing more.
      await database.transact(async (transaction) => {
        await transaction.query({
          name: '',
          text: `update movement set arrival_recorded_at = arrival_recorded_at - interval '25 h'
            where declaration_id = (select id from declaration where mrn = $1)`,
          values: [lorry[1]],
        });
        await transaction.query({
          name: '',
          text: `select append_audit_record(3, '{"action":"test","details":{}}')`,
          values: [],
        });
      });
      const late = await house('forwarder');
      const useless = await movements.relate(lorry, late, 'forwarder');
      assert.deepEqual(await presentedFor(late), []);
      // It has led to nothing, so it can be cancelled.
      assert.equal((await movements.unrelate(useless)).status, 'SUCCESS');
    });

    test('goods that were presented otherwise do not keep a relation', async () => {
      const [lorry, goods] = [await transport('carrier'), await house('forwarder')];
      const mrn = await movements.relate(lorry, goods);
      const { message } = (await read(`v2/house-consignment/${goods[1]}`, 'forwarder')) as {
        message: ReturnType<typeof houseMessage>;
      };
      const { documentNumber } = message.consignmentHouseLevel.transportDocumentHouseLevel;
      const presented = await playground.present('house-consignment', 'forwarder', {
        transportDocumentHouseLevel: { documentNumber, type: 'N730' },
      });
      assert.equal(presented.status, 202, presented.text);
      assert.equal((await movements.unrelate(mrn)).status, 'SUCCESS');
      await arrive(lorry);
      assert.deepEqual(await presentedFor(goods), ['forwarder']);
    });

    test('a relation leads nowhere when one of the two has ended, and a replacement keeps it', async () => {
      const lorry = await transport('carrier');
      const first = await master('express');
      const [below, replaced] = [await house('forwarder'), await house('forwarder')];
      const hung = await movements.relate(lorry, first);
      await movements.relate(first, below);
      const kept = await movements.relate(lorry, replaced);
      await movements.cancel('master-consignment', first[1], 'express');
      assert.deepEqual(await relationsOf('transport', lorry, 'carrier'), [kept]);
      assert.deepEqual(broken(await movements.unrelate(hung)), ['NOT_CURRENT MRN']);
      const { message } = await read(`v2/house-consignment/${replaced[1]}`, 'forwarder');
      const { consignmentHouseLevel } = message as ReturnType<typeof houseMessage>;
      await movements.replace('house-consignment', replaced[1], {
        ...(message as object),
        consignmentHouseLevel: { ...consignmentHouseLevel, goodsDescription: 'Tables' },
      });
      assert.deepEqual(await relationsOf('house-consignment', replaced, 'forwarder'), [kept]);
      await arrive(lorry);
      assert.deepEqual(await presentedFor(below), []);
      assert.deepEqual(await presentedFor(replaced), ['carrier', 'forwarder']);
    });

    test('queries follow relations: trees, documents and the entry status', async () => {
      const lorry = await transport('carrier', { masters: ['QN'] });
      const parcels = await master('express');
      const [below, direct] = [await house('forwarder'), await house('forwarder')];
      const entry = async () => {
        const { reasons } = await read(`status/v2/entry/status/${lorry[1]}`, REPORTER);
        return reasons as string[];
      };
      assert.deepEqual(await entry(), ['NOT_ARRIVED', 'NOTHING_LODGED', 'DOCUMENT_NOT_LODGED']);
      const relations = [
        await movements.relate(lorry, parcels),
        await movements.relate(parcels, below),
        await movements.relate(lorry, direct),
      ];
      assert.deepEqual(await entry(), ['NOT_ARRIVED', 'DOCUMENT_NOT_LODGED']);
      type Entry = { documentNumber: string; relation?: string; houseConsignments?: Entry[] };
      const tree = (await read(
        `status/v2/transport/${lorry[1]}/status-with-descendants`,
        REPORTER,
      )) as { masterConsignments: Entry[]; houseConsignments: Entry[] };
      const { masterConsignments, houseConsignments } = tree;
      assert.equal(masterConsignments[0]?.documentNumber, 'QN');
      assert.deepEqual(
        [
          masterConsignments[1]?.relation,
          masterConsignments[1]?.houseConsignments?.[0]?.relation,
          houseConsignments[0]?.relation,
        ],
        relations,
      );
      const ofMaster = (await read(
        `status/v2/master-consignment/${parcels[1]}/status-with-descendants`,
        'express',
      )) as Entry;
      assert.deepEqual(
        [ofMaster.relation, ofMaster.houseConsignments?.map(({ relation }) => relation)],
        [undefined, [relations[1]]],
      );
      const list = async (path: string, as: string) => {
        const { body } = await playground.get(`${BASE}/status/v2/${path}/status`, as);
        return (body as { received: boolean }[]).map(({ received }) => received);
      };
      const documents = `transport/${lorry[1]}`;
      assert.deepEqual(
        await list(`${documents}/master-consignment/transport-document`, 'carrier'),
        [false, true],
      );
      assert.deepEqual(await list(`${documents}/house-consignment/transport-document`, 'carrier'), [
        true,
        true,
      ]);
      // What couples by its document as well is there once.
      const [both, own] = [next('QM'), next('QH')];
      const twice = await movements.lodge('master-consignment', masterMessage(both), 'express');
      const under = await movements.lodge('house-consignment', houseMessage(own, { master: both }));
      const relation = await movements.relate(
        ['MASTER_CONSIGNMENT', twice],
        ['HOUSE_CONSIGNMENT', under],
      );
      const once = (await read(
        `status/v2/master-consignment/${twice}/status-with-descendants`,
        'express',
      )) as Entry;
      assert.deepEqual(
        once.houseConsignments?.map(({ documentNumber, relation: by }) => [documentNumber, by]),
        [[own, relation]],
      );
    });

    /** Inserts a declaration in a transaction that is rolled back. */
    const insertInVain = async (declaration: LodgedDeclaration) => {
      let inserted: unknown[] = [];
      await assert.rejects(
        database.transact(async (transaction) => {
          inserted = await transaction.query(insertLodged([declaration], new Date()));
          throw new Error('rolled back');
        }),
        /rolled back/,
      );
      return inserted;
    };

    test('what was related and closed is still in the queries, and its relation stays', async () => {
      const lorry = await transport('carrier');
      const [parcels, goods] = [await master('express'), await house('forwarder')];
      const relations = [
        await movements.relate(lorry, parcels),
        await movements.relate(parcels, goods),
      ];
      await arrive(lorry);
      // A week later.
      await database.transact(async (transaction) => {
        await transaction.query({
          name: '',
          text: `update movement set state = 'CLOSED', ended_at = now()
            where declaration_id in (select id from declaration where mrn = any ($1))`,
          values: [[lorry[1], parcels[1], goods[1]]],
        });
        await transaction.query({
          name: '',
          text: `select append_audit_record(3, '{"action":"test","details":{}}')`,
          values: [],
        });
      });
      const tree = (await read(
        `status/v2/transport/${lorry[1]}/status-with-descendants`,
        'carrier',
      )) as {
        masterConsignments: { relation?: string; houseConsignments: { relation?: string }[] }[];
      };
      assert.deepEqual(
        tree.masterConsignments.flatMap((each) => [
          each.relation,
          ...each.houseConsignments.map(({ relation }) => relation),
        ]),
        relations,
      );
      assert.deepEqual(
        (await relationsOf('master-consignment', parcels, 'express')).sort(),
        [...relations].sort(),
      );
      for (const mrn of relations) {
        assert.deepEqual(broken(await movements.unrelate(mrn)), ['NOT_CURRENT MRN']);
      }
      const again = await movements.tryRelate(lorry, parcels);
      assert.deepEqual(broken(again), [
        'REFERENCE_NOT_FOUND parentObjectReference',
        'REFERENCE_NOT_FOUND childObjectReference',
      ]);
    });

    test('nothing else has the MRN of a relation', async () => {
      const mrn = await movements.relate(await master(), await house());
      const taken = await playground.call(`${DECLARATIONS}/${mrn}`, {
        as: 'authority',
        method: 'PUT',
        body: {
          customsOfficeOfFirstEntry: 'NO351001',
          declarant: playground.credentials('broker').organisation,
          houseConsignments: [{ transportDocumentHouseLevel: roadDocument(next('E')) }],
        },
      });
      assert.equal(taken.status, 400, taken.text);
      assert.deepEqual((taken.body as { validationErrors: object[] }).validationErrors, [
        {
          field: 'mrn',
          error: 'must be its own: a relation of two that were lodged has this MRN',
          code: 'DUPLICATE',
        },
      ]);
      // Of messages that draw it, the MRN is taken too, so that they draw another one.
      const [row] = await database.query<{ owner: number; id: number }>({
        name: '',
        text: 'select maker as owner, (select max(id) + 1000 from declaration) as id from movement_relation where mrn = $1',
        values: [mrn],
      });
      assert(row !== undefined);
      const context = { actor: undefined, requestId: randomUUID() };
      const parties = { submitter: row.owner, representative: undefined, carrier: undefined };
      const drawn = { ...parties, id: row.id, kind: 'HOUSE', mrn, body: '{}', context } as const;
      assert.deepEqual(await insertInVain(drawn), []);
      // And a relation does not draw that of a message.
      const [, existing] = await house();
      const relation = { mrn: existing, parent: 1, child: 2, maker: row.owner };
      const inserted = await database.query(
        insertRelation({ ...relation, requestId: randomUUID() }, new Date()),
      );
      assert.deepEqual(inserted, []);
    });

    test('whoever knows one of two MRNs, or that of a relation, learns nothing from it', async () => {
      const [lorry, parcels] = [await transport('carrier'), await master('express')];
      const goods = await house('forwarder');
      const mrn = await movements.relate(lorry, parcels, 'forwarder');
      await movements.relate(parcels, goods, 'forwarder');
      // With one MRN and one that nobody has, it is as with those of messages that cannot be related.
      const related = await movements.tryRelate(
        lorry,
        ['MASTER_CONSIGNMENT', '26NO7K2M4Q9XWR5HT0'],
        'express',
      );
      assert.deepEqual(broken(related), ['REFERENCE_NOT_FOUND childObjectReference']);
      // Submitters of one end are not told what the other one is, nor that by which a relation is found.
      for (const [level, [, own], as] of [
        ['transport', lorry, 'carrier'],
        ['master-consignment', parcels, 'express'],
        ['house-consignment', goods, 'forwarder'],
      ] as const) {
        const text = JSON.stringify(await read(`v2/${level}/${own}`, as));
        for (const other of [lorry[1], parcels[1], goods[1]]) {
          assert.equal(text.includes(other), other === own, text);
        }
      }
      // The MRN of a relation opens nothing but its cancellation, for those who may cancel it.
      const paths = [
        `${BASE}/v2/transport/${mrn}`,
        `${BASE}/status/v2/transport/${mrn}/status-with-descendants`,
        `${BASE}/status/v2/master-consignment/${mrn}/status-with-descendants`,
        `${BASE}/status/v2/house-consignment/${mrn}/transport-document/status`,
        `${BASE}/status/v2/entry/status/${mrn}`,
        `/api/authority/v1/movements/${mrn}`,
      ];
      for (const path of paths) {
        const as = path.includes('authority') ? 'authority' : 'express';
        assert.equal((await playground.get(path, as)).status, 404, path);
      }
      for (const as of ['haulier', 'broker']) {
        const feed = await playground.get('/api/movement/status/v1/validation-status', as);
        assert.ok(!feed.text.includes(mrn), `${as} is told of a relation of others`);
      }
      // Nor do those who lodged the two get a status: they find it with their message.
      const feed = await playground.get('/api/movement/status/v1/validation-status', 'express');
      assert.ok(!feed.text.includes(mrn));
    });

    test('the authority sees relations and cancels them, and whoever made one is told', async () => {
      const [lorry, goods] = [await transport('carrier'), await house('forwarder')];
      const mrn = await movements.relate(lorry, goods, 'express');
      const authority = '/api/authority/v1/movements';
      const coupled = async (of: string, side: 'above' | 'below') => {
        const { body } = await playground.get(`${authority}/${of}`, 'authority');
        const { [side]: found } = body as Record<string, { mrn: string; relation?: string }[]>;
        return found?.map((each) => [each.mrn, each.relation]);
      };
      assert.deepEqual(await coupled(lorry[1], 'below'), [[goods[1], mrn]]);
      assert.deepEqual(await coupled(goods[1], 'above'), [[lorry[1], mrn]]);
      const cancel = async (of: string) => {
        const { status, body } = await playground.call(`${authority}/${of}`, {
          as: 'authority',
          method: 'DELETE',
          body: { reason: 'a mistake' },
        });
        return {
          code: status,
          ...(body as { status?: string; validationErrors?: { code: string }[] }),
        };
      };
      assert.equal((await cancel(mrn)).status, 'CANCELLED');
      assert.equal((await cancel(mrn)).status, 'UNCHANGED');
      assert.deepEqual(await coupled(lorry[1], 'below'), []);
      const feed = await playground.get('/api/movement/status/v1/validation-status', 'express');
      const told = (feed.body as MovementStatus[]).filter(
        (status) => status.mrn === mrn && status.operation === 'CANCEL',
      );
      assert.deepEqual(
        told.map(({ level, cancelledBy }) => [level, cancelledBy]),
        [['RELATION', 'AUTHORITY']],
      );
      const kept = await movements.relate(lorry, goods, 'express');
      await arrive(lorry);
      const refused = await cancel(kept);
      assert.deepEqual(
        [refused.code, refused.validationErrors?.map(({ code }) => code)],
        [400, ['PRESENTED']],
      );
    });

    test('the audit trail has who related what, and no text', async () => {
      const [parent, child] = [await master(), await house()];
      const mrn = await movements.relate(parent, child, 'forwarder');
      await movements.unrelate(mrn);
      const rows = await database.query<{ entry: string }>({
        name: '',
        text: 'select entry from audit_record where strpos(entry, $1) > 0 order by recorded_at',
        values: [mrn],
      });
      const requests = rows.flatMap(({ entry }) => JSON.parse(entry).details.requests ?? []);
      assert.deepEqual(
        requests.map(({ operation, level, mrn: of, related }) => [operation, level, of, related]),
        ['LODGE', 'CANCEL'].map((operation) => [
          operation,
          'RELATION',
          mrn,
          { parent: parent[1], child: child[1] },
        ]),
      );
      assert.match(requests[0].digest, /^[0-9a-f]{64}$/);
    });
  });

  describe(`relations where only expected parties present, on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    let movements: TestMovements;
    let database: Database;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database, { presenters: 'expected' });
      movements = new TestMovements(playground);
    });
    after(() => playground.close());

    test('a relation counts where a coupling by documents does not', async () => {
      const stranger = 'NO888888888';
      const message = transportMessage('EX1', { masters: ['EXM'], carrier: stranger });
      const lorry = await movements.lodge('transport', message, 'carrier');
      const parcels = await movements.lodge(
        'master-consignment',
        masterMessage('EXM', { carrier: stranger }),
        'express',
      );
      const goods = await movements.lodge(
        'house-consignment',
        houseMessage('EXH', { master: 'EXM', carrier: stranger }),
        'forwarder',
      );
      const counted = async () => {
        const { body } = await playground.get(
          `${BASE}/status/v2/transport/${lorry}/status-with-descendants`,
          'carrier',
        );
        const { masterConsignments } = body as {
          masterConsignments: { received: boolean; houseConsignments: unknown[] }[];
        };
        return masterConsignments.map(
          ({ received, houseConsignments }) => `${received} ${houseConsignments.length}`,
        );
      };
      assert.deepEqual(await counted(), ['false 0']);
      await movements.relate(['TRANSPORT', lorry], ['MASTER_CONSIGNMENT', parcels], 'forwarder');
      assert.deepEqual(await counted(), ['true 0']);
      assert.equal((await movements.arrive(lorry, 'carrier')).status, 'SUCCESS');
      const parties = async () => {
        const [row] = await database.query<{ parties: number }>({
          name: '',
          text: `
            select count(*)::integer as parties from declaration d join house_consignment h on h.ens_id = d.id
            join signal_recipient c on c.house_consignment_id = h.id where d.mrn = $1`,
          values: [goods],
        });
        return row?.parties;
      };
      assert.equal(await parties(), 0);
      await movements.relate(
        ['MASTER_CONSIGNMENT', parcels],
        ['HOUSE_CONSIGNMENT', goods],
        'forwarder',
      );
      assert.equal(await parties(), 3);
    });
  });
}
