// The conditions of a routing profile on what a message says of lodged goods, over HTTP.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppliedRoutingProfile, DryRun, RoutingRule } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  houseMessage,
  masterMessage,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';

const LIVE = '/api/authority/v1/live-routing-profile';
const PROFILES = '/api/authority/v1/routing-profiles';
const as = 'authority';
const carrier = 'NO310000019';

/** A condition on lodged goods, and members of a message for which it holds, while it does not for others. */
const conditions: [NonNullable<RoutingRule['when']>, Record<string, unknown>][] = [
  [
    { importProcedure: ['DOCUMENTS_NOT_OBLIGED_RELEASE'] },
    {
      importProcedure: {
        importProcedure: 'DOCUMENTS_NOT_OBLIGED_RELEASE',
        hasOutgoingProcedure: false,
      },
    },
  ],
  [
    { outgoingProcedure: ['TRA'] },
    {
      importProcedure: { importProcedure: 'COLLECTIVE_RELEASE', outgoingProcedure: 'TRA' },
      previousDocuments: [{ typeOfReference: 'N820', referenceNumber: '26NO0000000000TRA1' }],
    },
  ],
  [{ carrierIdentificationNumber: ['NO999999999'] }, { carrier: 'NO999999999' }],
  [
    { consignorCountry: ['CN'] },
    {
      consignor: {
        name: 'Chairs',
        typeOfPerson: '2',
        address: { city: 'Beijing', country: 'CN', postcode: '1', streetLine: 'A 1' },
      },
    },
  ],
  [{ grossMassFrom: 1500.5 }, { totalGrossMass: 1500.5 }],
];

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`conditions on lodged goods on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let movements: TestMovements;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      movements = new TestMovements(playground);
    });
    after(() => playground.close());

    const send = async (method: string, path: string, body?: unknown) => {
      const request = { as, method, ...(body !== undefined && { body }) };
      const response = await playground.call(path, request);
      assert(response.status < 300, response.text);
      return response.body;
    };
    const store = async (profile: string, ...rules: RoutingRule[]) => {
      const body = await send('PUT', `${PROFILES}/${profile}`, { salt: 's', rules });
      return { name: profile, version: (body as { version: number }).version };
    };
    const control = (when: NonNullable<RoutingRule['when']>): RoutingRule => ({
      name: 'control',
      when,
      routing: 'TO_CONTROL',
    });
    const entry: RoutingRule = { name: 'all others', routing: 'TO_ENTRY' };
    const routingOf = async (mrn: string) => {
      const [row] = await database.query<{ routing: string | null }>({
        name: '',
        text: 'select routing from house_consignment h join declaration e on e.id = h.ens_id where e.mrn = $1',
        values: [mrn],
      });
      return row?.routing;
    };
    const decided = async (mrn: string) => {
      for (let tries = 0; (await routingOf(mrn)) === null && tries < 200; tries++) await delay(50);
      return routingOf(mrn);
    };
    let goods = 0;
    const lodge = (members: Record<string, unknown> = {}) =>
      movements.lodge(
        'house-consignment',
        houseMessage(`LC${goods++}`, { master: 'LCM', carrier, ...members }),
      );

    for (const [when, members] of conditions) {
      const [condition] = Object.keys(when);
      test(`${condition} holds when goods are lodged or replaced, in a dry run, and when a profile is applied`, async () => {
        const before = await lodge(members);
        const profile = await store(`of-${condition}`.toLowerCase(), control(when), entry);
        const run = (await send('POST', `${PROFILES}/${profile.name}/dry-run`, {
          limit: 1,
        })) as DryRun;
        assert.deepEqual(run.rules[0]?.conditions, [{ condition, held: 1 }]);
        await send('PUT', LIVE, profile);
        const other = await lodge();
        assert.deepEqual(
          [await routingOf(await lodge(members)), await routingOf(other)],
          ['TO_CONTROL', 'TO_ENTRY'],
        );
        // A replacement that does not change the key is decided again.
        const isKey = members.carrier !== undefined;
        if (!isKey) {
          const message = houseMessage(`LC${goods - 2}`, { master: 'LCM', carrier, ...members });
          await movements.replace('house-consignment', other, message);
          assert.equal(await routingOf(other), 'TO_CONTROL');
        }
        assert.equal(await routingOf(before), null);
        const applied = (await send('POST', `${LIVE}/apply`)) as AppliedRoutingProfile;
        assert.equal(applied.decided, 1);
        assert.equal(await routingOf(before), 'TO_CONTROL');
        await send('DELETE', LIVE);
      });
    }

    test('goods are told apart by how they were notified', async () => {
      const profile = await store('notified', control({ notified: ['MOVEMENT'] }), entry);
      await send('PUT', LIVE, profile);
      const mrn = '26NO00000000000007';
      await send('PUT', `/api/authority/v1/entry-summary-declarations/${mrn}`, {
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:310000019',
        houseConsignments: [
          { transportDocumentHouseLevel: { documentNumber: 'LCE', type: 'N740' } },
        ],
      });
      assert.equal(await routingOf(mrn), 'TO_ENTRY');
      assert.equal(await routingOf(await lodge()), 'TO_CONTROL');
      await send('DELETE', LIVE);
    });

    test('of mail, the carrier is known when its transport arrives', async () => {
      const profile = await store(
        'carrier',
        control({ carrierIdentificationNumber: [carrier] }),
        entry,
      );
      await send('PUT', LIVE, profile);
      const lodgeMail = (number: string) =>
        movements.lodge('house-consignment', houseMessage(number, { receptacle: `R-${number}` }));
      const arriving = await lodgeMail('LCR1');
      const alone = await lodgeMail('LCR2');
      assert.deepEqual([await routingOf(arriving), await routingOf(alone)], [null, null]);
      await movements.lodge(
        'master-consignment',
        masterMessage('LCRM', { carrier, receptacles: ['R-LCR1'] }),
      );
      const transport = await movements.lodge(
        'transport',
        transportMessage('LCT', { carrier, masters: ['LCRM'] }),
        'carrier',
      );
      await movements.arrive(transport, 'carrier');
      assert.equal(await decided(arriving), 'TO_CONTROL');
      // Presented without a transport, it has no carrier.
      const presented = await playground.present('house-consignment', 'forwarder', {
        transportDocumentHouseLevel: { documentNumber: 'LCR2', type: 'N730' },
      });
      assert.equal(presented.status, 202, presented.text);
      assert.equal(await decided(alone), 'TO_ENTRY');
      await send('DELETE', LIVE);
    });

    test('a profile that asks for what cannot be is refused', async () => {
      const wrong = {
        importProcedure: ['NOTHING'],
        grossMassFrom: -1,
        notified: ['BOTH'],
        carrierIdentificationNumber: ['x'.repeat(18)],
      };
      const response = await playground.call(`${PROFILES}/wrong`, {
        as,
        method: 'PUT',
        body: { salt: 's', rules: [{ name: 'wrong', when: wrong, routing: 'TO_ENTRY' }] },
      });
      assert.equal(response.status, 400);
      for (const member of Object.keys(wrong)) {
        assert.match(response.text, new RegExp(`"rules.0.when.${member}`));
      }
    });
  });
}
