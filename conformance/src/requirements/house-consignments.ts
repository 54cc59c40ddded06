// Requirements on finding house consignments and on their history.
import { decide, documentOf, register } from '../data/goods.js';
import { newContainerId, newDocumentNumber, newReceptacleId } from '../data/identifiers.js';
import { present } from '../data/presentations.js';
import { memberOf } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  readJson,
} from '../suite/expect.js';
import { type Area, api } from '../suite/requirement.js';

const FIND = 'findHouseConsignments';

/** Finds house consignments, and returns them with the schema checked. */
async function find(
  context: CaseContext,
  query: Record<string, string>,
): Promise<Record<string, unknown>[]> {
  const response = await context.as('authority').call(FIND, { query });
  expectStatus(response, 200);
  expectSchema(FIND, response);
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
      sources: [api(FIND)],
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
        'page by page': async (context) => {
          const { mrn } = await register(context, { houses: [{}, {}, {}] });
          const all = (await find(context, { mrn })).map(({ id }) => String(id));
          const [first = ''] = (await find(context, { mrn, limit: '1' })).map(({ id }) =>
            String(id),
          );
          const rest = (await find(context, { mrn, marker: first })).map(({ id }) => String(id));
          expectEqual([first, ...rest], all, 'the ids');
        },
      },
    },
    {
      id: 'DECI-007',
      sentence: 'The state of a house consignment says whether it is presented and decided.',
      sources: [api(FIND)],
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
  ],
};
