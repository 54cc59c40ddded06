// Requirements on routing decisions.
import { RoutingDecisionResult } from '@landfall/contract';
import { documentOf, makeDeclaration, put, register } from '../data/goods.js';
import { present } from '../data/presentations.js';
import { memberOf, readSignals } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  expectValid,
  readJson,
  readLines,
} from '../suite/expect.js';
import { type Area, api } from '../suite/requirement.js';

const POST = 'postRoutingDecisions';

const decisionOn = (
  declaration: ReturnType<typeof makeDeclaration>,
  more: Record<string, unknown> = {},
) => ({
  mrn: declaration.mrn,
  transportDocumentHouseLevel: documentOf(declaration),
  routing: 'TO_ENTRY',
  ...more,
});

/** Posts decisions as an array, and returns the results. */
async function post(context: CaseContext, decisions: readonly unknown[]): Promise<unknown[]> {
  const response = await context.as('authority').call(POST, { json: decisions });
  expectStatus(response, 200);
  expectSchema(POST, response);
  const results = readJson(response);
  expect(Array.isArray(results), 'the results are not an array');
  return results;
}

const statusesOf = (results: readonly unknown[]) =>
  results.map((result) => memberOf(result, 'status'));

export const decisions: Area = {
  name: 'Routing decisions',
  requirements: [
    {
      id: 'DECI-001',
      sentence:
        'Each decision has its own result, in order; one that is refused does not affect the others.',
      sources: [api(POST)],
      needs: ['authority'],
      cases: {
        'a mixture': async (context) => {
          const first = await register(context, { houses: [{}] });
          const second = await register(context, { houses: [{}] });
          const results = await post(context, [
            decisionOn(first),
            decisionOn(first),
            decisionOn(makeDeclaration()),
            decisionOn(second, { routing: 'ELSEWHERE' }),
            decisionOn(second, { routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' }),
            decisionOn(second, { routing: 'TO_ENTRY', routingControlLocation: 'ON_ENTRY' }),
          ]);
          expectEqual(
            statusesOf(results),
            ['DECIDED', 'UNCHANGED', 'REFUSED', 'REFUSED', 'DECIDED', 'REFUSED'],
            'the results',
          );
          const codes = results.map((result) => memberOf(result, 'validationErrors.0.code'));
          expectEqual([codes[2], codes[3]], ['REFERENCE_NOT_FOUND', 'UNKNOWN_CODE'], 'the codes');
          expectEqual(
            results.map((result) => memberOf(result, 'line')),
            [1, 2, 3, 4, 5, 6],
            'line',
          );
        },
      },
    },
    {
      id: 'DECI-002',
      sentence:
        'A document under two declarations is REFERENCE_AMBIGUOUS without mrn, and decided with it.',
      sources: [api(POST)],
      needs: ['authority'],
      cases: {
        'without and with mrn': async (context) => {
          const first = await register(context, { houses: [{}] });
          const second = makeDeclaration({
            houses: [{ transportDocumentHouseLevel: documentOf(first) }],
          });
          await put(context, second);
          const results = await post(context, [
            decisionOn(first, { mrn: undefined }),
            decisionOn(second),
          ]);
          expectEqual(statusesOf(results), ['REFUSED', 'DECIDED'], 'the results');
          const code = memberOf(results[0], 'validationErrors.0.code');
          expectEqual(code, 'REFERENCE_AMBIGUOUS', 'the code');
        },
      },
    },
    {
      id: 'DECI-003',
      sentence:
        'A result says to how many organisations a signal was issued, and the signals can be read when it arrives.',
      sources: [api(POST)],
      needs: ['authority', 'presenter', 'other'],
      cases: {
        'presented by one organisation for another': async (context) => {
          const declaration = await register(context, {
            houses: [{}],
            declarant: context.identity('other').organisation,
          });
          const undecided = await post(context, [decisionOn(declaration)]);
          expectEqual(memberOf(undecided[0], 'signals'), 0, 'signals before it is presented');
          await present(context.as('presenter'), 'entry-summary-declaration', {
            mrn: declaration.mrn,
          });
          const [changed] = await post(context, [
            decisionOn(declaration, { routing: 'TO_CONTROL' }),
          ]);
          expectEqual(memberOf(changed, 'signals'), 2, 'signals after it is presented');
          for (const role of ['presenter', 'other'] as const) {
            const signals = await readSignals(context, role, declaration.mrn);
            expectEqual(signals.length, 2, `the signals of the ${role}`);
          }
        },
      },
    },
    {
      id: 'DECI-004',
      sentence:
        'Decisions as lines have one result a line; Accept determines the form of the response.',
      sources: [api(POST)],
      needs: ['authority'],
      cases: {
        'lines and their results': async (context) => {
          const declaration = await register(context, { houses: [{}] });
          const raw = [
            decisionOn(declaration),
            '{',
            decisionOn(declaration, { routing: 'TO_CONTROL' }),
          ]
            .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
            .join('\n');
          const authority = context.as('authority');
          const response = await authority.call(POST, { raw, type: 'application/x-ndjson' });
          expectStatus(response, 200);
          const results = readLines(response);
          for (const result of results) expectValid(RoutingDecisionResult, result, 'a result');
          expectEqual(statusesOf(results), ['DECIDED', 'REFUSED', 'DECIDED'], 'the results');
        },
        'an array whose results are requested as lines': async (context) => {
          const declaration = await register(context, { houses: [{}] });
          const response = await context.as('authority').call(POST, {
            json: [decisionOn(declaration)],
            headers: { accept: 'application/x-ndjson' },
          });
          expectStatus(response, 200);
          expectEqual(statusesOf(readLines(response)), ['DECIDED'], 'the results');
        },
      },
    },
    {
      id: 'DECI-005',
      sentence: 'A body that is not a list of 1 to 2000 decisions is refused as a whole.',
      sources: [api(POST)],
      needs: ['authority'],
      cases: {
        'an empty array': async (context) => {
          expectProblem(await context.as('authority').call(POST, { json: [] }), 400);
        },
        'an object': async (context) => {
          const json = decisionOn(await register(context));
          expectProblem(await context.as('authority').call(POST, { json }), 400);
        },
      },
    },
  ],
};
