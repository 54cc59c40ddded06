// Requirements on reading routing signals: markers and pages.

import { randomUUID } from 'node:crypto';
import { documentOf, register } from '../data/goods.js';
import { present } from '../data/presentations.js';
import {
  type Entry,
  endOfFeed,
  memberOf,
  nextPage,
  readAll,
  readEntries,
} from '../data/read-feed.js';
import { issueSignals, signalId } from '../data/signalled-goods.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectEqual, expectProblem } from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { type Area, api, architecture, rfc } from '../suite/requirement.js';

const READ = 'readRoutingSignals';

const idsOf = (entries: readonly Entry[], mrn: string) =>
  entries.filter((entry) => entry.entrySummaryDeclarationMRN === mrn).map(signalId);

const endOf = (context: CaseContext) => endOfFeed(context, 'presenter', READ);

export const routingFeed: Area = {
  name: 'Reading routing signals',
  requirements: [
    {
      id: 'ROUT-010',
      sentence:
        'Reading with markers returns every signal exactly once, in one order that never changes, with any page size.',
      sources: [api(READ), architecture('The feed')],
      needs: ['presenter', 'authority'],
      cases: {
        'nine signals in pages of 1, 2, 4 and 1000': async (context) => {
          const end = await endOf(context);
          const mrn = await issueSignals(context, 9);
          const presenter = context.as('presenter');
          const expected = idsOf(await readAll(presenter, READ, end), mrn);
          expectEqual(new Set(expected).size, 9, 'the number of different signals');
          expectEqual(expected.length, 9, 'the number of signals');
          for (const limit of [1, 2, 4]) {
            const upTo = expected.at(-1);
            const ids = idsOf(await readAll(presenter, READ, end, { limit, upTo }), mrn);
            expectEqual(ids, expected, `the signals in pages of ${limit}`);
          }
        },
        'after the marker of each signal come exactly those after it': async (context) => {
          const end = await endOf(context);
          const mrn = await issueSignals(context, 4);
          const presenter = context.as('presenter');
          const all = idsOf(await readAll(presenter, READ, end), mrn);
          for (const [index, marker] of all.entries()) {
            const rest = idsOf(await readAll(presenter, READ, marker), mrn);
            expectEqual(rest, all.slice(index + 1), `the signals after signal ${index + 1}`);
          }
        },
      },
    },
    {
      id: 'ROUT-011',
      sentence:
        'A reader that follows markers while signals are issued concurrently misses none and reads none twice.',
      sources: [api(READ), architecture('The feed')],
      needs: ['presenter', 'authority'],
      cases: {
        'forty house consignments are presented at once while two readers read': async (
          context,
        ) => {
          const end = await endOf(context);
          const declaration = await register(context, {
            houses: Array.from({ length: 40 }, () => ({ routing: 'TO_ENTRY' as const })),
          });
          const presenter = context.as('presenter');
          let done = false;
          const presentAll = Promise.all(
            declaration.houseConsignments.map((_, index) =>
              present(presenter, 'house-consignment', {
                transportDocumentHouseLevel: documentOf(declaration, index),
              }),
            ),
          ).finally(() => {
            done = true;
          });
          const follow = async () => {
            const ids: string[] = [];
            let marker = end;
            for (let last = false; !last; ) {
              last = done;
              const entries = await readAll(presenter, READ, marker, { limit: 7 });
              ids.push(...idsOf(entries, declaration.mrn));
              marker = entries.length > 0 ? signalId(entries.at(-1)) : marker;
            }
            return ids;
          };
          const [first, second] = await Promise.all([follow(), follow(), presentAll]);
          expectEqual(first.length, 40, 'the number of signals that the first reader read');
          expectEqual(new Set(first).size, 40, 'the number of different signals');
          expectEqual(second, first, 'the order of the second reader');
        },
      },
    },
    {
      id: 'ROUT-012',
      sentence: 'A page has at most limit signals, and Link with rel="next" when more may follow.',
      sources: [api(READ), rfc(8288, '3')],
      needs: ['presenter', 'authority'],
      cases: {
        'three signals in pages of 2, by the addresses in Link': async (context) => {
          const end = await endOf(context);
          const mrn = await issueSignals(context, 3);
          const presenter = context.as('presenter');
          const query = { marker: end, limit: 2 };
          const first = await presenter.call(READ, { query });
          const found = readEntries(first);
          expectEqual(found.length, 2, 'the number of signals of the first page');
          const next = nextPage(first, context.settings.baseUrl);
          expect(next !== undefined, 'the first page has no Link with rel="next"');
          expectEqual(next.searchParams.get('marker'), signalId(found.at(-1)), 'marker in Link');
          const rest = await presenter.call(READ, { query: [...next.searchParams] });
          found.push(...readEntries(rest));
          expect(
            idsOf(found, mrn).length >= 3 || nextPage(rest, context.settings.baseUrl) !== undefined,
            'the pages end before the last signal',
          );
        },
        'the last page has none': async (context) => {
          // Signals of other cases may follow a marker; only an empty page is checked.
          for (let attempt = 0; attempt < 20; attempt++) {
            const query = { marker: await endOf(context) };
            const response = await context.as('presenter').call(READ, { query });
            if (readEntries(response).length > 0) continue;
            expectEqual(response.headers.get('link'), null, 'Link of an empty page');
            return;
          }
          throw new NotTestedError('signals of other requests followed every marker');
        },
      },
    },
    {
      id: 'ROUT-013',
      sentence: 'A limit that is not a whole number from 1 to 1000 is refused.',
      sources: [api(READ)],
      needs: ['presenter'],
      cases: Object.fromEntries(
        ['0', '1001', '-1', '1.5', 'ten', ''].map((limit) => [
          `limit=${limit}`,
          async (context: CaseContext) => {
            const response = await context.as('presenter').call(READ, { query: { limit } });
            expectProblem(response, 400);
            const { validationErrors = [] } = JSON.parse(response.text);
            expectEqual(validationErrors[0]?.field, 'limit', 'the field of the error');
          },
        ]),
      ),
    },
    {
      id: 'ROUT-014',
      sentence:
        'A marker that the organisation never received is UNKNOWN_MARKER, and one that is no UUID is FORMAT.',
      sources: [api(READ), architecture('The feed')],
      needs: ['presenter', 'authority'],
      cases: {
        'a random marker': async (context) => {
          const query = { marker: randomUUID() };
          const response = await context.as('presenter').call(READ, { query });
          expectProblem(response, 400, { code: 'UNKNOWN_MARKER', field: 'marker' });
        },
        'a marker with one changed digit': async (context) => {
          const end = await endOf(context);
          const mrn = await issueSignals(context, 1);
          const presenter = context.as('presenter');
          const [id = ''] = idsOf(await readAll(presenter, READ, end), mrn);
          const changed = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
          const response = await presenter.call(READ, { query: { marker: changed } });
          expectProblem(response, 400, { code: 'UNKNOWN_MARKER', field: 'marker' });
        },
        'no UUID': async (context) => {
          const response = await context.as('presenter').call(READ, { query: { marker: '4711' } });
          expectProblem(response, 400, { code: 'FORMAT', field: 'marker' });
        },
      },
    },
    {
      id: 'ROUT-020',
      sentence:
        'Reading again after the same marker returns the same signals: positions of readers are not kept by the service.',
      sources: [api(READ), architecture('Non-goals')],
      needs: ['presenter', 'authority'],
      cases: {
        'three times': async (context) => {
          const end = await endOf(context);
          await issueSignals(context, 2);
          const presenter = context.as('presenter');
          const read = async () =>
            readEntries(await presenter.call(READ, { query: { marker: end, limit: 2 } })).map(
              (entry) => memberOf(entry, 'routingResult'),
            );
          const first = await read();
          expectEqual(first.length, 2, 'the number of signals');
          expectEqual(await read(), first, 'the second read');
          expectEqual(await read(), first, 'the third read');
        },
      },
    },
  ],
};
