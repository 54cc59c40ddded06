// Requirements on the ids of requests of movement messages, and on what is refused at once.
import { randomUUID } from 'node:crypto';
import { isUuid } from '@landfall/contract';
import { change, HOUSE, MASTER, MEANS, makeMovement } from '../data/movement-messages.js';
import {
  brokenRules,
  cancel,
  errorsAtOnce,
  expectBroken,
  levelNames,
  lodge,
  lodgeForStatus,
  mover,
  outcomeOf,
  pathOf,
  readMovement,
  readOutcome,
  requestIdOf,
  tryCancel,
  tryLodge,
  tryReadStatus,
  tryReplace,
} from '../data/movements.js';
import { expect, expectEqual, expectProblem, expectStatus } from '../suite/expect.js';
import { type Area, api, national } from '../suite/requirement.js';

const level = 'house-consignment';
const place = { mode: 'road', level } as const;
const lodging = api('lodgeTransport', 'lodgeMasterConsignment', 'lodgeHouseConsignment');

/** A new house consignment by road, with a requestId. */
const withId = (requestId: unknown) => ({ ...makeMovement(level, 'road'), requestId });

const address = (path: string) => [
  `${path}.address`,
  `${path}.address.city`,
  `${path}.address.country`,
  `${path}.address.postcode`,
];
const party = (path: string) => [path, `${path}.name`, `${path}.typeOfPerson`, ...address(path)];
const document = (path: string) => [path, `${path}.documentNumber`, `${path}.type`];

/** What an empty body lacks. */
const mandatory = {
  transport: [
    'documentIssueDate',
    MEANS,
    `${MEANS}.identificationNumber`,
    `${MEANS}.typeOfIdentification`,
    `${MEANS}.modeOfTransportCode`,
    `${MEANS}.typeOfMeansOfTransport`,
    `${MEANS}.countryCode`,
    `${MEANS}.operator`,
    `${MEANS}.operator.name`,
    `${MEANS}.operator.communication`,
    'carrier',
    'carrier.name',
    'carrier.identificationNumber',
    'carrier.address',
    'carrier.address.city',
    'carrier.address.country',
    'customsOfficeOfFirstEntry',
    'customsOfficeOfFirstEntry.referenceNumber',
    'estimatedDateAndTimeOfArrival',
    'scheduledDateAndTimeOfArrival',
  ],
  'master-consignment': [
    'documentIssueDate',
    MASTER,
    `${MASTER}.containerIndicator`,
    `${MASTER}.grossMass`,
    `${MASTER}.carrier`,
    `${MASTER}.carrier.identificationNumber`,
    ...document(`${MASTER}.transportDocumentMasterLevel`),
    ...party(`${MASTER}.consignor`),
    ...party(`${MASTER}.consignee`),
  ],
  'house-consignment': [
    'documentIssueDate',
    HOUSE,
    ...document(`${HOUSE}.transportDocumentHouseLevel`),
    `${HOUSE}.containerIndicator`,
    `${HOUSE}.totalGrossMass`,
    `${HOUSE}.numberOfPackages`,
    `${HOUSE}.goodsDescription`,
    ...party(`${HOUSE}.consignor`),
    ...party(`${HOUSE}.consignee`),
  ],
};

export const movementRequestIds: Area = {
  name: 'Ids of requests of movement messages',
  requirements: [
    {
      id: 'LODG-011',
      sentence:
        'A message that is refused at once is 400: nothing is stored, there is no status, and its requestId is not used.',
      sources: [lodging, api('getMovementStatus', 'listMovementStatuses')],
      needs: ['presenter'],
      cases: {
        'a body without goods, and then a good one': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const requestId = randomUUID();
          const message = withId(requestId);
          const broken = { ...message, documentIssueDate: 'today' };
          expectProblem(await tryLodge(caller, 'road', level, broken), 400, {
            code: 'FORMAT',
            field: 'documentIssueDate',
          });
          expectProblem(await tryReadStatus(caller, place, requestId), 404);
          const response = await tryLodge(caller, 'road', level, message);
          expectEqual(requestIdOf(response), requestId, 'requestId');
          expectEqual((await readOutcome(caller, place, requestId)).status, 'SUCCESS', 'status');
        },
        'a replacement, and then a good one': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const message = makeMovement(level, 'road');
          const own = await lodge(caller, 'road', level, message);
          const requestId = randomUUID();
          const before = await readMovement(caller, own);
          const broken = { ...message, requestId, documentIssueDate: null };
          expectProblem(await tryReplace(caller, own, broken), 400, { code: 'REQUIRED' });
          expectProblem(await tryReadStatus(caller, place, requestId), 404);
          expectEqual(await readMovement(caller, own), before, 'the message');
          const response = await tryReplace(caller, own, { ...message, requestId });
          expectEqual((await outcomeOf(caller, own, response)).status, 'SUCCESS', 'status');
        },
      },
    },
    {
      id: 'LODG-012',
      sentence:
        'An empty body is refused with everything that it needs, what is below a missing object too.',
      sources: [lodging],
      needs: ['presenter'],
      cases: Object.fromEntries(
        levelNames.map((name) => [
          name,
          async (context) => {
            const caller = mover(context, 'presenter', ['road']);
            const errors = errorsAtOnce(await tryLodge(caller, 'road', name, {}));
            const fields = errors.map(({ field }) => field).sort();
            expectEqual(fields, [...mandatory[name]].sort(), 'the members that are needed');
            for (const { error, code } of errors) {
              expectEqual([error, code], ['must not be null', 'REQUIRED'], 'the error');
            }
          },
        ]),
      ),
    },
    {
      id: 'LODG-013',
      sentence:
        'The service makes the requestId; a UUID in the body is the requestId; any other value is ignored, as are userId and mrn.',
      sources: [
        lodging,
        api('cancelMovement'),
        national('Movement, members that the service sets'),
      ],
      needs: ['presenter'],
      cases: {
        'none, and one that is no UUID': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const ids = new Set<string>();
          for (const given of [undefined, null, '', '17', 17, true, {}, ['a']]) {
            const requestId = requestIdOf(await tryLodge(caller, 'road', level, withId(given)));
            expect(isUuid(requestId), `requestId is ${requestId}`);
            ids.add(requestId);
          }
          expectEqual(ids.size, 8, 'the number of requestIds');
        },
        'one of its own when lodging, replacing and cancelling': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
          const message = withId(first);
          const lodged = await tryLodge(caller, 'road', level, message);
          expectEqual(requestIdOf(lodged), first, 'requestId of POST');
          const own = { ...place, mrn: (await outcomeOf(caller, place, lodged)).mrn ?? '' };
          const replaced = await tryReplace(caller, own, { ...message, requestId: second });
          expectEqual(requestIdOf(replaced), second, 'requestId of PUT');
          const cancelled = await tryCancel(caller, own, { json: { requestId: third } });
          expectEqual(requestIdOf(cancelled), third, 'requestId of DELETE');
        },
        'userId and mrn': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const mrn = '26NO7K2M4Q9XWR5HT0';
          const message = { ...makeMovement(level, 'road'), userId: 'somebody', mrn };
          const status = await lodgeForStatus(caller, 'road', level, message);
          expectEqual(status.status, 'SUCCESS', 'status');
          expect(status.mrn !== mrn, 'the mrn of the body is that of the message');
        },
      },
    },
    {
      id: 'LODG-014',
      sentence:
        'A requestId is used once in an organisation, in all modes and levels and by a refusal too; again it is REQUEST_ID_REUSED and changes nothing.',
      sources: [lodging, api('cancelMovement')],
      needs: ['presenter', 'other'],
      cases: {
        'in another mode, at another level, for PUT and DELETE': async (context) => {
          const caller = mover(context);
          const requestId = randomUUID();
          const message = withId(requestId);
          const own = await lodge(caller, 'road', level, message);
          const reused = { code: 'REQUEST_ID_REUSED', field: 'requestId' } as const;
          const again = await tryLodge(caller, 'road', level, withId(requestId));
          expectProblem(again, 400, reused);
          const air = await tryLodge(caller, 'air', level, withId(requestId));
          expectProblem(air, 400, reused);
          const transport = { ...makeMovement('transport', 'road'), requestId };
          expectProblem(await tryLodge(caller, 'road', 'transport', transport), 400, reused);
          expectProblem(await tryReplace(caller, own, message), 400, reused);
          expectProblem(await tryCancel(caller, own, { json: { requestId } }), 400, reused);
          expectEqual((await readMovement(caller, own)).state, 'CURRENT', 'state');
          const status = await readOutcome(caller, place, requestId);
          expectEqual([status.operation, status.mrn], ['LODGE', own.mrn], 'the status');
        },
        'after a status that is FAILURE': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const requestId = randomUUID();
          const message = withId(requestId);
          const broken = change(message, { [`${HOUSE}.containerIndicator`]: '7' });
          const status = await lodgeForStatus(caller, 'road', level, broken);
          expectBroken(brokenRules(status), 'UNKNOWN_CODE', `${HOUSE}.containerIndicator`);
          const again = await tryLodge(caller, 'road', level, message);
          expectProblem(again, 400, { code: 'REQUEST_ID_REUSED', field: 'requestId' });
        },
        'in capital letters': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const requestId = randomUUID();
          await lodge(caller, 'road', level, withId(requestId));
          const again = await tryLodge(caller, 'road', level, withId(requestId.toUpperCase()));
          expectProblem(again, 400, { code: 'REQUEST_ID_REUSED' });
        },
        'another organisation may use it': async (context) => {
          const requestId = randomUUID();
          await lodge(mover(context), 'road', level, withId(requestId));
          await lodge(mover(context, 'other'), 'road', level, withId(requestId));
        },
        'two at the same moment: one of them wins': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const requestId = randomUUID();
          const responses = await Promise.all(
            Array.from({ length: 4 }, () => tryLodge(caller, 'road', level, withId(requestId))),
          );
          const statuses = responses.map(({ status }) => status).sort();
          expectEqual(statuses, [202, 400, 400, 400], 'the statuses');
        },
      },
    },
    {
      id: 'LODG-015',
      sentence:
        'With a requestId of its own, a client reads whether a request without an answer was stored.',
      sources: [lodging, api('getMovementStatus')],
      needs: ['presenter'],
      cases: {
        'before and after': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const requestId = randomUUID();
          expectProblem(await tryReadStatus(caller, place, requestId), 404);
          expectStatus(await tryLodge(caller, 'road', level, withId(requestId)), 202);
          expectEqual((await readOutcome(caller, place, requestId)).status, 'SUCCESS', 'status');
        },
      },
    },
    {
      id: 'LODG-016',
      sentence: 'The body of a cancellation may be absent, and is read whatever Content-Type says.',
      sources: [api('cancelMovement')],
      needs: ['presenter'],
      cases: Object.fromEntries(
        (
          [
            ['no body', () => ({})],
            ['no body, as JSON', () => ({ headers: { 'content-type': 'application/json' } })],
            ['no body, as a form', () => ({ headers: { 'content-type': 'text/plain' } })],
            ['a date', () => ({ json: { documentIssueDate: '2026-05-04T07:00:00Z' } })],
            ['a text', (raw: string) => ({ raw, type: 'text/plain' })],
            ['XML', (raw: string) => ({ raw, type: 'application/xml' })],
            ['a form', (raw: string) => ({ raw, type: 'application/x-www-form-urlencoded' })],
            [
              'another character set',
              (raw: string) => ({ raw, type: 'application/json; charset=utf-8' }),
            ],
          ] as const
        ).map(([name, make]) => [
          name,
          async (context) => {
            const caller = mover(context, 'presenter', ['road']);
            const own = await lodge(caller, 'road', level, makeMovement(level, 'road'));
            const requestId = randomUUID();
            const body = JSON.stringify({ documentIssueDate: '2026-05-04T07:00:00Z', requestId });
            const options = make(body);
            const response = await tryCancel(caller, own, options);
            const status = await outcomeOf(caller, own, response);
            expectEqual(status.status, 'SUCCESS', 'status');
            if ('raw' in options) expectEqual(status.requestId, requestId, 'requestId');
            expectEqual((await readMovement(caller, own)).state, 'CANCELLED', 'state');
          },
        ]),
      ),
    },
    {
      id: 'LODG-017',
      sentence: 'A body over the limit is 413: 2 MiB for a transport, 512 KiB at the other levels.',
      sources: [lodging],
      needs: ['presenter'],
      cases: Object.fromEntries(
        levelNames.map((name) => [
          name,
          async (context) => {
            const caller = mover(context, 'presenter', ['road']);
            const most = name === 'transport' ? 2 ** 21 : 2 ** 19;
            const send = (bytes: number) => {
              const raw = JSON.stringify(makeMovement(name, 'road')).padEnd(bytes, ' ');
              return tryLodge(caller, 'road', name, undefined, { path: pathOf('road'), raw });
            };
            expectProblem(await send(most + 1), 413);
            expectStatus(await send(most), 202);
          },
        ]),
      ),
    },
    {
      id: 'LODG-018',
      sentence:
        'A cancelled message keeps its status and its MRN: a request about it is never forgotten.',
      sources: [api('getMovementStatus')],
      needs: ['presenter'],
      cases: {
        'the first request, after the end': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const requestId = randomUUID();
          const own = await lodge(caller, 'road', level, withId(requestId));
          const before = await readOutcome(caller, place, requestId);
          await cancel(caller, own);
          expectEqual(await readOutcome(caller, place, requestId), before, 'the status');
        },
      },
    },
  ],
};
