// Lodging, replacing and cancelling movement messages, and what becomes of their goods.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { MovementStatus } from '@landfall/contract';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const ROAD = '/api/movement/road/v2';
const LIVE = '/api/authority/v1/live-routing-profile';
const document = (documentNumber: string, type = 'N730') => ({ documentNumber, type });
const party = (name: string, country: string) => ({
  name,
  typeOfPerson: '2',
  address: { city: 'Oslo', country, postcode: '0150', streetLine: 'Strandgata 1' },
});

/** A house consignment with no more than it needs; complete, because its goods are cleared collectively. */
const house = (documentNumber: string, more: object = {}) => ({
  documentIssueDate: '2026-05-04T07:00:00Z',
  consignmentHouseLevel: {
    transportDocumentHouseLevel: document(documentNumber),
    containerIndicator: '0',
    totalGrossMass: 800,
    numberOfPackages: 3,
    goodsDescription: 'Wooden chairs',
    importProcedure: { importProcedure: 'COLLECTIVE_RELEASE', hasOutgoingProcedure: false },
    consignor: party('Stolar AB', 'SE'),
    consignee: party('Stoler AS', 'NO'),
    ...more,
  },
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`lodging on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
    });
    after(() => playground.close());

    const send = (method: string, path: string, body: unknown, as = 'forwarder') =>
      playground.call(`${ROAD}/${path}`, { as, method, body });
    const statusOf = async (requestId: string, owner = 'forwarder'): Promise<MovementStatus> => {
      const rows = await database.query<{ entry: string }>({
        name: '',
        text: 'select entry from movement_status where id = $1',
        values: [requestId],
      });
      assert.equal(rows.length, 1, `${owner} has no status of ${requestId}`);
      return JSON.parse(rows[0]?.entry ?? '');
    };
    /** Sends a request, and gives its status. */
    const carryOut = async (method: string, path: string, body: unknown, as = 'forwarder') => {
      const response = await send(method, path, body, as);
      assert.equal(response.status, 202, response.text);
      return statusOf((response.body as { requestId: string }).requestId);
    };
    const lodge = (body: unknown, as = 'forwarder') =>
      carryOut('POST', 'house-consignment', body, as);

    test('a house consignment is lodged, presented by its document, and signalled', async () => {
      const status = await lodge(house('L1'));
      assert.equal(status.status, 'SUCCESS');
      assert.match(status.mrn ?? '', /^\d\dNO[0-9A-HJ-NP-Z]{12}T\d$/);
      const presented = await playground.present('house-consignment', 'forwarder', {
        transportDocumentHouseLevel: document('L1'),
      });
      assert.equal(presented.status, 202, presented.text);
      const signals = await playground.call('/api/movement/routing/v1/house-consignment', {
        as: 'forwarder',
        headers: { prefer: 'wait=20' },
      });
      const own = (signals.body as { houseConsignmentMRN?: string }[]).find(
        ({ houseConsignmentMRN }) => houseConsignmentMRN === status.mrn,
      );
      assert.ok(own !== undefined, signals.text);
    });

    test('what is missing is named, and comes with a replacement', async () => {
      const incomplete = house('L2', { importProcedure: undefined });
      const status = await lodge(incomplete);
      assert.equal(status.status, 'SUCCESS');
      assert.deepEqual(status.incompleteDocumentationReasonList, ['INCOMPLETE_DOCUMENTATION']);
      const replaced = await carryOut('PUT', `house-consignment/${status.mrn}`, house('L2'));
      assert.equal(replaced.status, 'SUCCESS');
      assert.equal(replaced.mrn, status.mrn);
      assert.equal(replaced.incompleteDocumentationReasonList, undefined);
    });

    test('a key stands once, whoever has lodged it', async () => {
      const underMaster = house('L3', {
        consignmentMasterLevel: {
          carrierIdentificationNumber: 'NO888888888',
          transportDocumentMasterLevel: document('M3'),
        },
      });
      const first = await lodge(underMaster);
      const own = await lodge(underMaster);
      const others = await lodge(underMaster, 'haulier');
      const textOf = ({ validationErrorList: [error] = [] }: MovementStatus) => error?.description;
      assert.equal(
        textOf(own),
        `Transport document L3 of type N730 is already in use: ${first.mrn}`,
      );
      assert.equal(textOf(others), 'Transport document L3 of type N730 is already in use');
      const cancelled = await carryOut('DELETE', `house-consignment/${first.mrn}`, {});
      assert.equal(cancelled.status, 'SUCCESS');
      assert.equal((await lodge(underMaster, 'haulier')).status, 'SUCCESS');
      const ended = await carryOut('PUT', `house-consignment/${first.mrn}`, underMaster);
      assert.equal(ended.validationErrorList?.[0]?.code, 'NOT_CURRENT');
      assert.equal(
        (await carryOut('DELETE', `house-consignment/${first.mrn}`, undefined)).status,
        'SUCCESS',
      );
    });

    test('what is presented is neither cancelled, nor taken out of what it is in', async () => {
      const master = {
        carrierIdentificationNumber: 'NO888888888',
        transportDocumentMasterLevel: document('M4'),
      };
      const { mrn } = await lodge(house('L4-CONTROL', { consignmentMasterLevel: master }));
      const presented = await playground.present('house-consignment', 'forwarder', {
        transportDocumentHouseLevel: document('L4-CONTROL'),
        mrn,
      });
      assert.equal(presented.status, 202, presented.text);
      const cancelled = await carryOut('DELETE', `house-consignment/${mrn}`, {});
      assert.equal(cancelled.validationErrorList?.[0]?.code, 'PRESENTED');
      const without = await carryOut('PUT', `house-consignment/${mrn}`, house('L4-CONTROL'));
      assert.deepEqual(
        without.validationErrorList?.map(({ code, pointer }) => [code, pointer.messageElementPath]),
        [
          'consignmentHouseLevel.consignmentMasterLevel.carrierIdentificationNumber',
          'consignmentHouseLevel.consignmentMasterLevel.transportDocumentMasterLevel.documentNumber',
          'consignmentHouseLevel.consignmentMasterLevel.transportDocumentMasterLevel.type',
        ].map((path) => ['PRESENTED', path]),
      );
      const described = house('L4-CONTROL', {
        consignmentMasterLevel: master,
        goodsDescription: 'Chairs of oak',
      });
      assert.equal(
        (await carryOut('PUT', `house-consignment/${mrn}`, described)).status,
        'SUCCESS',
      );
    });

    test('goods that are controlled at one office wait until they are presented, in every order', async () => {
      const profile = '/api/authority/v1/routing-profiles/one-office';
      const as = 'authority';
      const rules = [
        {
          name: 'one office',
          when: { customsOfficeOfFirstEntry: ['NO371001'] },
          routing: 'TO_CONTROL',
        },
        { name: 'all others', routing: 'TO_ENTRY' },
      ];
      const put = await playground.call(profile, {
        as,
        method: 'PUT',
        body: { salt: 's', rules },
      });
      assert.ok(put.status < 300, put.text);
      const version = (put.body as { version: number }).version;
      const routingOf = async (mrn: string | undefined) => {
        const [row] = await database.query<{ routing: string | null }>({
          name: '',
          text: 'select routing from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = $1',
          values: [mrn ?? ''],
        });
        return row?.routing;
      };
      const before = await lodge(house('P1'));
      const activated = await playground.call(LIVE, {
        as,
        method: 'PUT',
        body: { name: 'one-office', version },
      });
      assert.ok(activated.status < 300, activated.text);
      const incomplete = await lodge(house('P2', { importProcedure: undefined }));
      await carryOut('PUT', `house-consignment/${incomplete.mrn}`, house('P2'));
      const after = await lodge(house('P3'));
      const elsewhere = await lodge(house('P4'));
      const mrns = [before, incomplete, after, elsewhere].map(({ mrn }) => mrn);
      for (const mrn of mrns) assert.equal(await routingOf(mrn), null);
      for (const [index, office] of ['NO371001', 'NO371001', 'NO371001', 'NO351001'].entries()) {
        const presented = await playground.call('/api/movement/presentation/v1/house-consignment', {
          as: 'forwarder',
          method: 'POST',
          body: {
            requestId: randomUUID(),
            customsOfficeOfPresentation: office,
            transportDocumentHouseLevel: document(`P${index + 1}`),
          },
        });
        assert.equal(presented.status, 202, presented.text);
      }
      const expected = ['TO_CONTROL', 'TO_CONTROL', 'TO_CONTROL', 'TO_ENTRY'];
      const end = performance.now() + 20_000;
      for (;;) {
        const found = await Promise.all(mrns.map(routingOf));
        if (found.every((routing) => routing !== null) || performance.now() > end) {
          assert.deepEqual(found, expected);
          break;
        }
        await delay(50);
      }
      await playground.call(LIVE, { as, method: 'DELETE' });
    });

    test('a requestId is used once, and not by what is refused at once', async () => {
      const requestId = randomUUID();
      const refused = await send('POST', 'house-consignment', { requestId });
      assert.equal(refused.status, 400);
      assert.equal((await lodge({ ...house('L5'), requestId })).requestId, requestId);
      const again = await send('POST', 'house-consignment', { ...house('L6'), requestId });
      assert.equal(again.status, 400, again.text);
      assert.match(again.text, /REQUEST_ID_REUSED/);
    });

    test('a requestId in capital letters is the same one', async () => {
      const requestId = randomUUID();
      const lodged = await lodge({ ...house('L5A'), requestId: requestId.toUpperCase() });
      assert.equal(lodged.requestId, requestId);
      const again = await send('POST', 'house-consignment', { ...house('L6'), requestId });
      assert.match(again.text, /REQUEST_ID_REUSED/);
    });

    test('a master consignment above presented mail is not cancelled, and its parties change', async () => {
      const master = (more: object) => ({
        documentIssueDate: '2026-05-04T07:00:00Z',
        consignmentMasterLevel: {
          containerIndicator: '0',
          grossMass: 900,
          carrier: { identificationNumber: 'NO888888888' },
          transportDocumentMasterLevel: document('MAIL'),
          consignmentHouseLevel: [{ receptacle: [{ receptacleIdentificationNumber: 'R9' }] }],
          consignor: party('Stolar AB', 'SE'),
          consignee: party('Stoler AS', 'NO'),
        },
        ...more,
      });
      const { organisation } = playground.credentials('haulier');
      const representative = {
        name: 'Transportør AS',
        identificationNumber: organisation.replace('0192:', ''),
        address: { city: 'Oslo', country: 'NO', postcode: '0150', streetLine: 'Strandgata 2' },
        communication: [],
      };
      const { mrn } = await carryOut('POST', 'master-consignment', master({}));
      assert.equal(
        (await carryOut('PUT', `master-consignment/${mrn}`, master({ representative }))).status,
        'SUCCESS',
      );
      const [parties] = await database.query<{ same: boolean }>({
        name: '',
        text: `
          select e.representative = m.representative as same
          from declaration e join movement m on m.declaration_id = e.id where e.mrn = $1`,
        values: [mrn ?? ''],
      });
      assert.deepEqual(parties, { same: true });
      await lodge(house('L9', { receptacleIdentificationNumber: 'R9' }));
      const presented = await playground.present('house-consignment', 'forwarder', {
        transportDocumentHouseLevel: document('L9'),
      });
      assert.equal(presented.status, 202, presented.text);
      const cancelled = await carryOut('DELETE', `master-consignment/${mrn}`, {}, 'haulier');
      assert.equal(cancelled.validationErrorList?.[0]?.code, 'PRESENTED');
    });

    test('a message is cancelled whatever Content-Type says', async () => {
      for (const [index, type] of ['foo', ';', 'text/plain; charset=utf-16', 'x/y'].entries()) {
        const { mrn } = await lodge(house(`L8-${index}`));
        const requestId = randomUUID();
        const cancelled = await playground.call(`${ROAD}/house-consignment/${mrn}`, {
          as: 'forwarder',
          method: 'DELETE',
          raw: JSON.stringify({ requestId }),
          headers: { 'content-type': type },
        });
        assert.equal(cancelled.status, 202, `${type}: ${cancelled.text}`);
        assert.deepEqual(cancelled.body, { requestId });
      }
    });

    test('a requestId of a cancellation is read, or the request is refused', async () => {
      const { mrn } = await lodge(house('L10'));
      const id = randomUUID();
      const cancel = (raw: string | Uint8Array<ArrayBuffer>) =>
        playground.call(`${ROAD}/house-consignment/${mrn}`, {
          as: 'forwarder',
          method: 'DELETE',
          raw,
          headers: { 'content-type': 'application/json' },
        });
      const refused: [string, string][] = [
        [`{"requestId":"${randomUUID()}","requestId":"${id}"}`, 'requestId'],
        [`{"requestId":"${id}","a":{"b":1,"b":2}}`, 'a.b'],
        [`[{"requestId":"${id}"}]`, ''],
        [`{"requestId":"${id}","a":${'['.repeat(100)}${']'.repeat(100)}}`, ''],
      ];
      for (const [raw, field] of refused) {
        const response = await cancel(raw);
        assert.equal(response.status, 400, `${raw}`);
        const { validationErrors } = response.body as { validationErrors: { field: string }[] };
        assert.deepEqual(
          validationErrors.map((error) => error.field),
          [field],
        );
      }
      for (const raw of [
        `{"requestId":"${id}",}`,
        Buffer.from(`{"requestId":"${id}"}`, 'utf16le'),
      ]) {
        assert.equal((await cancel(raw)).status, 400);
      }
      for (const raw of [`{"requestId":"${id}"`, Buffer.from([0xff, 0xfe, 0x7b])]) {
        assert.equal((await cancel(raw)).status, 400);
      }
      const unknown = await playground.get(
        `/api/movement/road/status/v2/house-consignment/validation-status/${id}`,
        'forwarder',
      );
      assert.equal(unknown.status, 404);
      const marked = await cancel(`\uFEFF {"requestId":"${id}"}`);
      assert.deepEqual([marked.status, marked.body], [202, { requestId: id }]);
      for (const raw of ['', ' ', 'documentIssueDate=2026', 'null', '\uFEFF']) {
        assert.equal((await cancel(raw)).status, 202, raw);
      }
    });

    test('what others have lodged does not exist', async () => {
      const { mrn } = await lodge(house('L7'));
      const unknown = await send('PUT', 'house-consignment/26NO00000000000000', house('L7'));
      const others = await send('PUT', `house-consignment/${mrn}`, house('L7'), 'haulier');
      assert.equal(unknown.status, 404);
      assert.equal(others.status, 404);
      const detailOf = ({ body }: { body: unknown }) => (body as { detail: string }).detail;
      assert.equal(
        detailOf(others).replace(mrn ?? '', ''),
        detailOf(unknown).replace('26NO00000000000000', ''),
      );
    });

    test('the audit trail has all of it', async () => {
      const { breaks } = await verifyAudit(database, feedKinds);
      assert.deepEqual(breaks, []);
    });
  });
}
