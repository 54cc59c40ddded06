// Refused presentations: every error is reported, and the validation status records the same errors.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ValidationStatus } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';
import { reportedErrors } from '../testing/reported-errors.js';

const STATUS = '/api/movement/presentation/v1/validation-status';

/** A description, a level, a body and its errors. */
const refused: [string, string, Record<string, unknown>, string[]][] = [
  [
    'no value',
    'house-consignment',
    { requestId: null, customsOfficeOfPresentation: null },
    [
      'customsOfficeOfPresentation REQUIRED',
      'requestId REQUIRED',
      'transportDocumentHouseLevel REQUIRED',
    ],
  ],
  [
    'blank texts',
    'house-consignment',
    {
      requestId: ' ',
      customsOfficeOfPresentation: '',
      transportDocumentHouseLevel: { documentNumber: '  ', type: '' },
    },
    [
      'customsOfficeOfPresentation REQUIRED',
      'requestId REQUIRED',
      'transportDocumentHouseLevel.documentNumber REQUIRED',
      'transportDocumentHouseLevel.type REQUIRED',
    ],
  ],
  [
    'values of wrong types',
    'house-consignment',
    {
      requestId: 7,
      customsOfficeOfPresentation: {},
      transportDocumentHouseLevel: { documentNumber: [], type: true },
    },
    [
      'customsOfficeOfPresentation FORMAT',
      'requestId FORMAT',
      'transportDocumentHouseLevel.documentNumber FORMAT',
      'transportDocumentHouseLevel.type FORMAT',
    ],
  ],
  [
    'an unknown type and office, and a document number that is too long',
    'house-consignment',
    {
      customsOfficeOfPresentation: 'XX000000',
      transportDocumentHouseLevel: { documentNumber: 'x'.repeat(71), type: 'N999' },
    },
    [
      'customsOfficeOfPresentation UNKNOWN_CODE',
      'transportDocumentHouseLevel.documentNumber SIZE',
      'transportDocumentHouseLevel.type UNKNOWN_CODE',
    ],
  ],
  [
    'an unknown office and an unknown document',
    'house-consignment',
    {
      customsOfficeOfPresentation: 'XX000000',
      transportDocumentHouseLevel: { documentNumber: 'HC999', type: 'N740' },
    },
    ['customsOfficeOfPresentation UNKNOWN_CODE', 'transportDocumentHouseLevel REFERENCE_NOT_FOUND'],
  ],
  [
    'a document with the MRN of another declaration',
    'house-consignment',
    {
      transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
      mrn: '23NO00000000000004',
    },
    ['transportDocumentHouseLevel REFERENCE_NOT_FOUND'],
  ],
  [
    'an unreadable requestId and an unknown reference',
    'entry-summary-declaration',
    { requestId: 'one', mrn: '23NO00000000000099' },
    ['mrn REFERENCE_NOT_FOUND', 'requestId FORMAT'],
  ],
  [
    'an MRN in small letters',
    'entry-summary-declaration',
    { mrn: '23no00000000000001' },
    ['mrn FORMAT'],
  ],
  [
    'a container with a wrong check digit',
    'container',
    { containerId: 'JARU0000011' },
    ['containerId FORMAT'],
  ],
  [
    'a container that is too short',
    'container',
    { containerId: 'JARU000001' },
    ['containerId SIZE'],
  ],
  [
    'a container that is not pre-notified',
    'container',
    { containerId: 'CSQU3054383' },
    ['containerId REFERENCE_NOT_FOUND'],
  ],
  [
    'a receptacle of 28 characters',
    'receptacle',
    { receptacleId: 'GBASFZMLBKONAUN3000100101999' },
    ['receptacleId SIZE'],
  ],
  [
    'a receptacle that is not pre-notified',
    'receptacle',
    { receptacleId: 'GBASFZMLBKONAUN30001001019998' },
    ['receptacleId REFERENCE_NOT_FOUND'],
  ],
  [
    'a master document that is not pre-notified',
    'master-consignment',
    { transportDocumentMasterLevel: { documentNumber: 'MAWB0004', type: 'N741' } },
    ['transportDocumentMasterLevel REFERENCE_NOT_FOUND'],
  ],
];

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`refused presentations on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
    });
    after(() => playground.close());

    for (const [what, level, body, errors] of refused) {
      test(`${what}: every error is reported, and the status records the same errors`, async () => {
        const requestId = randomUUID();
        const response = await playground.present(level, 'forwarder', body, requestId);
        assert.deepEqual(reportedErrors(response), errors);
        const status = await playground.get(`${STATUS}/${requestId}`, 'forwarder');
        if ('requestId' in body) {
          assert.equal(
            status.status,
            404,
            'a request without a readable requestId is not recorded',
          );
          return;
        }
        const { validationErrorList, ...rest } = status.body as ValidationStatus;
        assert.equal(rest.status, 'FAILURE');
        assert.deepEqual(
          validationErrorList
            ?.map(({ code, pointer }) => `${pointer.messageElementPath} ${code}`)
            .sort(),
          errors,
        );
        const again = await playground.present(level, 'forwarder', body, requestId);
        assert.deepEqual(reportedErrors(again), [...errors, 'requestId REQUEST_ID_REUSED'].sort());
      });
    }
  });
}
