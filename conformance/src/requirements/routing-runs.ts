// Requirements on routing runs: what they select, decide, list and reverse.
import { setTimeout as delay } from 'node:timers/promises';
import { decide, documentOf, register } from '../data/goods.js';
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
import { type Area, api, decision, rfc } from '../suite/requirement.js';

const CREATE = 'createRoutingRun';
const GET = 'getRoutingRun';
const CHANGE = 'changeRoutingRun';
const RESULTS = 'listRoutingRunResults';
const REVERSE = 'reverseRoutingRun';

/** How often a run is read while its end is waited for, in milliseconds. */
const POLL_MS = 100;

type Members = Record<string, unknown>;

/** Creates a run, or its reversal, and waits until it is completed. */
async function carryOut(context: CaseContext, members: Members, reverses?: string) {
  const authority = context.as('authority');
  const json = { reason: 'conformance', ...members };
  const created =
    reverses === undefined
      ? await authority.call(CREATE, { json })
      : await authority.call(REVERSE, { json, path: { id: reverses } });
  expectStatus(created, 201);
  expectSchema(reverses === undefined ? CREATE : REVERSE, created);
  const id = String(readObject(created).id);
  for (;;) {
    const response = await authority.call(GET, { path: { id } });
    expectStatus(response, 200);
    expectSchema(GET, response);
    const run = readObject(response);
    expectEqual(response.headers.get('etag'), run.etag, 'the ETag');
    if (run.state === 'COMPLETED') return { id, run, etag: String(run.etag) };
    await delay(POLL_MS, undefined, { signal: context.signal });
  }
}

/** The document, the status and the routings before and after of each result. */
async function outcomesOf(context: CaseContext, id: string) {
  const response = await context.as('authority').call(RESULTS, { path: { id } });
  expectStatus(response, 200);
  expectSchema(RESULTS, response);
  // The cast is true because the response has the schema.
  return (readJson(response) as unknown[]).map((result) => [
    memberOf(result, 'transportDocumentHouseLevel.documentNumber'),
    memberOf(result, 'status'),
    memberOf(result, 'before.routing'),
    memberOf(result, 'after.routing'),
  ]);
}

export const routingRuns: Area = {
  name: 'Routing runs',
  requirements: [
    {
      id: 'DECI-018',
      sentence:
        'A run decides on the house consignments that its filters select, and on no other, and its results say what was before and after.',
      sources: [api(CREATE, GET, RESULTS), decision(185)],
      needs: ['authority'],
      cases: {
        'the undecided goods of a declaration': async (context) => {
          const declaration = await register(context, {
            houses: [{}, { routing: 'TO_CONTROL' }],
          });
          const { mrn } = declaration;
          const select = { mrn, state: 'PRE_NOTIFIED' };
          const { id, run } = await carryOut(context, { select, routing: 'TO_ENTRY' });
          expectEqual(
            [run.houseConsignments, run.decided, run.pending],
            [1, 1, 0],
            'houseConsignments, decided and pending',
          );
          const { documentNumber } = documentOf(declaration);
          expectEqual(
            await outcomesOf(context, id),
            [[documentNumber, 'DECIDED', undefined, 'TO_ENTRY']],
            'the results',
          );
        },
        'a filter that does not exist': async (context) => {
          const json = { select: { ofice: 'NO351001' }, routing: 'TO_ENTRY', reason: 'r' };
          const response = await context.as('authority').call(CREATE, { json });
          expectProblem(response, 400, { field: 'select.ofice', code: 'UNKNOWN_MEMBER' });
        },
      },
    },
    {
      id: 'DECI-019',
      sentence:
        'A preview changes nothing, and a run of which the count is not the expected one is not created.',
      sources: [api(CREATE, 'listRoutingRuns'), decision(185)],
      needs: ['authority'],
      cases: {
        'a preview, another count, and the same count': async (context) => {
          const { mrn } = await register(context, { houses: [{}, {}] });
          const authority = context.as('authority');
          const run = { select: { mrn }, routing: 'TO_CONTROL', reason: 'conformance' };
          const preview = await authority.call(CREATE, { json: { ...run, preview: true } });
          expectStatus(preview, 200);
          expectSchema(CREATE, preview);
          expectEqual(readObject(preview).count, 2, 'count');
          const other = await authority.call(CREATE, { json: { ...run, expectedCount: 3 } });
          expectProblem(other, 400, { field: 'expectedCount', code: 'COUNT_DIFFERS' });
          const select = { mrn, state: 'PRE_NOTIFIED' };
          const { run: made } = await carryOut(context, { ...run, select, expectedCount: 2 });
          expectEqual(made.decided, 2, 'decided');
          const listed = await authority.call('listRoutingRuns', {
            query: { state: 'COMPLETED' },
          });
          expectStatus(listed, 200);
          expectSchema('listRoutingRuns', listed);
        },
      },
    },
    {
      id: 'DECI-020',
      sentence: 'A run that has ended is not changed any more.',
      sources: [api(CHANGE), decision(185)],
      needs: ['authority'],
      cases: {
        'pausing a completed run': async (context) => {
          const { mrn } = await register(context, { houses: [{}] });
          const { id, etag } = await carryOut(context, { select: { mrn }, routing: 'TO_ENTRY' });
          const headers = { 'if-match': etag };
          const response = await context
            .as('authority')
            .call(CHANGE, { path: { id }, json: { state: 'PAUSED' }, headers });
          expectProblem(response, 400, { field: 'state', code: 'RUN_STATE' });
        },
      },
    },
    {
      id: 'DECI-023',
      sentence: 'The state of a run is changed only as it was read.',
      sources: [api(CHANGE), rfc(9110, '13.1.1'), rfc(6585, '3'), decision(193)],
      needs: ['authority'],
      cases: {
        'without an entity tag, with every one, and with that of another state': async (
          context,
        ) => {
          const { mrn } = await register(context, { houses: [{}] });
          const { id } = await carryOut(context, { select: { mrn }, routing: 'TO_ENTRY' });
          const pause = (headers: Record<string, string>) =>
            context
              .as('authority')
              .call(CHANGE, { path: { id }, json: { state: 'PAUSED' }, headers });
          expectProblem(await pause({}), 428);
          expectProblem(await pause({ 'if-match': '*' }), 400, {
            field: 'If-Match',
            code: 'FORMAT',
          });
          expectProblem(await pause({ 'if-match': '"conformance-nothing"' }), 412);
        },
      },
    },
    {
      id: 'DECI-021',
      sentence:
        'A reversal decides again what was before the run, except where somebody has decided since.',
      sources: [api(REVERSE), decision(185)],
      needs: ['authority'],
      cases: {
        'decided before, undecided before, and decided since': async (context) => {
          const declaration = await register(context, {
            houses: [{ routing: 'TO_CONTROL' }, {}, {}],
          });
          const { mrn } = declaration;
          const { id } = await carryOut(context, { select: { mrn }, routing: 'TO_ENTRY' });
          await decide(context, declaration, 'TO_CONTROL', 2);
          const { id: reversal, run } = await carryOut(context, {}, id);
          expectEqual(run.reverses, id, 'reverses');
          const number = (index: number) => documentOf(declaration, index).documentNumber;
          const outcomes = await outcomesOf(context, reversal);
          expectEqual(
            outcomes.sort(),
            [
              [number(0), 'DECIDED', 'TO_ENTRY', 'TO_CONTROL'],
              [number(1), 'DECIDED', 'TO_ENTRY', 'UNDECIDED'],
              [number(2), 'CONFLICT', 'TO_ENTRY', undefined],
            ].sort(),
            'the results',
          );
        },
      },
    },
  ],
};
