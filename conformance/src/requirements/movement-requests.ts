// Requirements on the addresses of movement messages, who may use them, and how a request is answered.
import { randomUUID } from 'node:crypto';
import { formatScope, modes } from '@landfall/contract';
import { makeMovement } from '../data/movement-messages.js';
import {
  byMode,
  cancel,
  levelNames,
  lodge,
  mover,
  outcomeOf,
  pathOf,
  requestIdOf,
  tokenFor,
  tryCancel,
  tryLodge,
  tryRead,
  tryReadStatus,
  tryReplace,
} from '../data/movements.js';
import type { HttpResponse } from '../http/exchange.js';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectEqual, expectProblem, expectSchema, expectStatus } from '../suite/expect.js';
import { type Area, api, national } from '../suite/requirement.js';

/** Expects a 202 whose Location is the address of the status. */
function expectAccepted(
  { settings }: CaseContext,
  response: HttpResponse,
  mode: keyof typeof modes,
  level: string,
): string {
  const requestId = requestIdOf(response);
  expectSchema('lodgeTransport', response);
  const location = response.headers.get('location');
  expect(location !== null, 'there is no Location');
  const { version } = modes[mode];
  const path = `/api/movement/${mode}/status/${version}/${level}/validation-status/${requestId}`;
  expect(
    new URL(location, settings.baseUrl).pathname.endsWith(path),
    `Location is ${location}, expected ${path}`,
  );
  return requestId;
}

const all = api(
  'lodgeTransport',
  'lodgeMasterConsignment',
  'lodgeHouseConsignment',
  'replaceTransport',
  'replaceMasterConsignment',
  'replaceHouseConsignment',
  'cancelMovement',
);

export const movementRequests: Area = {
  name: 'Requests of movement messages',
  requirements: [
    {
      id: 'LODG-001',
      sentence:
        'Lodging, replacing and cancelling are 202 with the requestId, and Location is the address of the status.',
      sources: [all, national('Movement, validation status')],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context);
        for (const level of levelNames) {
          const message = makeMovement(level, mode);
          const lodged = await tryLodge(caller, mode, level, message);
          expectAccepted(context, lodged, mode, level);
          const { mrn = '' } = await outcomeOf(caller, { mode, level }, lodged);
          const place = { mode, level, mrn };
          const replaced = await tryReplace(caller, place, message);
          expectAccepted(context, replaced, mode, level);
          const cancelled = await tryCancel(caller, place);
          expectAccepted(context, cancelled, mode, level);
        }
      }),
    },
    {
      id: 'LODG-002',
      sentence:
        'The status can be read when the 202 arrives: a client that polls through 404 meets none.',
      sources: [all, api('getMovementStatus')],
      needs: ['presenter'],
      cases: {
        'ten times, each message lodged, replaced and cancelled': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const place = { mode: 'road', level: 'house-consignment' } as const;
          for (let count = 0; count < 10; count++) {
            const message = makeMovement(place.level, place.mode);
            const { mrn } = await lodge(caller, place.mode, place.level, message);
            const replaced = await tryReplace(caller, { ...place, mrn }, message);
            expectEqual((await outcomeOf(caller, place, replaced)).status, 'SUCCESS', 'of PUT');
            expectEqual((await cancel(caller, { ...place, mrn })).status, 'SUCCESS', 'of DELETE');
          }
        },
      },
    },
    {
      id: 'LODG-003',
      sentence: 'A mode with another version, another mode and another level are 404.',
      sources: [all, api('getMovement', 'listMovements')],
      needs: ['presenter'],
      cases: {
        ...byMode((mode) => async (context) => {
          const caller = mover(context);
          const other = modes[mode].version === 'v1' ? 'v2' : 'v1';
          for (const version of [other, 'v9']) {
            for (const level of levelNames) {
              const path = { mode, version, level, mrn: '26NO00000000000000' };
              const json = makeMovement(level, mode);
              const requests: [string, string][] = [
                ['POST', '/api/movement/{mode}/{version}/{level}'],
                ['PUT', '/api/movement/{mode}/{version}/{level}/{mrn}'],
              ];
              for (const [method, address] of requests) {
                expectProblem(await caller.request(method, address, { path, json }), 404);
              }
              expectProblem(await caller.call('cancelMovement', { path }), 404);
              expectProblem(await caller.call('getMovement', { path }), 404);
              expectProblem(await caller.call('listMovements', { path }), 404);
              const status = { path: { ...path, requestId: randomUUID() } };
              expectProblem(await caller.call('getMovementStatus', status), 404);
            }
          }
        }),
        'other modes and levels': async (context) => {
          const caller = mover(context);
          for (const path of [
            { mode: 'sea', version: 'v1', level: 'transport' },
            { mode: 'ROAD', version: 'v2', level: 'transport' },
            { mode: 'road', version: 'v2', level: 'container' },
            { mode: 'road', version: 'v2', level: 'House-Consignment' },
          ]) {
            expectProblem(await caller.call('listMovements', { path }), 404);
          }
        },
      },
    },
    {
      id: 'LODG-004',
      sentence:
        'Without the scope of the mode every request is 403 and names that scope, also that for the status of an earlier request.',
      sources: [all, api('getMovement', 'listMovements', 'getMovementStatus')],
      needs: ['presenter'],
      cases: byMode((mode) => async (context) => {
        const caller = mover(context);
        const other = mode === 'road' ? 'air' : 'road';
        const token = await tokenFor(context, 'presenter', modes[other].scope);
        const level = 'house-consignment';
        const message = makeMovement(level, mode);
        const requestId = requestIdOf(await tryLodge(caller, mode, level, message));
        const { mrn = '' } = JSON.parse(
          (await tryReadStatus(caller, { mode, level }, requestId)).text,
        );
        const path = pathOf(mode, { level, mrn, requestId });
        const scope = formatScope(modes[mode].scope, { prefix: context.settings.scopePrefix });
        for (const operationId of [
          'lodgeHouseConsignment',
          'replaceHouseConsignment',
          'cancelMovement',
          'getMovement',
          'listMovements',
          'getMovementStatus',
        ] as const) {
          const hasBody = /^(?:lodge|replace)/.test(operationId);
          const options = { path, token, ...(hasBody && { json: message }) };
          const response = await caller.call(operationId, options);
          expectProblem(response, 403);
          const header = response.headers.get('www-authenticate') ?? '';
          expect(header.includes(`"${scope}"`), `WWW-Authenticate of ${operationId}: ${header}`);
        }
        const own = { path: pathOf(other, { level }), token };
        expectStatus(await caller.call('listMovements', own), 200);
      }),
    },
    {
      id: 'LODG-005',
      sentence:
        'What is unknown, of another level or mode, or of others is 404 in the same words, for reading, replacing and cancelling.',
      sources: [api('getMovement', 'replaceHouseConsignment', 'cancelMovement')],
      needs: ['presenter', 'other'],
      cases: {
        'each of them': async (context) => {
          const [caller, other] = [mover(context), mover(context, 'other')];
          const message = makeMovement('house-consignment', 'road');
          const own = await lodge(caller, 'road', 'house-consignment', message);
          const foreign = await lodge(
            other,
            'road',
            'house-consignment',
            makeMovement('house-consignment', 'road'),
          );
          const elsewhere = [
            await lodge(caller, 'air', 'house-consignment', message),
            await lodge(caller, 'road', 'transport', makeMovement('transport', 'road')),
            await lodge(
              caller,
              'road',
              'master-consignment',
              makeMovement('master-consignment', 'road'),
            ),
          ];
          const mrns = ['26NO00000000000000', foreign.mrn, ...elsewhere.map(({ mrn }) => mrn)];
          for (const send of [
            (place: typeof own) => tryRead(caller, place),
            (place: typeof own) => tryReplace(caller, place, message),
            (place: typeof own) => tryCancel(caller, place),
          ]) {
            const words = new Set<string>();
            for (const mrn of mrns) {
              const response = await send({ ...own, mrn });
              expectProblem(response, 404);
              const { instance: _, ...problem } = JSON.parse(response.text);
              words.add(JSON.stringify(problem).replaceAll(mrn, 'MRN'));
            }
            expectEqual(words.size, 1, `the number of different words: ${[...words].join(' ')}`);
          }
          expectStatus(await tryRead(caller, own), 200);
          expectStatus(await tryRead(other, foreign), 200);
        },
      },
    },
    {
      id: 'LODG-006',
      sentence: 'A foreign business lodges with the eu/ form of the scope of the mode.',
      sources: [all, national('Access, foreign businesses')],
      needs: ['foreign'],
      cases: byMode(
        (mode) => async (context) => {
          const caller = mover(context, 'foreign', [mode]);
          for (const level of levelNames) {
            const place = await lodge(caller, mode, level, makeMovement(level, mode));
            expectStatus(await tryRead(caller, place), 200);
          }
        },
        ['road', 'air'],
      ),
    },
    {
      id: 'LODG-007',
      sentence:
        'test-auth is at the address of every mode, and 200 with any customs token; with another version it is 404.',
      sources: [api('testAuth'), national('Access, test of a token')],
      needs: ['presenter', 'reader'],
      cases: byMode((mode) => async (context) => {
        const read = (version: string) =>
          context.as('reader').request('GET', '/api/movement/{mode}/{version}/test-auth', {
            path: { mode, version },
          });
        const { version } = modes[mode];
        expectStatus(await read(version), 200);
        expectProblem(await read(version === 'v1' ? 'v2' : 'v1'), 404);
      }),
    },
  ],
};
