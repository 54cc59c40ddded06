// Requirements on what public clients of the national service do: each case does what such a client does.
import { type MovementStatus, modes } from '@landfall/contract';
import {
  change,
  HOUSE,
  MASTER,
  makeMovement,
  memberAt,
  undocumented,
} from '../data/movement-messages.js';
import { lodge, mover, tryCancel, tryReplace } from '../data/movements.js';
import type { Caller } from '../http/caller.js';
import { expect, expectEqual, expectStatus } from '../suite/expect.js';
import { type Area, api, national } from '../suite/requirement.js';

const BASE = '/api/movement/road';
const level = 'house-consignment';

/** Sends a message, and reads its status as clients do: any 2xx has one. */
async function send(
  caller: Caller,
  baseUrl: string,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  json?: unknown,
): Promise<MovementStatus> {
  const response = await caller.request(method, `${BASE}/v2/${path}`, { json });
  expectStatus(response, 202);
  const { requestId } = JSON.parse(response.text);
  const [name] = path.split('/');
  const address = `${BASE}/status/v2/${name}/validation-status/${requestId}`;
  const { pathname } = new URL(response.headers.get('location') ?? '', baseUrl);
  expect(pathname.endsWith(address), `Location is ${pathname}`);
  const status = await caller.request('GET', address);
  expect(status.status >= 200 && status.status < 300, `the status is HTTP ${status.status}`);
  return JSON.parse(status.text);
}

/** The texts of the errors of a status. */
const textsOf = ({ validationErrorList = [] }: MovementStatus) =>
  validationErrorList.map(({ description }) => description);

export const movementHabits: Area = {
  name: 'Habits of clients of movement messages',
  requirements: [
    {
      id: 'HABI-001',
      sentence:
        'A client that sends again without a requestId finds "is already in use" in the texts of the errors, and behind it the MRN with which it goes on.',
      sources: [
        api('lodgeHouseConsignment', 'getMovementStatus'),
        national('Movement, validation'),
      ],
      needs: ['presenter'],
      cases: {
        'the answer was lost': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const { baseUrl } = context.settings;
          const message = makeMovement(level, 'road');
          const { mrn } = await send(caller, baseUrl, 'POST', level, message);
          const again = await send(caller, baseUrl, 'POST', level, message);
          expectEqual(again.status, 'FAILURE', 'the status of the second');
          const text = textsOf(again).find((one) => one.includes('is already in use')) ?? '';
          const found = /: ([0-9]{2}[A-Z]{2}[A-Z0-9]{14})$/.exec(text)?.[1];
          expectEqual(found, mrn, `the MRN in "${text}"`);
          const replaced = await send(caller, baseUrl, 'PUT', `${level}/${found}`, message);
          expectEqual(replaced.status, 'SUCCESS', 'the status of the replacement');
        },
      },
    },
    {
      id: 'HABI-002',
      sentence:
        'A client that keeps its first requestId alone reads the MRN with it, whatever was sent since.',
      sources: [api('getMovementStatus'), national('Movement, validation status')],
      needs: ['presenter'],
      cases: {
        'after failures, replacements and the end': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const { baseUrl } = context.settings;
          const message = makeMovement(level, 'road', undocumented);
          const { requestId, mrn = '' } = await send(caller, baseUrl, 'POST', level, message);
          const readFirst = async () => {
            const address = `${BASE}/status/v2/${level}/validation-status/${requestId}`;
            const response = await caller.request('GET', address);
            expectStatus(response, 200);
            return JSON.parse(response.text).mrn;
          };
          await send(caller, baseUrl, 'POST', level, message);
          expectEqual(await readFirst(), mrn, 'the MRN after a failure');
          const own = { mode: 'road', level, mrn } as const;
          await tryReplace(caller, own, change(message, { [`${HOUSE}.totalGrossMass`]: 5 }));
          expectEqual(await readFirst(), mrn, 'the MRN after a replacement');
          await tryCancel(caller, own);
          expectEqual(await readFirst(), mrn, 'the MRN after the end');
        },
      },
    },
    {
      id: 'HABI-003',
      sentence: 'A client that repeats a PUT or a DELETE whose answer was lost gets SUCCESS.',
      sources: [api('replaceHouseConsignment', 'cancelMovement')],
      needs: ['presenter'],
      cases: {
        'each sent three times': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const { baseUrl } = context.settings;
          const message = makeMovement(level, 'road');
          const { mrn } = await lodge(caller, 'road', level, message);
          const next = change(message, { [`${HOUSE}.totalGrossMass`]: 5 });
          for (const method of ['PUT', 'DELETE'] as const) {
            for (let count = 0; count < 3; count++) {
              const json = method === 'PUT' ? next : { documentIssueDate: '2026-05-04T07:00:00Z' };
              const status = await send(caller, baseUrl, method, `${level}/${mrn}`, json);
              expectEqual([status.status, status.mrn], ['SUCCESS', mrn], `of ${method}`);
            }
          }
        },
      },
    },
    {
      id: 'HABI-004',
      sentence:
        'A client that knows the documents of its goods alone finds the MRN by document, type and carrier.',
      sources: [api('listMovements'), national('Movement, look-up of an MRN')],
      needs: ['presenter'],
      cases: {
        'the one that is current': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const message = makeMovement(level, 'road');
          const ended = await lodge(caller, 'road', level, message);
          await tryCancel(caller, ended);
          const { mrn } = await lodge(caller, 'road', level, message);
          const { documentNumber, type } = Object(
            memberAt(message, `${HOUSE}.transportDocumentHouseLevel`),
          );
          const carrierId = String(
            memberAt(message, `${HOUSE}.${MASTER}.carrierIdentificationNumber`),
          );
          const response = await caller.call('listMovements', {
            path: { mode: 'road', version: modes.road.version, level },
            query: { documentNumber, type, carrierId, state: 'CURRENT' },
          });
          expectStatus(response, 200);
          const found = JSON.parse(response.text).map((entry: { mrn: string }) => entry.mrn);
          expectEqual(found, [mrn], 'the MRNs');
        },
      },
    },
    {
      id: 'HABI-005',
      sentence: 'A client that completes its goods reads the reasons until the list is gone.',
      sources: [api('getMovementStatus', 'replaceHouseConsignment')],
      needs: ['presenter'],
      cases: {
        'one reason after the other': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const { baseUrl } = context.settings;
          let message = makeMovement(level, 'road', undocumented);
          const first = await send(caller, baseUrl, 'POST', level, message);
          const house = Object(makeMovement(level, 'road')[HOUSE]);
          const steps: [string, unknown, readonly string[] | undefined][] = [
            [
              'importProcedure',
              house.importProcedure,
              [
                'INCOMPLETE_CUDE_DOCUMENTATION',
                'INCOMPLETE_TRA_DOCUMENTATION',
                'INCOMPLETE_EXP_DOCUMENTATION',
              ],
            ],
            ['previousDocuments', house.previousDocuments, ['INCOMPLETE_EXP_DOCUMENTATION']],
            ['exportFromEU', house.exportFromEU, undefined],
          ];
          expectEqual(
            first.incompleteDocumentationReasonList,
            ['INCOMPLETE_DOCUMENTATION'],
            'the reasons at first',
          );
          for (const [name, value, reasons] of steps) {
            message = change(message, { [`${HOUSE}.${name}`]: value });
            const status = await send(caller, baseUrl, 'PUT', `${level}/${first.mrn}`, message);
            const found = [status.status, status.incompleteDocumentationReasonList];
            expectEqual(found, ['SUCCESS', reasons], `the status with ${name}`);
          }
        },
      },
    },
  ],
};
