// Requirements on documents of customs declarations.
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENTS, type ValidationErrorCode } from '@landfall/contract';
import {
  newDeclarationId,
  newText,
  partsOf,
  type TestFile,
  upload,
  uploadParts,
  zipFiles,
} from '../data/documents.js';
import type { HttpResponse } from '../http/exchange.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  readJson,
  readObject,
} from '../suite/expect.js';
import { type Area, api, decision } from '../suite/requirement.js';

const UPLOAD = 'uploadDocument';

/** The test file of EICAR, in two parts so that no scanner finds this file. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(
  '',
);

const textFile = (content = newText()): TestFile => ({ name: 'invoice.txt', content });

function expectStored(response: HttpResponse, status = 201): Record<string, unknown> {
  expectStatus(response, status);
  expectSchema(UPLOAD, response);
  return readObject(response);
}

/** What the uploader has for a declaration. */
async function listOf(context: CaseContext, declarationId: string): Promise<unknown[]> {
  const response = await context.as('uploader').call('listDocuments', { path: { declarationId } });
  expectStatus(response, 200);
  expectSchema('listDocuments', response);
  // The cast is true because the schema was just checked.
  return readJson(response) as unknown[];
}

/** An upload that is refused, and of which nothing is stored. */
async function expectRefused(
  context: CaseContext,
  file: TestFile,
  error: { field: string; code: ValidationErrorCode },
  metadata?: object,
): Promise<void> {
  const declarationId = newDeclarationId();
  expectProblem(await upload(context, file, metadata, declarationId), 400, error);
  expectEqual(await listOf(context, declarationId), [], 'documents after a refusal');
}

const isNoSuchKind = { field: 'file', code: 'FORMAT' } as const;

export const documents: Area = {
  name: 'Documents',
  requirements: [
    {
      id: 'DOCU-001',
      sentence:
        'A document that is uploaded is stored, and the organisation that has uploaded it lists it.',
      sources: [api(UPLOAD, 'listDocuments')],
      needs: ['uploader'],
      cases: {
        'a text': async (context) => {
          const declarationId = newDeclarationId();
          const file = textFile();
          const metadata = { documentType: 'waybill', declarationId, userId: 'ignored' };
          const stored = expectStored(await upload(context, file, metadata, declarationId));
          const { documentId, documentType, fileName, size } = stored;
          expectEqual(
            { documentType, fileName, size, declarationId: stored.declarationId },
            {
              documentType: 'waybill',
              fileName: file.name,
              size: file.content.length,
              declarationId,
            },
            'the document',
          );
          const [listed, ...more] = await listOf(context, declarationId);
          expectEqual(more, [], 'further documents');
          expectEqual(Object(listed).documentId, documentId, 'documentId in the list');
        },
      },
    },
    {
      id: 'DOCU-002',
      sentence:
        'The id of a declaration is the declarant (9 to 11 digits), a date that exists (DDMMYYYY) and the sequence number (1 to 6 digits), else it is refused.',
      sources: [api(UPLOAD)],
      needs: ['uploader'],
      cases: {
        'wrong ids': async (context) => {
          for (const id of [
            '12345678-10082022-1',
            '123456789012-10082022-1',
            '123456789-31022022-1',
            '123456789-10082022-1234567',
            '123456789-10082022-',
          ]) {
            const response = await upload(context, textFile(), undefined, id);
            expectProblem(response, 400, { code: 'FORMAT', field: 'declarationId' });
          }
        },
      },
    },
    {
      id: 'DOCU-003',
      sentence:
        'A body has the part `metadata`, then the part `file`, and no other: another order, a third part and a second file are refused.',
      sources: [api(UPLOAD)],
      needs: ['uploader'],
      cases: {
        'the file first': async (context) => {
          expectProblem(await uploadParts(context, partsOf(textFile()).toReversed()), 400);
        },
        'a third part': async (context) => {
          const parts = [...partsOf(textFile()), { part: 'more', json: {} }];
          expectProblem(await uploadParts(context, parts), 400);
        },
        'a second file': async (context) => {
          const parts = [...partsOf(textFile()), { part: 'file', ...textFile() }];
          expectProblem(await uploadParts(context, parts), 400);
        },
        'no file': async (context) => {
          expectProblem(await uploadParts(context, partsOf(textFile()).slice(0, 1)), 400);
        },
      },
    },
    {
      id: 'DOCU-004',
      sentence: 'The type of a document is one of the list, and another one is refused.',
      sources: [api(UPLOAD)],
      needs: ['uploader'],
      cases: {
        'an unknown type': (context) =>
          expectRefused(
            context,
            textFile(),
            { field: 'metadata.documentType', code: 'UNKNOWN_CODE' },
            { documentType: 'letter' },
          ),
        'no type': (context) =>
          expectRefused(
            context,
            textFile(),
            { field: 'metadata.documentType', code: 'REQUIRED' },
            {},
          ),
      },
    },
    {
      id: 'DOCU-005',
      sentence: 'The type of a document is read in any case, and by its Norwegian word.',
      sources: [api(UPLOAD)],
      needs: ['uploader'],
      cases: Object.fromEntries(
        [
          ['Freight Invoice', 'freight invoice'],
          ['Faktura', 'invoice'],
          ['TILLATELSER', 'permits'],
          ['fraktregning', 'freight invoice'],
          ['opprinnelsesdokumentasjon', 'proof of origin documentation'],
          ['Fraktbrev', 'waybill'],
        ].map(([documentType, expected]) => [
          documentType,
          async (context: CaseContext) => {
            const response = await upload(context, textFile(), { documentType });
            expectEqual(expectStored(response).documentType, expected, 'documentType');
          },
        ]),
      ),
    },
    {
      id: 'DOCU-006',
      sentence: 'The id of a declaration in the metadata is that of the address, if it is there.',
      sources: [api(UPLOAD)],
      needs: ['uploader'],
      cases: {
        'another declaration': (context) =>
          expectRefused(
            context,
            textFile(),
            { field: 'metadata.declarationId', code: 'INCOMPATIBLE' },
            { documentType: 'invoice', declarationId: newDeclarationId() },
          ),
      },
    },
    {
      id: 'DOCU-007',
      sentence:
        'PDF, JPEG, PNG, DOCX and XLSX files and text in UTF-8 are taken if the end of the name says what the content is, and refused otherwise.',
      sources: [api(UPLOAD), decision(232)],
      needs: ['uploader'],
      cases: {
        'each kind': async (context) => {
          const files: TestFile[] = [
            { name: 'a.pdf', content: `%PDF-1.7 ${newText()}` },
            { name: 'a.jpg', content: Uint8Array.of(0xff, 0xd8, 0xff, 0xe0) },
            {
              name: 'a.PNG',
              content: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
            },
            { name: 'a.txt', content: `Ærlig\t${newText()}` },
            { name: 'a.docx', content: zipFiles.docx },
            { name: 'a.xlsx', content: zipFiles.xlsx },
          ];
          for (const file of files) expectStored(await upload(context, file));
        },
        'a PDF file with another name': (context) =>
          expectRefused(context, { name: 'a.txt', content: '%PDF-1.7' }, isNoSuchKind),
        'a text with the name of a PDF file': (context) =>
          expectRefused(context, { name: 'a.pdf', content: newText() }, isNoSuchKind),
        'a spreadsheet with the name of a text document': (context) =>
          expectRefused(context, { name: 'a.docx', content: zipFiles.xlsx }, isNoSuchKind),
        'a program': (context) =>
          expectRefused(
            context,
            { name: 'a.exe', content: Uint8Array.of(0x4d, 0x5a, 0x90, 0) },
            isNoSuchKind,
          ),
        'control characters': (context) =>
          expectRefused(context, textFile('a\u0007b'), isNoSuchKind),
        'text that is not UTF-8': (context) =>
          expectRefused(
            context,
            { name: 'a.txt', content: Uint8Array.of(0xc6, 0x72, 0x6c) },
            isNoSuchKind,
          ),
      },
    },
    {
      id: 'DOCU-008',
      sentence: 'An office file with macros, or whose directory is broken, is refused.',
      sources: [api(UPLOAD), decision(232)],
      needs: ['uploader'],
      cases: {
        macros: (context) =>
          expectRefused(
            context,
            { name: 'a.docx', content: zipFiles.docxWithMacros },
            isNoSuchKind,
          ),
        'a cut file': (context) =>
          expectRefused(
            context,
            { name: 'a.docx', content: zipFiles.docx.slice(0, -1) },
            isNoSuchKind,
          ),
      },
    },
    {
      id: 'DOCU-009',
      sentence: 'A file has at most 10 MiB, and a longer one is refused with 413.',
      sources: [api(UPLOAD)],
      needs: ['uploader'],
      cases: {
        'the longest, and one byte more': async (context) => {
          const content = new Uint8Array(MAX_DOCUMENT_BYTES + 1).fill(0x61);
          const longest = content.subarray(1);
          expectStored(await upload(context, { name: 'a.txt', content: longest }));
          expectProblem(await upload(context, { name: 'a.txt', content }), 413);
        },
      },
    },
    {
      id: 'DOCU-010',
      sentence: 'An empty file is refused.',
      sources: [api(UPLOAD)],
      needs: ['uploader'],
      cases: {
        'no byte': (context) =>
          expectRefused(context, { name: 'a.txt', content: '' }, { field: 'file', code: 'SIZE' }),
      },
    },
    {
      id: 'DOCU-011',
      sentence: 'The name of a file has at most 200 characters.',
      sources: [api(UPLOAD)],
      needs: ['uploader'],
      cases: {
        '200 and 201': async (context) => {
          const nameOf = (length: number) => `${'n'.repeat(length - 4)}.txt`;
          expectStored(await upload(context, { name: nameOf(200), content: newText() }));
          const file = { name: nameOf(201), content: newText() };
          await expectRefused(context, file, { field: 'file', code: 'SIZE' });
        },
      },
    },
    {
      id: 'DOCU-012',
      sentence: 'A file in which the scanner finds malware is refused, and is not stored.',
      sources: [api(UPLOAD)],
      needs: ['uploader'],
      cases: {
        'the test file of scanners': (context) =>
          expectRefused(context, textFile(EICAR), { field: 'file', code: 'NOT_VERIFIED' }),
      },
    },
    {
      id: 'DOCU-013',
      sentence:
        'The same file for the same declaration is stored once: sent again, the response is 200 with the first document.',
      sources: [api(UPLOAD)],
      needs: ['uploader'],
      cases: {
        'with another name and type': async (context) => {
          const declarationId = newDeclarationId();
          const file = textFile();
          const first = expectStored(await upload(context, file, undefined, declarationId));
          const other = { ...file, name: 'other.txt' };
          const again = await upload(context, other, { documentType: 'permits' }, declarationId);
          expectEqual(expectStored(again, 200), first, 'the document that is sent again');
          expectEqual((await listOf(context, declarationId)).length, 1, 'documents');
        },
        'for another declaration': async (context) => {
          const file = textFile();
          const first = expectStored(await upload(context, file));
          const other = expectStored(await upload(context, file));
          expect(first.documentId !== other.documentId, 'two declarations have one document');
        },
      },
    },
    {
      id: 'DOCU-014',
      sentence: 'An organisation uploads at most 100 documents for a declaration.',
      sources: [api(UPLOAD)],
      needs: ['uploader'],
      cases: {
        'one more': async (context) => {
          const declarationId = newDeclarationId();
          for (let number = 0; number < MAX_DOCUMENTS; number++) {
            expectStored(await upload(context, textFile(), undefined, declarationId));
          }
          const more = await upload(context, textFile(), undefined, declarationId);
          expectProblem(more, 400, { field: 'file', code: 'SIZE' });
          expectEqual((await listOf(context, declarationId)).length, MAX_DOCUMENTS, 'documents');
        },
      },
    },
    {
      id: 'DOCU-015',
      sentence:
        'The authority finds the documents of a declaration, and reads each as an attachment whose type is not guessed.',
      sources: [api('findDocuments', 'readDocument')],
      needs: ['uploader', 'authority'],
      cases: {
        'a text': async (context) => {
          const declarationId = newDeclarationId();
          const file = textFile();
          const { documentId } = expectStored(
            await upload(context, file, undefined, declarationId),
          );
          const authority = context.as('authority');
          const found = await authority.call('findDocuments', { query: { declarationId } });
          expectStatus(found, 200);
          expectSchema('findDocuments', found);
          const [document, ...more] = readJson(found) as unknown[];
          const { organisation, documentId: foundId } = Object(document);
          expectEqual(
            [foundId, organisation, more.length],
            [documentId, context.as('uploader').organisation, 0],
            'what was found',
          );
          const read = await authority.call('readDocument', {
            path: { documentId: String(documentId) },
          });
          expectStatus(read, 200);
          expectEqual(read.text, file.content, 'the file');
          expect(
            /^attachment\b/.test(read.headers.get('content-disposition') ?? ''),
            'it is not sent as an attachment',
          );
          expectEqual(
            read.headers.get('x-content-type-options'),
            'nosniff',
            'X-Content-Type-Options',
          );
        },
        'an unknown document': async (context) => {
          const path = { documentId: '00000000-0000-4000-8000-000000000000' };
          expectProblem(await context.as('authority').call('readDocument', { path }), 404);
        },
      },
    },
    {
      id: 'DOCU-016',
      sentence:
        'Only the authority finds and reads documents, and only those with the scope upload.',
      sources: [api(UPLOAD, 'findDocuments', 'readDocument')],
      needs: ['uploader', 'authority'],
      cases: {
        'the other tokens': async (context) => {
          const declarationId = newDeclarationId();
          const { documentId } = expectStored(
            await upload(context, textFile(), undefined, declarationId),
          );
          const uploader = context.as('uploader');
          const path = { documentId: String(documentId) };
          expectProblem(await uploader.call('readDocument', { path }), 403);
          expectProblem(await uploader.call('findDocuments', { query: { declarationId } }), 403);
          const list = { path: { declarationId } };
          expectProblem(await context.as('authority').call('listDocuments', list), 403);
        },
      },
    },
  ],
};
