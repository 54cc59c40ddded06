// A replacement of presented goods that may add something adds it to the goods, as if they had been lodged with it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { checkSignals } from '../testing/check-signals.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  houseMessage,
  masterMessage,
  roadDocument,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';

const carrier = 'NO310000124';
const REPORTER = 'haulier';

/** Nobody decides it. */
const incomplete = { importProcedure: undefined };

const container = {
  containerSizeAndType: '22',
  containerPackedStatus: 'A',
  containerSupplierType: '1',
  containerIdentificationNumber: 'CSQU3054383',
};
const item = (subheading: string) => ({
  itemAmountInvoicedVOEC: { value: 100, numberOfItems: 1 },
  commodityCodeVOEC: { harmonizedSystemSubheadingCode: subheading },
  additionalFiscalReferences: { vatIdentificationNumber: '2056550', role: 'FR5' },
});
const voec = { importProcedure: { importProcedure: 'IMMEDIATE_RELEASE_VOEC' } };

/** What may be added to goods that are presented, each with the conditions under which it may. */
const additions: Record<string, Parameters<typeof houseMessage>[1]> = {
  master: { master: 'AM', carrier, ...incomplete },
  receptacle: { receptacle: 'SEMMAANOOSLAAUN60001001002000', ...incomplete },
  transport: { isDirect: true, carrier, ...incomplete },
  container: { containerIndicator: '1', transportEquipment: [container], ...incomplete },
  goodsItem: { ...voec, goodsItem: [item('930200'), item('420100')] },
};

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`replacing presented goods on ${name}`, { skip }, () => {
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

    /** Lodges goods that are on their own, incomplete, and presents them. */
    const lodgePresented = async (number: string, more: object = incomplete) => {
      const mrn = await movements.lodge('house-consignment', houseMessage(number, { ...more }));
      const response = await playground.present('house-consignment', 'forwarder', {
        transportDocumentHouseLevel: roadDocument(number),
      });
      assert.equal(response.status, 202, response.text);
      return mrn;
    };
    /** What is found, decided and signalled by, of the goods under an MRN. */
    const goodsOf = async (mrn: string) => {
      const [row] = await database.query<Record<string, unknown>>({
        name: '',
        text: `
          select h.master_document_number, h.master_document_key, h.master_document_type, h.receptacle_id, h.subheadings,
            replace(replace(h.signal_head, e.mrn, 'MRN'), h.document_number, 'NUMBER') as head, m.carrier, array(
              select container_id from house_consignment_container c where c.house_consignment_id = h.id order by 1
            ) as containers
          from declaration e join movement m on m.declaration_id = e.id join house_consignment h on h.ens_id = e.id
          where e.mrn = $1`,
        values: [mrn],
      });
      return row ?? assert.fail();
    };
    const routingOf = async (mrn: string) => {
      const [row] = await database.query<{ routing: string | null }>({
        name: '',
        text: 'select routing from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = $1',
        values: [mrn],
      });
      return row?.routing;
    };
    const untilDecided = async (mrn: string) => {
      for (let tries = 0; tries < 200 && (await routingOf(mrn)) === null; tries++) await delay(50);
      return routingOf(mrn);
    };

    for (const [what, more] of Object.entries(additions)) {
      test(`the goods have what is added: ${what}`, async () => {
        const lodged = await movements.lodge('house-consignment', houseMessage(`L${what}`, more));
        const replaced = await lodgePresented(`R${what}`);
        await movements.replace('house-consignment', replaced, houseMessage(`R${what}`, more));
        assert.deepEqual(await goodsOf(replaced), await goodsOf(lodged));
      });
    }

    test('a transport reaches goods by what was added after they were presented', async () => {
      const added: Record<string, Record<string, unknown>> = {
        BH1: { master: 'BM1', carrier, ...incomplete },
        BH2: { receptacle: 'BR1', ...incomplete },
        BH3: { isDirect: true, carrier, ...incomplete },
      };
      const mrns = await Promise.all(Object.keys(added).map((number) => lodgePresented(number)));
      await movements.lodge('master-consignment', masterMessage('BM1', { carrier }), 'express');
      const mail = masterMessage('BM2', { receptacles: ['BR1'], carrier });
      await movements.lodge('master-consignment', mail, 'express');
      const transport = await movements.lodge(
        'transport',
        transportMessage('BT', { masters: ['BM1', 'BM2'], houses: ['BH3'], carrier }),
        'carrier',
      );
      await movements.arrive(transport, REPORTER);
      for (const [index, [number, more]] of Object.entries(added).entries()) {
        await movements.replace('house-consignment', mrns[index] ?? '', houseMessage(number, more));
        const rows = await database.query<{ identifier: string }>({
          name: '',
          text: `
            select o.identifier from declaration e join house_consignment h on h.ens_id = e.id
            join signal_recipient c on c.house_consignment_id = h.id join organisation o on o.id = c.organisation_id
            where e.mrn = $1`,
          values: [mrns[index]],
        });
        const expected = ['forwarder', 'carrier', ...(number === 'BH3' ? [] : ['express'])];
        assert.deepEqual(
          rows.map(({ identifier }) => identifier).sort(),
          expected.map((as) => playground.credentials(as).organisation).sort(),
          number,
        );
      }
      assert.deepEqual(await Promise.all(mrns.map(routingOf)), [null, null, null]);
    });

    test('a profile decides by what the goods are now', async () => {
      const as = 'authority';
      const put = await playground.call('/api/authority/v1/routing-profiles/weapons', {
        as,
        method: 'PUT',
        body: {
          salt: 's',
          rules: [
            {
              name: 'weapons',
              when: { harmonizedSystemChapter: ['93'] },
              routing: 'TO_CONTROL',
            },
            { name: 'all others', routing: 'TO_ENTRY' },
          ],
        },
      });
      const { version } = put.body as { version: number };
      const live = '/api/authority/v1/live-routing-profile';
      await playground.call(live, { as, method: 'PUT', body: { name: 'weapons', version } });
      const chairs = await lodgePresented('CH1', voec);
      const weapons = await lodgePresented('CH2', voec);
      const complete = (number: string, ...codes: string[]) =>
        houseMessage(number, { ...voec, goodsItem: codes.map(item) });
      await movements.replace('house-consignment', chairs, complete('CH1', '940130'));
      await movements.replace('house-consignment', weapons, complete('CH2', '940130', '930200'));
      assert.deepEqual(await Promise.all([chairs, weapons].map(untilDecided)), [
        'TO_ENTRY',
        'TO_CONTROL',
      ]);
      // Once presented, a replacement never changes a decision.
      await movements.replace('house-consignment', weapons, complete('CH2', '940130'));
      assert.equal(await routingOf(weapons), 'TO_CONTROL');
      await playground.call(live, { as, method: 'DELETE' });
    });
  });
}
