// Requirements on documents of other registers, which the authority registers and finds.
import { ReferenceDocumentResult } from '@landfall/contract';
import { newDocumentNumber, newOrganisation } from '../data/identifiers.js';
import { memberOf, nextPage, readEntries } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  expectValid,
  readLines,
} from '../suite/expect.js';
import { type Area, api } from '../suite/requirement.js';

const POST = 'postReferenceDocuments';
const FIND = 'findReferenceDocuments';
const type = 'application/x-ndjson';

type State = 'VALID' | 'INVALID';
const numbered = (kind: string, referenceNumber: string, state: State = 'VALID') => ({
  kind,
  referenceNumber,
  state,
});
const declaration = (declarant: string, sequenceNumber: string, state: State = 'VALID') => ({
  kind: 'CUDE',
  declarantNumber: declarant.slice('0192:'.length),
  declarationDate: '2026-05-04',
  sequenceNumber,
  state,
});

const toText = (lines: readonly unknown[]) =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

/** Registers documents, and returns the number and the status of each result. */
async function register(context: CaseContext, lines: readonly unknown[]): Promise<string[]> {
  const response = await context.as('authority').call(POST, { raw: toText(lines), type });
  expectStatus(response, 200);
  return readLines(response).map((result) => {
    expectValid(ReferenceDocumentResult, result, 'a result');
    return `${memberOf(result, 'line')} ${memberOf(result, 'status')}`;
  });
}

/** Finds documents, each as its kind, reference and state. */
async function find(
  context: CaseContext,
  query: Record<string, string | number>,
): Promise<string[]> {
  const response = await context.as('authority').call(FIND, { query });
  expectStatus(response, 200);
  expectSchema(FIND, response);
  return readEntries(response).map(describe);
}

const describe = (document: unknown) =>
  ['kind', 'reference', 'state'].map((name) => memberOf(document, name)).join(' ');

export const referenceDocuments: Area = {
  name: 'Reference documents',
  requirements: [
    {
      id: 'REFD-001',
      sentence:
        'An upload of reference documents has one result a line, in order; a line that breaks a rule is REFUSED by itself, with the member and the code.',
      sources: [api(POST)],
      needs: ['authority'],
      cases: {
        'documents of each kind, and invalid lines': async (context) => {
          const number = newDocumentNumber();
          const results = await register(context, [
            declaration(newOrganisation(), '1'),
            '{',
            numbered('N820', number),
            numbered('AES_EXPORT', number),
            { ...numbered('EIDR_EXPORT', number), state: 'valid' },
            numbered('EIDR_EXPORT', number, 'INVALID'),
            numbered('VOEC', number),
          ]);
          expectEqual(
            results,
            [
              '1 REGISTERED',
              '2 REFUSED',
              '3 REGISTERED',
              '4 REGISTERED',
              '5 REFUSED',
              '6 REGISTERED',
              '7 REGISTERED',
            ],
            'the results',
          );
        },
        'each broken rule': async (context) => {
          const raw = toText([
            { ...declaration(newOrganisation(), '1'), declarantNumber: '1', sequenceNumber: null },
            numbered('CUD', newDocumentNumber()),
          ]);
          const response = await context.as('authority').call(POST, { raw, type });
          expectStatus(response, 200);
          const errors = readLines(response).map((result) => memberOf(result, 'validationErrors'));
          expectEqual(
            errors.map((list) =>
              Array.isArray(list)
                ? list
                    .map((error) => `${memberOf(error, 'field')} ${memberOf(error, 'code')}`)
                    .sort()
                : list,
            ),
            [['declarantNumber FORMAT', 'sequenceNumber REQUIRED'], ['kind UNKNOWN_CODE']],
            'the errors',
          );
        },
      },
    },
    {
      id: 'REFD-002',
      sentence:
        'The last line of a document counts, in one upload and in a later one, and what has its state already is UNCHANGED.',
      sources: [api(POST)],
      needs: ['authority'],
      cases: {
        'twice in one upload, and again': async (context) => {
          const number = newDocumentNumber();
          const first = await register(context, [
            numbered('N820', number),
            numbered('N820', number, 'INVALID'),
            numbered('N820', number, 'INVALID'),
          ]);
          expectEqual(first, ['1 REGISTERED', '2 CHANGED', '3 UNCHANGED'], 'the results');
          const kept = [`N820 ${number} INVALID`];
          expectEqual(await find(context, { reference: number }), kept, 'the document');
          const again = await register(context, [numbered('N820', number, 'INVALID')]);
          expectEqual(again, ['1 UNCHANGED'], 'the same again');
          const later = await register(context, [numbered('N820', number)]);
          expectEqual(later, ['1 CHANGED'], 'another state');
          const changed = [`N820 ${number} VALID`];
          expectEqual(await find(context, { reference: number }), changed, 'the document');
        },
      },
    },
    {
      id: 'REFD-003',
      sentence:
        'A document is the same one whether its number has capitals or blanks, and its sequence number leading zeros; another kind is another document.',
      sources: [api(POST)],
      needs: ['authority'],
      cases: {
        'other spellings': async (context) => {
          const number = newDocumentNumber();
          const declarant = newOrganisation();
          const results = await register(context, [
            numbered('N820', number),
            numbered('N820', ` ${number.toLowerCase()}`),
            numbered('VOEC', number),
            declaration(declarant, '7'),
            declaration(declarant, '007'),
            declaration(declarant, '70'),
          ]);
          expectEqual(
            results,
            [
              '1 REGISTERED',
              '2 UNCHANGED',
              '3 REGISTERED',
              '4 REGISTERED',
              '5 UNCHANGED',
              '6 REGISTERED',
            ],
            'the results',
          );
        },
      },
    },
    {
      id: 'REFD-004',
      sentence:
        'Documents are found by kind and by the beginning of their reference, page by page; no page leaves one out or repeats one.',
      sources: [api(FIND)],
      needs: ['authority'],
      cases: {
        'five documents in pages of two': async (context) => {
          const number = newDocumentNumber();
          const documents = [3, 1, 2].map((end) => numbered('N820', `${number}${end}`));
          await register(context, [
            ...documents,
            numbered('AES_EXPORT', number),
            numbered('VOEC', number, 'INVALID'),
          ]);
          const all = [
            `AES_EXPORT ${number} VALID`,
            ...[1, 2, 3].map((end) => `N820 ${number}${end} VALID`),
            `VOEC ${number} INVALID`,
          ];
          expectEqual(await find(context, { reference: number }), all, 'all documents');
          const ofKind = { reference: number, kind: 'VOEC' };
          expectEqual(await find(context, ofKind), all.slice(-1), 'those of one kind');
          const read: string[] = [];
          let marker: string | undefined;
          do {
            const query = { reference: number, limit: 2, ...(marker !== undefined && { marker }) };
            const response = await context.as('authority').call(FIND, { query });
            expectStatus(response, 200);
            read.push(...readEntries(response).map(describe));
            const next = nextPage(response, context.settings.baseUrl);
            marker = next?.searchParams.get('marker') ?? undefined;
          } while (marker !== undefined && read.length <= all.length);
          expectEqual(read, all, 'the documents of all pages');
        },
        'what is found as lines is registered again as it is': async (context) => {
          const number = newDocumentNumber();
          const declarant = newOrganisation();
          await register(context, [
            numbered('VOEC', number),
            declaration(declarant, '1', 'INVALID'),
          ]);
          for (const reference of [number, declarant.slice('0192:'.length)]) {
            const headers = { accept: type };
            const response = await context
              .as('authority')
              .call(FIND, { query: { reference }, headers });
            expectStatus(response, 200);
            const lines = response.text.trimEnd().split('\n');
            expectEqual(await register(context, lines), ['1 UNCHANGED'], 'the results');
          }
        },
      },
    },
    {
      id: 'REFD-005',
      sentence: 'Only the authority registers reference documents and finds them.',
      sources: [api(POST, FIND)],
      needs: ['presenter'],
      cases: {
        'a presenter': async (context) => {
          const presenter = context.as('presenter');
          const raw = toText([numbered('VOEC', newDocumentNumber())]);
          expectProblem(await presenter.call(POST, { raw, type }), 403);
          expectProblem(await presenter.call(FIND), 403);
        },
      },
    },
    {
      id: 'REFD-006',
      sentence:
        'The results of an upload of reference documents end with a summary that has their number when the client prefers one.',
      sources: [api(POST)],
      needs: ['authority'],
      cases: {
        'one line is refused': async (context) => {
          const raw = toText([numbered('VOEC', newDocumentNumber()), '{']);
          const headers = { prefer: 'summary' };
          const response = await context.as('authority').call(POST, { raw, type, headers });
          expectStatus(response, 200);
          expectEqual(response.headers.get('preference-applied'), 'summary', 'Preference-Applied');
          const summary = { lines: 2, accepted: 1, refused: 1 };
          expectEqual(readLines(response).at(-1), { summary }, 'the last line');
        },
      },
    },
  ],
};
