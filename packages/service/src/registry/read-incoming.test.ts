// The rules that a declaration is checked against before it is compared with existing data.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { drawnDatabases } from '../testing/databases.js';
import {
  DECLARATIONS,
  declaration,
  errorsOf,
  house,
  TestRegistry,
} from '../testing/registry-client.js';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`reading a declaration on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    test('every identifier is checked, and all errors are reported together', async () => {
      const mrn = registry.nextMrn();
      const before = await registry.snapshot();
      const refused = await registry.put(mrn, {
        mrn: registry.nextMrn(),
        customsOfficeOfFirstEntry: 'NO1',
        declarant: '0192:12345678',
        representative: 'two\nlines',
        estimatedTimeOfArrival: 'tomorrow',
        activeBorderTransportMeans: {
          identificationNumber: 'a\u0000b',
          typeOfIdentification: '40',
        },
        houseConsignments: [
          {
            transportDocumentHouseLevel: { documentNumber: 'x'.repeat(71), type: 'N999' },
            harmonizedSystemSubheadingCode: Array.from({ length: 1000 }, (_, code) =>
              String(100_000 + code),
            ),
          },
          house('I1', {
            receptacleId: 'GBASFZMLBKONAUN3000100101999',
            containerId: ['JARU0000011'],
            harmonizedSystemSubheadingCode: ['030214', '0302', 30214],
            routing: 'TO_NOWHERE',
          }),
          {
            transportDocumentMasterLevel: { documentNumber: 'M' },
            harmonizedSystemSubheadingCode: ['030214', '030214'],
          },
        ],
      });
      assert.equal(refused.status, 400);
      assert.deepEqual(errorsOf(refused).sort(), [
        'activeBorderTransportMeans.identificationNumber FORMAT',
        'customsOfficeOfFirstEntry FORMAT',
        'declarant FORMAT',
        'estimatedTimeOfArrival FORMAT',
        'houseConsignments.0.harmonizedSystemSubheadingCode SIZE',
        'houseConsignments.0.transportDocumentHouseLevel.documentNumber SIZE',
        'houseConsignments.0.transportDocumentHouseLevel.type UNKNOWN_CODE',
        'houseConsignments.1.containerId.0 FORMAT',
        'houseConsignments.1.harmonizedSystemSubheadingCode.1 FORMAT',
        'houseConsignments.1.harmonizedSystemSubheadingCode.2 FORMAT',
        'houseConsignments.1.receptacleId SIZE',
        'houseConsignments.1.routing UNKNOWN_CODE',
        'houseConsignments.2.harmonizedSystemSubheadingCode FORMAT',
        'houseConsignments.2.transportDocumentHouseLevel REQUIRED',
        'houseConsignments.2.transportDocumentMasterLevel.type REQUIRED',
        'mrn FORMAT',
        'representative FORMAT',
      ]);
      const beyond = await registry.put(
        mrn,
        declaration(
          [house('I2', { routingControlLocation: 'ON_ENTRY', routing: 'TO_ENTRY' }), house('I2')],
          { customsOfficeOfFirstEntry: 'NO999999' },
        ),
      );
      assert.deepEqual(errorsOf(beyond).sort(), [
        'customsOfficeOfFirstEntry UNKNOWN_CODE',
        'houseConsignments.0.routingControlLocation FORMAT',
        'houseConsignments.1.transportDocumentHouseLevel FORMAT',
      ]);
      assert.deepEqual(await registry.snapshot(), before);
    });

    test('an organisation has no blank at its ends, with which it would be another one', async () => {
      const mrn = registry.nextMrn();
      for (const blank of [' ', '\u00a0', '\u2003', '\u3000']) {
        for (const party of [
          `${blank}0192:310000019`,
          `0192:310000019${blank}`,
          `NTRDE-1${blank}`,
        ]) {
          const members = { declarant: party, representative: party, carrier: party };
          const refused = await registry.put(
            mrn,
            declaration([house('H1')], { ...members, presenters: [party] }),
          );
          assert.deepEqual(errorsOf(refused).sort(), [
            'carrier FORMAT',
            'declarant FORMAT',
            'presenters.0 FORMAT',
            'representative FORMAT',
          ]);
        }
      }
    });

    test('text and times that the database cannot store are reported at their members', async () => {
      const mrn = registry.nextMrn();
      const before = await registry.snapshot();
      const text = await registry.put(
        mrn,
        declaration([house('\ud800'), house('S2\udc00')], {
          declarant: 'VATDE\u0000',
          representative: 'VATDE\udfff',
          activeBorderTransportMeans: {
            identificationNumber: '\ud800',
            typeOfIdentification: '\u0000',
          },
        }),
      );
      assert.deepEqual(errorsOf(text).sort(), [
        'activeBorderTransportMeans.identificationNumber FORMAT',
        'activeBorderTransportMeans.typeOfIdentification FORMAT',
        'declarant FORMAT',
        'houseConsignments.0.transportDocumentHouseLevel.documentNumber FORMAT',
        'houseConsignments.1.transportDocumentHouseLevel.documentNumber FORMAT',
        'representative FORMAT',
      ]);
      for (const estimatedTimeOfArrival of [
        '2016-12-31T23:59:60Z',
        '0000-01-01T00:00:00Z',
        '0001-01-01T00:00:00+01:00',
        '9999-12-31T23:59:59-01:00',
        '2026-01-01T00:00:00Z[Europe/Oslo]',
        '2026-02-30T00:00:00Z',
        `2026-01-01T00:00:00.${'0'.repeat(100)}Z`,
      ]) {
        const time = await registry.put(mrn, declaration([], { estimatedTimeOfArrival }));
        assert.deepEqual(
          [time.status, ...errorsOf(time)],
          [400, 'estimatedTimeOfArrival FORMAT'],
          estimatedTimeOfArrival,
        );
      }
      assert.deepEqual(await registry.snapshot(), before);
    });

    test('an address without an MRN, a token without the scope and a body that is too large are refused', async () => {
      assert.equal((await registry.get('nonsense')).status, 400);
      assert.equal((await registry.get('26NO99999999999999')).status, 404);
      assert.equal(
        (await registry.put(registry.nextMrn(), declaration([]), 'carrier')).status,
        403,
      );
      const huge = await registry.playground.call(`${DECLARATIONS}/${registry.nextMrn()}`, {
        as: 'authority',
        method: 'PUT',
        raw: `"${'x'.repeat(2 * 1024 * 1024)}"`,
      });
      assert.equal(huge.status, 413);
    });

    test('a declaration with too many house consignments or errors is refused with the first errors', async () => {
      const mrn = registry.nextMrn();
      const tooMany = Array.from({ length: 2001 }, () => ({}));
      const refused = await registry.put(mrn, { ...declaration([]), houseConsignments: tooMany });
      assert.equal(refused.status, 400);
      assert.match(refused.text, /size must be between 0 and 2000: add more in lines of their own/);
      assert.deepEqual(errorsOf(refused), ['houseConsignments SIZE']);
      const allWrong = await registry.put(mrn, {
        ...declaration([]),
        houseConsignments: tooMany.slice(1),
      });
      assert.equal(errorsOf(allWrong).length, 100);
      assert.match(allWrong.text, /More than 100 rules are broken; the first 100 are reported/);
    });
  });
}
