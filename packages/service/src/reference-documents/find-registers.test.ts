// What registers say of what a message cites, with each setting: messages are judged by it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  checkMovement,
  listCitedDocuments,
  type ReferenceDocument,
  uncheckedRegisters,
} from '@landfall/contract';
import { exampleTime, makeExample } from '../../../contract/dist/movement/cases/examples.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  keysToLookUp,
  makeFindRegisters,
  makeRegisters,
  type ReferenceDocumentSetting,
} from './find-registers.js';
import { postReferenceDocuments } from './post-reference-documents.js';
import { selectDocuments } from './queries.js';

const declaration = (sequenceNumber: string) =>
  ({
    kind: 'CUDE',
    declarantNumber: '123456789',
    declarationDate: '2022-08-10',
    sequenceNumber,
  }) as const;
const numbered = (
  kind: 'N820' | 'AES_EXPORT' | 'EIDR_EXPORT' | 'VOEC',
  referenceNumber: string,
) => ({ kind, referenceNumber });

const registered = [
  { ...declaration('10'), state: 'INVALID' },
  { ...declaration('77'), state: 'VALID' },
  { ...numbered('N820', '26SE000000000000T1'), state: 'INVALID' },
  { ...numbered('N820', '26-SE'), state: 'VALID' },
  { ...numbered('VOEC', '1234567'), state: 'VALID' },
];

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`registers on ${name}`, { skip }, () => {
    let database: Database;

    before(async () => {
      database = await open();
      const lines = registered.map((value, index) => ({ line: index + 1, value }));
      const context = { at: undefined, actor: undefined, requestId: undefined };
      const documents = { database, audit: new AuditTrail() };
      const results = await postReferenceDocuments(documents, lines, context);
      assert(results.every(({ status }) => status === 'REGISTERED'));
    });
    after(() => database.close());

    const statesOf = async (
      setting: ReferenceDocumentSetting,
      documents: readonly ReferenceDocument[],
    ) => {
      const { documentState } = await makeFindRegisters(database, setting)(documents);
      return documents.map((document) => documentState(document));
    };

    const documents = [
      declaration('77'),
      declaration('077'),
      declaration('10'),
      declaration('1'),
      declaration('11'),
      numbered('N820', '26se 000000000000t1'),
      numbered('N820', '26-SE'),
      numbered('N820', '26SE000000000000T2'),
      numbered('N820', '26SE0INVALID0000T2'),
      numbered('VOEC', '1234567'),
      numbered('VOEC', '2056550'),
      numbered('VOEC', '3'),
      numbered('AES_EXPORT', '26SE000000000000T1'),
      numbered('EIDR_EXPORT', '26SE00000000000AE1'),
      numbered('EIDR_EXPORT', '26SE00000000000AX1'),
    ];

    test('unchecked takes every document, and asks no database', async () => {
      const refusing = { query: () => Promise.reject(new Error('was asked')) };
      const { documentState } = await makeFindRegisters(refusing, 'unchecked')(documents);
      assert(documents.every((document) => documentState(document) === 'VALID'));
    });

    test('loaded says what was registered, and MISSING of what was not', async () => {
      assert.deepEqual(await statesOf('loaded', documents), [
        'VALID',
        'VALID',
        'INVALID',
        'MISSING',
        'MISSING',
        'INVALID',
        'VALID',
        'MISSING',
        'MISSING',
        'VALID',
        'MISSING',
        'MISSING',
        'MISSING',
        'MISSING',
        'MISSING',
      ]);
    });

    test('static says what was registered, and follows the rule of playgrounds otherwise', async () => {
      assert.deepEqual(await statesOf('static', documents), [
        'VALID',
        'VALID',
        'INVALID',
        'VALID',
        'INVALID',
        'INVALID',
        'VALID',
        'VALID',
        'INVALID',
        'VALID',
        'VALID',
        'INVALID',
        'VALID',
        'VALID',
        'INVALID',
      ]);
    });

    test('a transaction that stores messages looks up each document once, by one statement of its own', async () => {
      const keys = keysToLookUp('loaded', [...documents, ...documents]);
      // Of the fifteen, `77` and `077` are one.
      assert.equal(keys.length, 14);
      assert.deepEqual(keysToLookUp('unchecked', documents), []);
      const rows = await database.transact((transaction) =>
        transaction.query(selectDocuments(keys)),
      );
      const { documentState } = makeRegisters('loaded', rows);
      assert.deepEqual(
        documents.map((document) => documentState(document)),
        await statesOf('loaded', documents),
      );
    });

    /** What the rules say of a house consignment by road that cites a document, with a setting. */
    const judge = async (setting: ReferenceDocumentSetting, members: object) => {
      const message = makeExample('house-consignment', 'road') as {
        consignmentHouseLevel: object;
      };
      const none = { previousDocuments: undefined, exportFromEU: undefined, goodsItem: undefined };
      Object.assign(message.consignmentHouseLevel, none, members);
      const cited = listCitedDocuments(message, 'road');
      const registers = {
        ...uncheckedRegisters,
        ...(await makeFindRegisters(database, setting)(cited)),
      };
      const level = 'house-consignment';
      const checked = checkMovement(message, { level, mode: 'road', registers, now: exampleTime });
      return checked.accepted
        ? checked.missing.map(({ code }) => code)
        : checked.errors.map(({ error }) => error);
    };
    const citing = (sequenceNumber: string) => {
      const { kind: typeOfReference, ...document } = declaration(sequenceNumber);
      return {
        importProcedure: { importProcedure: 'CUSTOMS_DECLARATION', hasOutgoingProcedure: false },
        previousDocuments: [{ typeOfReference, ...document }],
      };
    };
    const transit = (referenceNumber: string) => ({
      importProcedure: { importProcedure: 'TRANSIT_IMPORT', outgoingProcedure: 'TRA' },
      previousDocuments: [{ typeOfReference: 'N820', referenceNumber }],
    });
    const exporting = (exportId: string) => ({
      importProcedure: {
        importProcedure: 'DOCUMENTS_NOT_OBLIGED_RELEASE',
        outgoingProcedure: 'EXP',
      },
      exportFromEU: [{ typeOfExport: 'AES', exportId }],
    });

    test('messages are complete, incomplete or refused by it', async () => {
      const missing = citing('78');
      assert.deepEqual(await judge('unchecked', missing), []);
      assert.deepEqual(await judge('loaded', citing('77')), []);
      assert.deepEqual(await judge('loaded', missing), ['CANNOT_VERIFY_CUDE_DOCUMENTATION']);
      assert.deepEqual(await judge('loaded', citing('10')), ['Customs declaration is not valid']);
      assert.deepEqual(await judge('static', missing), ['Customs declaration is not valid']);
      assert.deepEqual(await judge('loaded', transit('1')), ['CANNOT_VERIFY_TRA_DOCUMENTATION']);
      assert.deepEqual(await judge('loaded', transit('26SE000000000000T1')), [
        'Document with typeOfReference N820 contains a referenceNumber in wrong state',
      ]);
      assert.deepEqual(await judge('loaded', exporting('26SE000000000000T1')), [
        'Export of type AES is not found or has wrong status in AES.',
      ]);
      assert.deepEqual(await judge('static', exporting('26SE000000000000T1')), []);
    });
  });
}
