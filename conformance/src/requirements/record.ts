// Requirements on the record of the authority: decisions that are repeated or conditional, and goods that are withdrawn.
import { randomUUID } from 'node:crypto';
import { documentOf, makeDeclaration, put, register } from '../data/goods.js';
import { present } from '../data/presentations.js';
import { memberOf } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  readJson,
  readObject,
} from '../suite/expect.js';
import { type Area, api, decision } from '../suite/requirement.js';

const POST = 'postRoutingDecisions';
const LIST = 'listHouseConsignments';
const PUT = 'putEntrySummaryDeclaration';
const GET = 'getEntrySummaryDeclaration';

/** Makes a function that decides on the goods of a declaration, with members of the decision, and returns the result. */
function decider(context: CaseContext, declaration: ReturnType<typeof makeDeclaration>) {
  return async (members: Record<string, unknown>): Promise<unknown> => {
    const { mrn } = declaration;
    const sent = { mrn, transportDocumentHouseLevel: documentOf(declaration), ...members };
    const response = await context.as('authority').call(POST, { json: [sent] });
    expectStatus(response, 200);
    expectSchema(POST, response);
    // The cast is true because the response has the schema.
    return (readJson(response) as unknown[])[0];
  };
}

/** What became of a decision: its status, and the code of its refusal. */
const outcomeOf = (result: unknown) => [
  memberOf(result, 'status'),
  memberOf(result, 'validationErrors.0.code'),
];

/** The house consignments of a declaration, in a state or in any but WITHDRAWN. */
async function list(context: CaseContext, mrn: string, state?: string) {
  const query = { mrn, ...(state && { state }) };
  const response = await context.as('authority').call(LIST, { query });
  expectStatus(response, 200);
  expectSchema(LIST, response);
  // The cast is true because the response has the schema.
  return readJson(response) as Record<string, unknown>[];
}

/** The routing that the only house consignment of a declaration has. */
const routingOf = async (context: CaseContext, mrn: string) =>
  memberOf((await list(context, mrn))[0], 'routing');

/** Other spellings of a document number. */
const spellings: Record<string, (text: string) => string> = {
  'in small letters': (text) => text.toLowerCase(),
  'with a blank': (text) => `${text.slice(0, 3)} ${text.slice(3)}`,
  'with a no-break space': (text) => `${text.slice(0, 3)}\u00a0${text.slice(3)}`,
};

export const record: Area = {
  name: 'The record of the authority',
  requirements: [
    {
      id: 'DECI-015',
      sentence:
        'A decision with a decisionId is made once: sent again it is REPEATED with its first result, whatever was decided since.',
      sources: [api(POST), decision(166)],
      needs: ['authority'],
      cases: {
        'sent again after another decision': async (context) => {
          const declaration = await register(context, { houses: [{}] });
          const decide = decider(context, declaration);
          const first = { routing: 'TO_ENTRY', decisionId: randomUUID() };
          const made = await decide(first);
          await decide({ routing: 'TO_CONTROL' });
          const repeated = await decide(first);
          expectEqual(outcomeOf(repeated), ['REPEATED', undefined], 'the result');
          expectEqual(memberOf(repeated, 'number'), memberOf(made, 'number'), 'number');
          expectEqual(await routingOf(context, declaration.mrn), 'TO_CONTROL', 'the routing');
        },
        'its id for another decision': async (context) => {
          const decide = decider(context, await register(context, { houses: [{}] }));
          const decisionId = randomUUID();
          await decide({ routing: 'TO_ENTRY', decisionId });
          const reused = await decide({ routing: 'TO_CONTROL', decisionId });
          expectEqual(outcomeOf(reused), ['REFUSED', 'DECISION_ID_REUSED'], 'the result');
        },
      },
    },
    {
      id: 'DECI-016',
      sentence:
        'A decision is made only if the current one is the one in expected; otherwise it is a CONFLICT with the current one, and changes nothing.',
      sources: [api(POST), decision(166)],
      needs: ['authority'],
      cases: {
        'the number of a decision that was replaced': async (context) => {
          const declaration = await register(context, { houses: [{}] });
          const decide = decider(context, declaration);
          const seen = memberOf(await decide({ routing: 'TO_ENTRY' }), 'number');
          const current = memberOf(await decide({ routing: 'TO_CONTROL' }), 'number');
          const refused = await decide({ routing: 'TO_ENTRY', expected: seen });
          expectEqual(outcomeOf(refused), ['CONFLICT', undefined], 'the result');
          expectEqual(memberOf(refused, 'current.number'), current, 'current.number');
          expectEqual(await routingOf(context, declaration.mrn), 'TO_CONTROL', 'the routing');
          const accepted = await decide({ routing: 'TO_ENTRY', expected: current });
          expectEqual(outcomeOf(accepted), ['DECIDED', undefined], 'the result');
        },
        'no decision, where there is one': async (context) => {
          const decide = decider(context, await register(context, { houses: [{}] }));
          const first = await decide({ routing: 'TO_ENTRY', expected: null });
          expectEqual(outcomeOf(first), ['DECIDED', undefined], 'the result');
          const second = await decide({ routing: 'TO_CONTROL', expected: null });
          expectEqual(outcomeOf(second), ['CONFLICT', undefined], 'the result');
        },
      },
    },
    {
      id: 'DECI-017',
      sentence:
        'UNDECIDED takes a decision back, with a reason, and is RELEASED for presented goods that are TO_ENTRY.',
      sources: [api(POST), decision(166)],
      needs: ['authority', 'presenter'],
      cases: {
        'before and after presentation': async (context) => {
          const declaration = await register(context, { houses: [{}] });
          const { mrn } = declaration;
          const decide = decider(context, declaration);
          await decide({ routing: 'TO_ENTRY' });
          const reopened = await decide({ routing: 'UNDECIDED', reason: 'by mistake' });
          expectEqual(outcomeOf(reopened), ['DECIDED', undefined], 'the result');
          expectEqual(await routingOf(context, mrn), undefined, 'the routing');
          await decide({ routing: 'TO_ENTRY' });
          await present(context.as('presenter'), 'entry-summary-declaration', { mrn });
          const late = await decide({ routing: 'UNDECIDED', reason: 'by mistake' });
          expectEqual(outcomeOf(late), ['REFUSED', 'RELEASED'], 'the result');
        },
        'without a reason': async (context) => {
          const decide = decider(context, await register(context));
          const refused = await decide({ routing: 'UNDECIDED' });
          expectEqual(memberOf(refused, 'status'), 'REFUSED', 'the status');
        },
      },
    },
    {
      id: 'REGI-017',
      sentence:
        'Goods that are withdrawn are kept, and found with state=WITHDRAWN alone; sent again they return with their id and decision.',
      sources: [api(PUT, LIST), decision(165)],
      needs: ['authority'],
      cases: {
        'one of two house consignments': async (context) => {
          const declaration = await register(context, { houses: [{}, {}] });
          const { mrn, houseConsignments } = declaration;
          await decider(context, declaration)({ routing: 'TO_CONTROL' });
          const idOf = (houses: Record<string, unknown>[]) =>
            houses.find(
              (each) =>
                memberOf(each, 'transportDocumentHouseLevel.documentNumber') ===
                documentOf(declaration).documentNumber,
            )?.id;
          const id = idOf(await list(context, mrn));
          await put(context, { ...declaration, houseConsignments: houseConsignments.slice(1) });
          expectEqual(idOf(await list(context, mrn)), undefined, 'the id while it is withdrawn');
          expectEqual(
            idOf(await list(context, mrn, 'WITHDRAWN')),
            id,
            'the id of what is withdrawn',
          );
          await put(context, declaration);
          const returned = await list(context, mrn);
          expectEqual(idOf(returned), id, 'the id after it has returned');
          const found = returned.find((each) => each.id === id);
          expectEqual(found?.routing, 'TO_CONTROL', 'the routing after it has returned');
        },
      },
    },
    {
      id: 'REGI-018',
      sentence:
        'A request with If-Match replaces the declaration as it was read, and none that was changed since then.',
      sources: [api(PUT, GET), decision(164)],
      needs: ['authority'],
      cases: {
        'two changes of the same version': async (context) => {
          const declaration = await register(context);
          const path = { mrn: declaration.mrn };
          const authority = context.as('authority');
          const read = await authority.call(GET, { path });
          const headers = { 'if-match': read.headers.get('etag') ?? 'no ETag' };
          const change = (hour: number) =>
            authority.call(PUT, {
              path,
              headers,
              json: { ...declaration, estimatedTimeOfArrival: `2026-02-01T0${hour}:00:00.000Z` },
            });
          expectStatus(await change(1), 200);
          expectProblem(await change(2), 412);
          const after = readObject(await authority.call(GET, { path }));
          expectEqual(after.estimatedTimeOfArrival, '2026-02-01T01:00:00.000Z', 'the time');
        },
      },
    },
    {
      id: 'REGI-019',
      sentence:
        'A document in another spelling, which differs in capitals, blanks or how accents are encoded, is the same house consignment: it is found, decided and presented by it, and registered again it keeps its id.',
      sources: [api(PUT, LIST, POST), decision(195)],
      needs: ['authority'],
      cases: Object.fromEntries(
        Object.entries(spellings).map(([kind, spell]) => [
          kind,
          async (context: CaseContext) => {
            const declaration = await register(context);
            const { mrn } = declaration;
            const { documentNumber, type } = documentOf(declaration);
            const [{ id } = {}] = await list(context, mrn);
            const spelled = { documentNumber: spell(documentNumber), type };
            const query = { documentNumber: spelled.documentNumber };
            const found = await context.as('authority').call(LIST, { query });
            expectStatus(found, 200);
            expectEqual(memberOf(readJson(found), '0.id'), id, 'the id of what is found');
            const again = { transportDocumentHouseLevel: spelled, routing: 'TO_ENTRY' as const };
            await put(context, { ...declaration, houseConsignments: [again] });
            const [registered, ...others] = await list(context, mrn);
            expectEqual(registered?.id, id, 'the id after it was registered again');
            expectEqual(others.length, 0, 'the number of others');
            const text = memberOf(registered, 'transportDocumentHouseLevel.documentNumber');
            expectEqual(text, spelled.documentNumber, 'the text that was sent last');
            const result = await decider(context, declaration)({ routing: 'TO_CONTROL' });
            expectEqual(memberOf(result, 'houseConsignmentId'), id, 'the id of what is decided');
          },
        ]),
      ),
    },
    {
      id: 'REGI-020',
      sentence:
        'Two house documents of one declaration that differ only in spelling are refused, with the field of the second one.',
      sources: [api(PUT), decision(195)],
      needs: ['authority'],
      cases: Object.fromEntries(
        Object.entries(spellings).map(([kind, spell]) => [
          kind,
          async (context: CaseContext) => {
            const declaration = makeDeclaration();
            const { documentNumber, type } = documentOf(declaration);
            const other = { documentNumber: spell(documentNumber), type };
            const response = await context.as('authority').call(PUT, {
              path: { mrn: declaration.mrn },
              json: {
                ...declaration,
                houseConsignments: [
                  ...declaration.houseConsignments,
                  { transportDocumentHouseLevel: other },
                ],
              },
            });
            expectProblem(response, 400, {
              code: 'FORMAT',
              field: 'houseConsignments.1.transportDocumentHouseLevel.documentNumber',
            });
          },
        ]),
      ),
    },
  ],
};
