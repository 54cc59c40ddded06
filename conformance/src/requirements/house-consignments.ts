// Requirements on finding house consignments and on their history.
import { decide, documentOf, register } from '../data/goods.js';
import { newContainerId, newDocumentNumber, newReceptacleId } from '../data/identifiers.js';
import { present } from '../data/presentations.js';
import { memberOf } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  readJson,
} from '../suite/expect.js';
import { type Area, api } from '../suite/requirement.js';

const LIST = 'listHouseConsignments';

/** Finds house consignments, and returns them with the schema checked. */
async function find(
  context: CaseContext,
  query: Record<string, string>,
): Promise<Record<string, unknown>[]> {
  const response = await context.as('authority').call(LIST, { query });
  expectStatus(response, 200);
  expectSchema(LIST, response);
  // The cast is true because the response has the schema.
  return readJson(response) as Record<string, unknown>[];
}

export const houseConsignments: Area = {
  name: 'House consignments',
  requirements: [
    {
      id: 'DECI-006',
      sentence:
        'House consignments are found by each of their identifiers, and several filters must all match.',
      sources: [api(LIST)],
      needs: ['authority'],
      cases: {
        'by each identifier': async (context) => {
          const receptacleId = newReceptacleId();
          const containerId = newContainerId();
          const master = { documentNumber: newDocumentNumber(), type: 'N741' as const };
          const declaration = await register(context, {
            houses: [
              { receptacleId, containerId: [containerId], transportDocumentMasterLevel: master },
              {},
            ],
          });
          const { mrn, declarant } = declaration;
          const { documentNumber } = documentOf(declaration);
          const filters: [Record<string, string>, number][] = [
            [{ mrn }, 2],
            [{ documentNumber }, 1],
            [{ documentNumber, type: 'N703' }, 1],
            [{ documentNumber, type: 'N740' }, 0],
            [{ receptacleId, mrn }, 1],
            [{ containerId, mrn }, 1],
            [{ masterDocumentNumber: master.documentNumber }, 1],
            [{ organisation: declarant, mrn }, 2],
            [{ mrn, office: 'NO351001' }, 2],
            [{ mrn, office: 'NO371001' }, 0],
            [{ mrn, to: '2020-01-01T00:00:00Z' }, 0],
          ];
          for (const [query, expected] of filters) {
            const found = await find(context, query);
            expectEqual(found.length, expected, `the number found by ${JSON.stringify(query)}`);
          }
        },
        'page by page, in the order of their documents': async (context) => {
          const { mrn } = await register(context, { houses: [{}, {}, {}] });
          const found = await find(context, { mrn });
          const documents = found.map((one) =>
            String(memberOf(one, 'transportDocumentHouseLevel.documentNumber')),
          );
          expectEqual(documents, [...documents].sort(), 'the documents');
          const all = found.map(({ id }) => String(id));
          const [first = ''] = (await find(context, { mrn, limit: '1' })).map(({ id }) =>
            String(id),
          );
          const rest = (await find(context, { mrn, marker: first })).map(({ id }) => String(id));
          expectEqual([first, ...rest], all, 'the ids');
        },
      },
    },
    {
      id: 'DECI-012',
      sentence:
        'A search finds house consignments by the beginning of an identifier, and one is read by its id.',
      sources: [api('searchHouseConsignments', 'getHouseConsignment')],
      needs: ['authority'],
      cases: {
        'by the beginning of a document': async (context) => {
          const declaration = await register(context);
          const { documentNumber } = documentOf(declaration);
          const [expected] = await find(context, { documentNumber });
          const searched = await context.as('authority').call('searchHouseConsignments', {
            query: { identifier: documentNumber.slice(0, -1) },
          });
          expectStatus(searched, 200);
          expectSchema('searchHouseConsignments', searched);
          const { houseConsignments } = readJson(searched) as { houseConsignments: unknown[] };
          const hasIt = houseConsignments.some(
            (one) => memberOf(one as Record<string, unknown>, 'id') === expected?.id,
          );
          expect(hasIt, 'the search has not found the house consignment');
          const path = { id: String(expected?.id) };
          const read = await context.as('authority').call('getHouseConsignment', { path });
          expectStatus(read, 200);
          expectSchema('getHouseConsignment', read);
          expectEqual(readJson(read), expected, 'the house consignment');
        },
        'too few characters': async (context) => {
          const query = { identifier: 'HC' };
          const response = await context.as('authority').call('searchHouseConsignments', { query });
          expectProblem(response, 400, { code: 'SIZE', field: 'identifier' });
        },
      },
    },
    {
      id: 'DECI-013',
      sentence:
        'Presented goods are counted by office and hour, and wait for a decision until there is one.',
      sources: [api('countArrivals', 'listUndecidedArrivals')],
      needs: ['authority', 'presenter'],
      cases: {
        'presented, then decided': async (context) => {
          const authority = context.as('authority');
          const declaration = await register(context, { houses: [{}] });
          const { mrn } = declaration;
          await present(context.as('presenter'), 'entry-summary-declaration', { mrn });
          const [found] = await find(context, { mrn });
          const presentedAt = String(memberOf(found, 'presented.at'));
          const counted = await authority.call('countArrivals', { query: { from: presentedAt } });
          expectStatus(counted, 200);
          expectSchema('countArrivals', counted);
          const { arrivals } = readJson(counted) as { arrivals: { undecided: number }[] };
          expect(
            arrivals.some(({ undecided }) => undecided > 0),
            'no arrival without a decision is counted',
          );
          const waits = async () => {
            let query: Record<string, string> = {};
            for (;;) {
              const response = await authority.call('listUndecidedArrivals', { query });
              expectStatus(response, 200);
              expectSchema('listUndecidedArrivals', response);
              const page = readJson(response) as { id: string }[];
              if (page.some(({ id }) => id === found?.id)) return true;
              const last = page.at(-1);
              if (last === undefined) return false;
              query = { marker: last.id };
            }
          };
          expect(await waits(), 'the presented goods are not in the list');
          await decide(context, declaration, 'TO_ENTRY');
          expect(!(await waits()), 'the decided goods are still in the list');
        },
        'a range of more than a week': async (context) => {
          const query = { from: '2026-01-01T00:00:00Z', to: '2026-01-08T00:00:01Z' };
          const response = await context.as('authority').call('countArrivals', { query });
          expectProblem(response, 400, { code: 'SIZE', field: 'from' });
        },
      },
    },
    {
      id: 'DECI-007',
      sentence: 'The state of a house consignment says whether it is presented and decided.',
      sources: [api(LIST)],
      needs: ['authority', 'presenter'],
      cases: {
        'each state': async (context) => {
          const declaration = await register(context, {
            houses: [{}, { routing: 'TO_ENTRY' }, {}],
          });
          const { mrn } = declaration;
          const states = async () =>
            (await find(context, { mrn })).map(({ state }) => state).sort();
          const before = ['DECIDED', 'PRE_NOTIFIED', 'PRE_NOTIFIED'];
          expectEqual(await states(), before, 'the states before it is presented');
          await present(context.as('presenter'), 'entry-summary-declaration', { mrn });
          const after = ['PRESENTED', 'PRESENTED', 'SIGNALLED'];
          expectEqual(await states(), after, 'the states after it is presented');
          const signalled = await find(context, { mrn, state: 'SIGNALLED' });
          expectEqual(signalled.length, 1, 'the number found by its state');
          const by = memberOf(signalled[0], 'presented.by');
          expectEqual(by, context.identity('presenter').organisation, 'presented.by');
          expectEqual(
            memberOf(signalled[0], 'lastSignal.routing'),
            'TO_ENTRY',
            'lastSignal.routing',
          );
        },
      },
    },
    {
      id: 'DECI-008',
      sentence:
        'The history of a house consignment has everything that happened to it, oldest first.',
      sources: [api('getHouseConsignmentHistory')],
      needs: ['authority', 'presenter'],
      cases: {
        'pre-notified, presented, decided, decided again': async (context) => {
          const declaration = await register(context, { houses: [{}] });
          await present(context.as('presenter'), 'entry-summary-declaration', {
            mrn: declaration.mrn,
          });
          await decide(context, declaration, 'TO_ENTRY');
          await decide(context, declaration, 'TO_CONTROL');
          const [found] = await find(context, { mrn: declaration.mrn });
          const response = await context
            .as('authority')
            .call('getHouseConsignmentHistory', { path: { id: String(found?.id) } });
          expectStatus(response, 200);
          expectSchema('getHouseConsignmentHistory', response);
          const presenter = context.identity('presenter').organisation;
          const events = readJson(response) as Record<string, unknown>[];
          expectEqual(
            events
              .filter(
                ({ event, organisation }) => event !== 'SIGNALLED' || organisation === presenter,
              )
              .map(({ event }) => event)
              .filter((event) => event !== 'READ'),
            ['PRE_NOTIFIED', 'PRESENTED', 'DECIDED', 'SIGNALLED', 'DECIDED', 'SIGNALLED'],
            'the events',
          );
          const times = events.map(({ at }) => Date.parse(String(at)));
          expectEqual(
            times,
            [...times].sort((one, other) => one - other),
            'the times',
          );
        },
        'an id that does not exist': async (context) => {
          const path = { id: '00000000-0000-7000-8000-000000000000' };
          const response = await context
            .as('authority')
            .call('getHouseConsignmentHistory', { path });
          expectProblem(response, 404);
        },
      },
    },
    {
      id: 'DECI-014',
      sentence:
        'Every decision on a house consignment is kept, in the order of their numbers, and listed.',
      sources: [api('getHouseConsignmentDecisions', 'listRoutingDecisions')],
      needs: ['authority'],
      cases: {
        'registered, decided, decided again': async (context) => {
          const declaration = await register(context, { houses: [{ routing: 'TO_ENTRY' }] });
          await decide(context, declaration, 'TO_CONTROL');
          await decide(context, declaration, 'TO_ENTRY');
          const [found] = await find(context, { mrn: declaration.mrn });
          const id = String(found?.id);
          const authority = context.as('authority');
          const kept = await authority.call('getHouseConsignmentDecisions', { path: { id } });
          expectStatus(kept, 200);
          expectSchema('getHouseConsignmentDecisions', kept);
          const decisions = readJson(kept) as Record<string, unknown>[];
          expectEqual(
            decisions.map(({ routing }) => routing),
            ['TO_ENTRY', 'TO_CONTROL', 'TO_ENTRY'],
            'the routings',
          );
          const numbers = decisions.map(({ number }) => Number(number));
          const ordered = [...numbers].sort((one, other) => one - other);
          expectEqual(numbers, ordered, 'the numbers');
          const from = String(decisions[0]?.decidedAt);
          const listed = await authority.call('listRoutingDecisions', { query: { from } });
          expectStatus(listed, 200);
          expectSchema('listRoutingDecisions', listed);
          const ofHouse = (readJson(listed) as Record<string, unknown>[]).filter(
            ({ houseConsignmentId }) => houseConsignmentId === id,
          );
          expectEqual(ofHouse.length, decisions.length, 'the number of listed decisions');
        },
        'an id that does not exist': async (context) => {
          const path = { id: '00000000-0000-7000-8000-000000000000' };
          const response = await context
            .as('authority')
            .call('getHouseConsignmentDecisions', { path });
          expectProblem(response, 404);
        },
      },
    },
  ],
};
