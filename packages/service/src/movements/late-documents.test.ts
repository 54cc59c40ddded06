// Reference documents that come after the messages that cite them: the reason goes, and what is complete then is decided.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReferenceDocumentResult } from '@landfall/contract';
import { v7 } from 'uuid';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';
import { feedKinds } from '../feed-kinds.js';
import { register as registerEns } from '../registry/register.js';
import { drawnDatabases } from '../testing/databases.js';
import { houseMessage, roadDocument, TestMovements } from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';

const LIVE = '/api/authority/v1/live-routing-profile';
const PROFILE = '/api/authority/v1/routing-profiles/late';

const declarationOf = (sequenceNumber: string) => ({
  declarantNumber: '123456789',
  declarationDate: '2026-05-04',
  sequenceNumber,
});
const cude = (sequenceNumber: string, state = 'VALID') => ({
  kind: 'CUDE',
  ...declarationOf(sequenceNumber),
  state,
});
const transit = (referenceNumber: string, state = 'VALID') => ({
  kind: 'N820',
  referenceNumber,
  state,
});
/** Goods that are cleared by a customs declaration. */
const cleared = (documentNumber: string, sequenceNumber: string, more: object = {}) =>
  houseMessage(documentNumber, {
    ...more,
    importProcedure: { importProcedure: 'CUSTOMS_DECLARATION', hasOutgoingProcedure: false },
    previousDocuments: [{ typeOfReference: 'CUDE', ...declarationOf(sequenceNumber) }],
  });
/** Goods in transit under several documents. */
const inTransit = (documentNumber: string, ...numbers: string[]) =>
  houseMessage(documentNumber, {
    importProcedure: { importProcedure: 'TRANSIT_IMPORT', outgoingProcedure: 'TRA' },
    previousDocuments: numbers.map((referenceNumber) => ({
      typeOfReference: 'N820',
      referenceNumber,
    })),
  });

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`documents that come late on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let movements: TestMovements;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database, { referenceDocuments: 'loaded' });
      movements = new TestMovements(playground);
    });
    after(() => playground.close());

    const run = (text: string, values: unknown[]) => database.query({ name: '', text, values });
    const register = async (...documents: object[]): Promise<ReferenceDocumentResult[]> => {
      const response = await playground.call('/api/authority/v1/reference-documents', {
        as: 'authority',
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        raw: documents.map((document) => `${JSON.stringify(document)}\n`).join(''),
      });
      assert.equal(response.status, 200, response.text);
      const lines = response.text.split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line));
    };
    const reasonsOf = async (mrn: string): Promise<string[]> => {
      const { body } = await playground.get(
        `/api/movement/road/v2/house-consignment/${mrn}`,
        'forwarder',
      );
      const { incompleteDocumentationReasonList = [] } = body as {
        incompleteDocumentationReasonList?: string[];
      };
      return incompleteDocumentationReasonList;
    };
    const routingOf = async (documentNumber: string) => {
      const [row] = await database.query<{ routing: string | null }>({
        name: '',
        text: 'select routing from house_consignment where document_number = $1',
        values: [documentNumber],
      });
      return row?.routing;
    };
    const lodge = (message: unknown) => movements.lodge('house-consignment', message);

    test('a declaration that is registered as valid takes the reason away, and no other document does', async () => {
      const mrn = await lodge(cleared('L1', '1'));
      const other = await lodge(cleared('L2', '2'));
      assert.deepEqual(await reasonsOf(mrn), ['CANNOT_VERIFY_CUDE_DOCUMENTATION']);
      await register(cude('1', 'INVALID'), transit('26SE0000000000001A'));
      assert.deepEqual(await reasonsOf(mrn), ['CANNOT_VERIFY_CUDE_DOCUMENTATION']);
      await register(cude('1'));
      assert.deepEqual(await reasonsOf(mrn), []);
      assert.deepEqual(await reasonsOf(other), ['CANNOT_VERIFY_CUDE_DOCUMENTATION']);
    });

    test('of several transits, the last one takes the reason away; other reasons stay', async () => {
      const numbers = ['26SE0000000000001B', '26SE0000000000001C'];
      const mrn = await lodge(inTransit('T1', ...numbers));
      const more = inTransit('T2', numbers[0] ?? '');
      const { consignmentHouseLevel: house } = more;
      const lacking = await lodge({
        ...more,
        consignmentHouseLevel: {
          ...house,
          importProcedure: { importProcedure: 'TRANSIT_IMPORT', outgoingProcedure: 'TRE' },
        },
      });
      await register(transit(numbers[0] ?? ''));
      assert.deepEqual(await reasonsOf(mrn), ['CANNOT_VERIFY_TRA_DOCUMENTATION']);
      const left = await reasonsOf(lacking);
      assert(left.length > 0 && !left.includes('CANNOT_VERIFY_TRA_DOCUMENTATION'), String(left));
      await register(transit(numbers[1] ?? ''));
      assert.deepEqual(await reasonsOf(mrn), []);
    });

    test('presented goods that are complete then are decided', async () => {
      await lodge(cleared('P1', '3'));
      const presented = await playground.present('house-consignment', 'forwarder', {
        transportDocumentHouseLevel: roadDocument('P1'),
      });
      assert.equal(presented.status, 202, presented.text);
      assert.equal(await routingOf('P1'), null);
      await register(cude('3'));
      for (let tries = 0; (await routingOf('P1')) === null && tries < 100; tries++) await delay(50);
      assert.equal(await routingOf('P1'), 'TO_ENTRY');
    });

    const setLive = async () => {
      const put = await playground.call(PROFILE, {
        as: 'authority',
        method: 'PUT',
        body: { salt: 's', rules: [{ name: 'all', routing: 'TO_CONTROL' }] },
      });
      assert(put.status < 300, put.text);
      const { version } = put.body as { version: number };
      const live = await playground.call(LIVE, {
        as: 'authority',
        method: 'PUT',
        body: { name: 'late', version },
      });
      assert(live.status < 300, live.text);
    };
    const endLive = () => playground.call(LIVE, { as: 'authority', method: 'DELETE' });

    test('the live profile decides what is not presented, in the same block', async () => {
      await setLive();
      await lodge(cleared('V1', '4'));
      assert.equal(await routingOf('V1'), null);
      await register(cude('4'));
      assert.equal(await routingOf('V1'), 'TO_CONTROL');
      await endLive();
    });

    test('what was cancelled or names another document now waits no longer', async () => {
      const cancelled = await lodge(cleared('C1', '5'));
      const replaced = await lodge(cleared('C2', '5'));
      await movements.cancel('house-consignment', cancelled);
      await movements.replace('house-consignment', replaced, cleared('C2', '6'));
      await register(cude('5'));
      assert.deepEqual(await reasonsOf(cancelled), ['CANNOT_VERIFY_CUDE_DOCUMENTATION']);
      assert.deepEqual(await reasonsOf(replaced), ['CANNOT_VERIFY_CUDE_DOCUMENTATION']);
      await register(cude('6'));
      assert.deepEqual(await reasonsOf(replaced), []);
      const [left] = await database.query<{ count: number }>({
        name: '',
        text: `select count(*)::integer as count from awaited_document where reference like '%-5'`,
        values: [],
      });
      assert.equal(left?.count, 0);
    });

    // The embedded database runs one transaction at a time.
    if (name !== 'embedded') {
      test('whichever of document and message is first, no reason stays behind', async () => {
        for (let round = 0; round < 40; round++) {
          const sequence = String(1000 + round);
          const isReplacing = round % 2 === 1;
          const before = isReplacing ? await lodge(houseMessage(`R${round}`)) : '';
          const message = cleared(`R${round}`, sequence);
          const store = async () => {
            if (!isReplacing) return lodge(message);
            await movements.replace('house-consignment', before, message);
            return before;
          };
          const [mrn] = await Promise.all([
            store(),
            delay(round % 8).then(() => register(cude(sequence))),
          ]);
          assert.deepEqual(await reasonsOf(mrn), [], `round ${round}`);
        }
      });

      test('a message that somebody changes for long holds up its document alone', async () => {
        const mrn = await lodge(cleared('H1', '7'));
        let isHeld: () => void = () => undefined;
        const held = new Promise<void>((resolve) => {
          isHeld = resolve;
        });
        const holding = database.transact(async (transaction) => {
          await transaction.query({
            name: '',
            text: 'select from declaration where mrn = $1 for no key update',
            values: [mrn],
          });
          isHeld();
          // A session that does nothing in a transaction would be ended after 10 s.
          await transaction.run('select pg_sleep(14)');
        }, 'maintenance');
        await held;
        const results = await register(cude('7'), cude('8'));
        await holding;
        assert.deepEqual(
          results.map(({ status }) => status),
          ['REFUSED', 'REGISTERED'],
        );
        await register(cude('7'));
        assert.deepEqual(await reasonsOf(mrn), []);
      });
    }

    if (name !== 'embedded') {
      test('a party of another record of the goods that is held for long holds up its document alone', async () => {
        await setLive();
        const declarant = playground.credentials('haulier').organisation;
        const mrn = await lodge(cleared('E1', '11', { master: 'EM1' }));
        const registry = { database, audit: new AuditTrail(), newId: v7 };
        const house = {
          transportDocumentHouseLevel: { documentNumber: 'E1', type: 'N730' as const },
          transportDocumentMasterLevel: { documentNumber: 'EM1', type: 'N730' as const },
        };
        const declaration = {
          mrn: '26NO700000000000EA',
          customsOfficeOfFirstEntry: 'NO351001',
          declarant,
        };
        await registerEns(
          registry,
          [{ mrn: declaration.mrn, declaration, houses: [house], isComplete: true }],
          { at: new Date(), actor: undefined, requestId: randomUUID() },
        );
        let isHeld: () => void = () => undefined;
        const held = new Promise<void>((resolve) => {
          isHeld = resolve;
        });
        const holding = database.transact(async (transaction) => {
          await transaction.query({
            name: '',
            text: `select pg_advisory_xact_lock(${FEED_LOCK}, id) from organisation where identifier = $1`,
            values: [declarant],
          });
          isHeld();
          await transaction.run('select pg_sleep(14)');
        }, 'maintenance');
        await held;
        const results = await register(cude('11'), cude('12'));
        await holding;
        assert.deepEqual(
          results.map(({ status }) => status),
          ['REFUSED', 'REGISTERED'],
        );
        await register(cude('11'));
        assert.deepEqual(await reasonsOf(mrn), []);
        const rows = await database.query<{ routing: string | null }>({
          name: '',
          text: `select routing from house_consignment where document_number = 'E1'`,
          values: [],
        });
        assert.deepEqual(
          rows.map(({ routing }) => routing),
          ['TO_CONTROL', 'TO_CONTROL'],
        );
        await endLive();
      });
    }

    test('a replacement that is sent again is a success, also if a document has become invalid', async () => {
      await register(cude('901'));
      const mrn = await lodge(cleared('AGAIN', '901'));
      const path = `house-consignment/${mrn}`;
      const message = cleared('AGAIN', '901', { numberOfPackages: 4 });
      const first = await movements.carryOut('PUT', path, message);
      assert.equal(first.status, 'SUCCESS');
      await register(cude('901', 'INVALID'));
      const before = await run(
        'select m.* from movement m join declaration e on e.id = m.declaration_id where e.mrn = $1',
        [mrn],
      );
      const again = await movements.carryOut('PUT', path, message);
      assert.deepEqual([again.status, again.mrn], ['SUCCESS', mrn]);
      assert.deepEqual(
        await run(
          'select m.* from movement m join declaration e on e.id = m.declaration_id where e.mrn = $1',
          [mrn],
        ),
        before,
      );
      const other = cleared('AGAIN', '901', { numberOfPackages: 5 });
      const refused = await movements.carryOut('PUT', path, other);
      assert.equal(refused.validationErrorList?.[0]?.code, 'NOT_VERIFIED');
      await movements.cancel('house-consignment', mrn);
      const ended = await movements.carryOut('PUT', path, message);
      assert.equal(ended.validationErrorList?.[0]?.code, 'NOT_CURRENT');
    });

    test('the audit trail has what was verified', async () => {
      const { breaks } = await verifyAudit(database, feedKinds);
      assert.deepEqual(breaks, []);
      const rows = await database.query<{ entry: string }>({
        name: '',
        text: `select entry from audit_record where entry like '%"reference-documents.registered"%"verified"%'`,
        values: [],
      });
      assert(rows.length > 0);
    });
  });
}
