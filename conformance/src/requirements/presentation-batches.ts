// Requirements on batches of house consignments: the results of lines, and what is sent again.
import { randomUUID } from 'node:crypto';
import { PresentationResult } from '@landfall/contract';
import { newDocumentNumber } from '../data/identifiers.js';
import { presentationOf, readStatus, tryPresent } from '../data/presentations.js';
import { memberOf, readSignals } from '../data/read-feed.js';
import { registerFor } from '../data/references.js';
import type { HttpResponse } from '../http/exchange.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expectEqual,
  expectProblem,
  expectStatus,
  expectValid,
  readLines,
} from '../suite/expect.js';
import { type Area, api } from '../suite/requirement.js';

const BATCH = 'presentHouseConsignments';
const type = 'application/x-ndjson';

const toText = (lines: readonly unknown[]) =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

function post(
  context: CaseContext,
  lines: readonly unknown[],
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  return context.as('presenter').call(BATCH, { raw: toText(lines), type, headers });
}

/** Presents lines, and returns their results. */
async function presentLines(context: CaseContext, ...lines: unknown[]): Promise<unknown[]> {
  const response = await post(context, lines);
  expectStatus(response, 200);
  const results = readLines(response);
  for (const result of results) expectValid(PresentationResult, result, 'a result');
  return results;
}

/** The line and the status of a result, and its errors as fields and codes. */
function outcomeOf(result: unknown): string {
  const errors = memberOf(result, 'validationErrors');
  const list = Array.isArray(errors) ? errors : [];
  const broken = list.map((error) => `${memberOf(error, 'field')} ${memberOf(error, 'code')}`);
  return [memberOf(result, 'line'), memberOf(result, 'status'), ...broken].join(' ');
}

const unknownGoods = () =>
  presentationOf({
    transportDocumentHouseLevel: { documentNumber: newDocumentNumber(), type: 'N740' },
  });

const house = 'house-consignment';
const REUSED = 'requestId REQUEST_ID_REUSED';
const NOT_FOUND = 'transportDocumentHouseLevel REFERENCE_NOT_FOUND';

export const presentationBatches: Area = {
  name: 'Batches of house consignments',
  requirements: [
    {
      id: 'BATC-001',
      sentence:
        'A batch has one result a line, in order, with its requestId; what is accepted is presented, and its signals can be read.',
      sources: [api(BATCH)],
      needs: ['presenter', 'authority'],
      cases: {
        'two house consignments, and one that is not pre-notified': async (context) => {
          const first = await registerFor(context, house);
          const second = await registerFor(context, house);
          const lines = [
            presentationOf(first.reference),
            unknownGoods(),
            presentationOf(second.reference),
          ];
          const results = await presentLines(context, ...lines);
          expectEqual(
            results.map(outcomeOf),
            ['1 202', `2 400 ${NOT_FOUND}`, '3 202'],
            'the results',
          );
          expectEqual(
            results.map((result) => memberOf(result, 'requestId')),
            lines.map(({ requestId }) => requestId),
            'the requestIds of the results',
          );
          for (const { declaration } of [first, second]) {
            const signals = await readSignals(context, 'presenter', declaration.mrn);
            expectEqual(signals.length, 1, 'the number of signals');
          }
        },
      },
    },
    {
      id: 'BATC-002',
      sentence:
        'A line is presented by the rules of a single presentation, and has the validation status of one, whatever its outcome.',
      sources: [api(BATCH, 'presentHouseConsignment', 'getValidationStatus')],
      needs: ['presenter', 'authority'],
      cases: {
        'accepted and refused': async (context) => {
          const { reference } = await registerFor(context, house);
          const bodies = [
            presentationOf(reference),
            unknownGoods(),
            { ...presentationOf(reference), customsOfficeOfPresentation: 'XX000000' },
          ];
          await presentLines(context, ...bodies);
          const presenter = context.as('presenter');
          for (const body of bodies) {
            const single = { ...body, requestId: randomUUID() };
            await tryPresent(presenter, house, single);
            const members = ['status', 'level', 'mrn', 'validationErrorList'];
            const ofLine = await readStatus(presenter, body.requestId);
            const ofSingle = await readStatus(presenter, single.requestId);
            expectEqual(
              members.map((name) => ofLine[name]),
              members.map((name) => ofSingle[name]),
              'the status of a line',
            );
          }
        },
      },
    },
    {
      id: 'BATC-003',
      sentence:
        'A line that cannot be read, or that breaks rules, is refused by itself, with every broken rule.',
      sources: [api(BATCH)],
      needs: ['presenter', 'authority'],
      cases: {
        'lines of each kind': async (context) => {
          const { reference } = await registerFor(context, house);
          const results = await presentLines(
            context,
            '{',
            { ...reference, requestId: 'x', customsOfficeOfPresentation: '' },
            presentationOf({ containerId: 'JARU0000010' }),
            presentationOf(reference),
          );
          expectEqual(
            results.map((result) => outcomeOf(result).split(' ').slice(0, 2).join(' ')),
            ['1 400', '2 400', '3 400', '4 202'],
            'the results',
          );
          expectEqual(
            outcomeOf(results[1]).split(' ').slice(2).sort(),
            ['FORMAT', 'REQUIRED', 'customsOfficeOfPresentation', 'requestId'],
            'the broken rules of the second line',
          );
        },
      },
    },
    {
      id: 'BATC-004',
      sentence:
        'A batch can be sent again: a requestId that was committed is REQUEST_ID_REUSED, what was not is presented, and nothing is presented twice.',
      sources: [api(BATCH, 'presentHouseConsignment')],
      needs: ['presenter', 'authority'],
      cases: {
        'the same lines and one more': async (context) => {
          const first = await registerFor(context, house);
          const second = await registerFor(context, house);
          const lines = [presentationOf(first.reference), unknownGoods()];
          await presentLines(context, ...lines);
          const results = await presentLines(context, ...lines, presentationOf(second.reference));
          expectEqual(
            results.map(outcomeOf),
            [`1 400 ${REUSED}`, `2 400 ${REUSED} ${NOT_FOUND}`, '3 202'],
            'the results',
          );
          const signals = await readSignals(context, 'presenter', first.declaration.mrn);
          expectEqual(signals.length, 1, 'the number of signals');
        },
        'one requestId twice in a batch': async (context) => {
          const { reference } = await registerFor(context, house);
          const line = presentationOf(reference);
          const results = await presentLines(context, line, line);
          expectEqual(results.map(outcomeOf), ['1 202', `2 400 ${REUSED}`], 'the results');
        },
      },
    },
    {
      id: 'BATC-005',
      sentence:
        'With Prefer: summary, the results of a batch end with their numbers, so that a response that was cut is found.',
      sources: [api(BATCH)],
      needs: ['presenter', 'authority'],
      cases: {
        'one accepted and one refused': async (context) => {
          const { reference } = await registerFor(context, house);
          const lines = [presentationOf(reference), unknownGoods()];
          const response = await post(context, lines, { prefer: 'summary' });
          expectStatus(response, 200);
          expectEqual(
            readLines(response).at(-1),
            { summary: { lines: 2, accepted: 1, refused: 1 } },
            'the last line',
          );
        },
      },
    },
    {
      id: 'BATC-006',
      sentence: 'Only who may present presents batches.',
      sources: [api(BATCH)],
      needs: ['authority'],
      cases: {
        'the authority': async (context) => {
          const raw = toText([unknownGoods()]);
          expectProblem(await context.as('authority').call(BATCH, { raw, type }), 403);
        },
      },
    },
  ],
};
