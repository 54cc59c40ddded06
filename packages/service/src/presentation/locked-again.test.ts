// What was found without a lock is looked up again under the locks: nothing is added to the feed of who is not locked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PresentationPath } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { presentationRequest } from '../testing/present-requests.js';
import { registerDeclaration } from '../testing/register-declaration.js';
import { commitHouseConsignments, lockHouseConsignments } from './house-queries.js';
import { commitLevel, lockLevel } from './level-queries.js';

const MRN = '26NO00000000000001';
const goods = {
  transportDocumentHouseLevel: { documentNumber: 'H1', type: 'N740' as const },
  transportDocumentMasterLevel: { documentNumber: 'M1', type: 'N741' as const },
  receptacleId: 'GBLALADEFRAAACN60123001100251',
  containerId: ['JARU0000010'],
};
const references: Record<PresentationPath, object> = {
  'house-consignment': { transportDocumentHouseLevel: goods.transportDocumentHouseLevel },
  'master-consignment': { transportDocumentMasterLevel: goods.transportDocumentMasterLevel },
  container: { containerId: 'JARU0000010' },
  receptacle: { receptacleId: goods.receptacleId },
  'entry-summary-declaration': { mrn: MRN },
};

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  test(`nothing is recorded if goods have a party that is not locked, on ${name}`, {
    skip,
  }, async () => {
    const database = await open();
    try {
      await registerDeclaration(database, {
        mrn: MRN,
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:1',
        houseConsignments: [goods],
      });
      const declarant = await organisationOf(database, '0192:1');
      const presenter = await organisationOf(database, '0192:2');
      const record = '{"details":{"a":1';
      for (const path of Object.keys(references) as PresentationPath[]) {
        const request = presentationRequest(path, presenter, references[path]);
        const commit =
          path === 'house-consignment'
            ? commitHouseConsignments([request], false, record, new Date())
            : commitLevel(path, request, false, record, new Date());
        const [, [row] = []] = await database.commit([lockLevel([presenter], request), commit]);
        assert.equal(row?.issues?.[0]?.held, declarant, path);
        assert.equal(row?.appended, null, path);
      }
    } finally {
      await database.close();
    }
  });

  test(`one more presenter of a house consignment locks its declarant, on ${name}`, {
    skip,
  }, async () => {
    const database = await open();
    try {
      await registerDeclaration(database, {
        mrn: MRN,
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:1',
        houseConsignments: [goods],
      });
      const declarant = await organisationOf(database, '0192:1');
      const record = '{"details":{"a":1';
      const present = async (identifier: string, locksAll: boolean) => {
        const presenter = await organisationOf(database, identifier);
        const path = 'house-consignment';
        const request = presentationRequest(path, presenter, references[path]);
        const requests = [request];
        const lock = locksAll
          ? lockHouseConsignments(requests, false, 0)
          : lockLevel([presenter], request);
        const commit = commitHouseConsignments(requests, false, record, new Date());
        const [[locked] = [], [row] = []] = await database.commit([lock, commit]);
        return {
          locked: Object.values(locked ?? {}).join(),
          held: row?.issues?.[0]?.held,
          presenter,
        };
      };
      await present('0192:2', true);
      assert.equal((await present('0192:3', false)).held, declarant);
      const { locked, held, presenter } = await present('0192:3', true);
      assert.equal(held, undefined);
      assert.equal(locked, `{${[declarant, presenter].sort((a, b) => a - b)}}`);
    } finally {
      await database.close();
    }
  });
}
