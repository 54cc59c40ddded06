// The body of a presentation matches the contract at each level.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileCheck, type PresentationPath, presentationLevels } from '@landfall/contract';
import { UsageError } from '../../process/exit.js';
import { buildPresentation, type ReferenceOptions } from './build-presentation.js';

const common = {
  requestId: '4a3ff6a0-6d0c-4f5a-9b1f-3f1d9d4f0a01',
  customsOfficeOfPresentation: 'NO351001',
};
const mrn = '23NO00000000000003';

describe('options become the body of the contract', () => {
  const cases: [PresentationPath, ReferenceOptions, Record<string, unknown>][] = [
    [
      'house-consignment',
      { document: 'HC001', type: 'N740', mrn },
      { transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' }, mrn },
    ],
    [
      'master-consignment',
      { masterDocument: 'MAWB0003', type: 'N741' },
      { transportDocumentMasterLevel: { documentNumber: 'MAWB0003', type: 'N741' } },
    ],
    ['container', { container: 'JARU0000010' }, { containerId: 'JARU0000010' }],
    [
      'receptacle',
      { receptacle: 'GBASFZMLBKONAUN30001001019999' },
      { receptacleId: 'GBASFZMLBKONAUN30001001019999' },
    ],
    ['entry-summary-declaration', { mrn }, { mrn }],
  ];
  for (const [level, options, reference] of cases) {
    it(level, () => {
      const body = buildPresentation(level, options, common);
      assert.deepEqual(body, { ...common, ...reference });
      assert.ok(compileCheck(presentationLevels[level].body)(body).valid);
    });
  }
});

describe('missing or foreign options are wrong usage', () => {
  const cases: [PresentationPath, ReferenceOptions, RegExp][] = [
    ['house-consignment', {}, /needs --document and --type/],
    ['house-consignment', { document: 'HC001' }, /needs --type/],
    [
      'house-consignment',
      { document: 'A', type: 'N740', container: 'B' },
      /does not take --container/,
    ],
    ['entry-summary-declaration', { document: 'HC001', type: 'N740' }, /needs --mrn/],
    ['receptacle', { receptacle: 'A', mrn }, /present receptacle does not take --mrn/],
  ];
  for (const [level, options, message] of cases) {
    it(`${level} with ${Object.keys(options).join(', ') || 'nothing'}`, () => {
      assert.throws(
        () => buildPresentation(level, options, common),
        (error) => error instanceof UsageError && message.test(error.message),
      );
    });
  }
});
