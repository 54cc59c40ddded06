// What a message cites is all that the rules ask the registers for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keysOf } from '../keys-of.js';
import { setMember } from './cases/change-message.js';
import { exampleTime, makeExample } from './cases/examples.js';
import { ruleCases } from './cases/rule-cases.js';
import { checkMovement } from './check-message.js';
import { listCitedDocuments } from './cited-documents.js';
import { type ModeName, modes } from './modes.js';
import { type ReferenceDocument, uncheckedRegisters } from './registers.js';

const documents = {
  'consignmentHouseLevel.importProcedure': {
    importProcedure: 'IMMEDIATE_RELEASE_VOEC',
    outgoingProcedure: 'TRE',
  },
  'consignmentHouseLevel.previousDocuments': [
    {
      typeOfReference: 'CUDE',
      declarantNumber: '123456789',
      declarationDate: '2026-05-04',
      sequenceNumber: 7,
    },
    { typeOfReference: 'N820', referenceNumber: '26SE000000000000T1' },
    { typeOfReference: 'CUDE', declarantNumber: '123456789' },
    { typeOfReference: 'N820' },
    { typeOfReference: 'RETR', referenceNumber: '1' },
  ],
  'consignmentHouseLevel.exportFromEU': [
    { typeOfExport: 'AES', exportId: '26SE00000000000AE1' },
    { typeOfExport: 'EUEIR', exportId: '1' },
  ],
  'consignmentHouseLevel.goodsItem': [
    { additionalFiscalReferences: { vatIdentificationNumber: '2056550', role: 'FR5' } },
    {},
  ],
};

function makeHouse(changes: Readonly<Record<string, unknown>>, mode: ModeName): unknown {
  const message = makeExample('house-consignment', mode);
  for (const [path, value] of Object.entries(changes)) setMember(message, path, value);
  return message;
}

test('a message cites its declarations, transits, sellers, and by road its exports', () => {
  const others = [
    {
      kind: 'CUDE',
      declarantNumber: '123456789',
      declarationDate: '2026-05-04',
      sequenceNumber: '7',
    },
    { kind: 'N820', referenceNumber: '26SE000000000000T1' },
    { kind: 'VOEC', referenceNumber: '2056550' },
  ];
  assert.deepEqual(listCitedDocuments(makeHouse(documents, 'air'), 'air'), others);
  const [declaration, transit, seller] = others;
  const exported = { kind: 'AES_EXPORT', referenceNumber: '26SE00000000000AE1' };
  assert.deepEqual(listCitedDocuments(makeHouse(documents, 'road'), 'road'), [
    declaration,
    transit,
    exported,
    seller,
  ]);
});

test('the rules ask for no document that is not listed', () => {
  let asked = 0;
  for (const mode of keysOf(modes)) {
    const changes = Object.values(ruleCases)
      .flat()
      .filter(({ level }) => level === 'house-consignment')
      .flatMap(({ keeps, breaks }) => [...keeps, ...breaks])
      .map((change) =>
        typeof change.changes === 'function' ? change.changes(mode) : change.changes,
      );
    for (const change of [{}, documents, ...changes]) {
      const message = makeHouse(change, mode);
      const listed = listCitedDocuments(message, mode).map((document) => JSON.stringify(document));
      const documentState = (document: ReferenceDocument) => {
        asked += 1;
        assert(listed.includes(JSON.stringify(document)), JSON.stringify({ document, change }));
        return 'VALID' as const;
      };
      const registers = { ...uncheckedRegisters, documentState };
      checkMovement(message, { level: 'house-consignment', mode, registers, now: exampleTime });
    }
  }
  assert(asked > 100, String(asked));
});

test('whatever a message is, what it cites has texts alone', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (whole, member) => {
      for (const message of [
        whole,
        makeHouse({ 'consignmentHouseLevel.previousDocuments': member }, 'road'),
        makeHouse({ 'consignmentHouseLevel.exportFromEU': [member] }, 'road'),
        makeHouse(
          {
            'consignmentHouseLevel.previousDocuments': [
              { typeOfReference: 'N820', referenceNumber: member },
            ],
          },
          'road',
        ),
        makeHouse(
          { 'consignmentHouseLevel.goodsItem': [{ additionalFiscalReferences: member }] },
          'road',
        ),
      ]) {
        for (const document of listCitedDocuments(message, 'road')) {
          assert(Object.values(document).every((value) => typeof value === 'string'));
        }
      }
    }),
  );
});
