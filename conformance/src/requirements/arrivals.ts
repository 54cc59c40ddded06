// Requirements on the arrival of transports: what it presents, and when it is refused.
import { MovementStatus } from '@landfall/contract';
import { lodgeHouse, lodgeMaster, lodgeTransport, OFFICE, reporter } from '../data/arrivals.js';
import { decideOn, expectSignals, lodgeGoods, signalsOf } from '../data/lodged-goods.js';
import { fromNow, MEANS, memberAt } from '../data/movement-messages.js';
import {
  brokenRules,
  cancel,
  errorsAtOnce,
  mover,
  type Place,
  requestIdOf,
} from '../data/movements.js';
import type { Caller } from '../http/caller.js';
import type { HttpResponse } from '../http/exchange.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectStatus,
  expectValid,
  readObject,
} from '../suite/expect.js';
import { type Area, api, national } from '../suite/requirement.js';

const MINUTE_MS = 60_000;

function tryReport(
  caller: Caller,
  { mrn }: Pick<Place, 'mrn'>,
  more: Record<string, unknown> = {},
): Promise<HttpResponse> {
  const json = {
    mrn,
    dateAndTimeOfArrival: fromNow(-MINUTE_MS),
    customsOfficeOfArrival: { referenceNumber: OFFICE },
    ...more,
  };
  return caller.call('reportArrival', { json });
}

/** Reports an arrival, and returns the status. */
async function report(
  caller: Caller,
  place: Pick<Place, 'mrn'>,
  more: Record<string, unknown> = {},
): Promise<MovementStatus> {
  const requestId = requestIdOf(await tryReport(caller, place, more));
  const response = await caller.call('getArrivalStatus', { path: { requestId } });
  expectStatus(response, 200);
  const status = readObject(response);
  expectValid(MovementStatus, status, 'the status');
  // The cast is true because the status has just been checked.
  return status as MovementStatus;
}

const reporting = api('reportArrival');
const statuses = api('getArrivalStatus');

export const arrivals: Area = {
  name: 'Arrivals',
  requirements: [
    {
      id: 'ARRV-001',
      sentence:
        'An arrival has a status of the level ARRIVAL, with the MRN and the mode of the transport.',
      sources: [reporting, statuses, national('Transport arrival')],
      needs: ['presenter'],
      cases: {
        'of an own transport': async (context) => {
          const caller = reporter(context);
          const transport = await lodgeTransport(caller);
          const { status, level, mode, mrn, operation } = await report(caller, transport);
          expectEqual(
            [status, level, mode, mrn, operation],
            ['SUCCESS', 'ARRIVAL', 'road', transport.mrn, 'LODGE'],
            'the status',
          );
        },
      },
    },
    {
      id: 'ARRV-002',
      sentence:
        'An arrival presents what the transport reaches: signals that are decided can be read when the response arrives, and none before.',
      sources: [reporting, national('Transport arrival')],
      needs: ['presenter', 'authority'],
      cases: {
        'a house consignment under a master consignment': async (context) => {
          const caller = reporter(context);
          const transport = await lodgeTransport(caller);
          await lodgeMaster(caller, transport.document);
          const goods = await lodgeHouse(caller, transport.document);
          await decideOn(context, goods, 'TO_CONTROL');
          await expectSignals(context, 'presenter', goods);
          await report(caller, transport);
          await expectSignals(context, 'presenter', goods, 'TO_CONTROL');
        },
      },
    },
    {
      id: 'ARRV-003',
      sentence:
        'The signals of goods that arrived have the times and the means of transport of the transport.',
      sources: [reporting, api('readRoutingSignals')],
      needs: ['presenter', 'authority'],
      cases: {
        'of one transport': async (context) => {
          const caller = reporter(context);
          const transport = await lodgeTransport(caller);
          await lodgeMaster(caller, transport.document);
          const goods = await lodgeHouse(caller, transport.document);
          await decideOn(context, goods, 'TO_ENTRY');
          await report(caller, transport);
          const [signal] = await signalsOf(context, 'presenter', goods);
          const sent = (path: string) => memberAt(transport.message, path);
          expectEqual(
            [
              signal?.estimatedTimeOfArrival,
              signal?.scheduledTimeOfArrival,
              memberAt(signal, 'activeBorderTransportMeans.identificationNumber'),
            ],
            [
              sent('estimatedDateAndTimeOfArrival'),
              sent('scheduledDateAndTimeOfArrival'),
              sent(`${MEANS}.identificationNumber`),
            ],
            'what the signal says of the transport',
          );
        },
      },
    },
    {
      id: 'ARRV-004',
      sentence:
        'What is lodged after the arrival and is reached is presented when its response arrives.',
      sources: [reporting],
      needs: ['presenter', 'authority'],
      cases: {
        'a late house consignment': async (context) => {
          const caller = reporter(context);
          const transport = await lodgeTransport(caller);
          await lodgeMaster(caller, transport.document);
          await report(caller, transport);
          const goods = await lodgeHouse(caller, transport.document);
          // Presented goods are not cancelled.
          const broken = brokenRules(await cancel(caller, goods));
          expectEqual(
            broken.map(({ code }) => code),
            ['PRESENTED'],
            'why it is not cancelled',
          );
        },
      },
    },
    {
      id: 'ARRV-005',
      sentence:
        'An office that is not in CL141, a time out of range, and a transport that has ended are refused by the status.',
      sources: [reporting],
      needs: ['presenter'],
      cases: Object.fromEntries(
        (
          [
            [
              'an unknown office',
              'UNKNOWN_CODE',
              () => ({ customsOfficeOfArrival: { referenceNumber: 'NO000000' } }),
            ],
            [
              'a time ahead',
              'TIME_OUT_OF_RANGE',
              () => ({ dateAndTimeOfArrival: fromNow(15 * MINUTE_MS) }),
            ],
            [
              'a time long ago',
              'TIME_OUT_OF_RANGE',
              () => ({ dateAndTimeOfArrival: fromNow(-73 * 60 * MINUTE_MS) }),
            ],
            ['a cancelled transport', 'NOT_CURRENT', () => ({})],
          ] as const
        ).map(([name, code, more]) => [
          name,
          async (context: CaseContext) => {
            const caller = reporter(context);
            const transport = await lodgeTransport(caller);
            if (code === 'NOT_CURRENT') await cancel(caller, transport);
            const broken = brokenRules(await report(caller, transport, more()));
            expect(
              broken.some((one) => one.code === code),
              `no error ${code}: ${JSON.stringify(broken)}`,
            );
          },
        ]),
      ),
    },
    {
      id: 'ARRV-006',
      sentence:
        'The same arrival again is SUCCESS and changes nothing; another time or office is ALREADY_ARRIVED.',
      sources: [reporting],
      needs: ['presenter'],
      cases: {
        'reported three times': async (context) => {
          const caller = reporter(context);
          const transport = await lodgeTransport(caller);
          const dateAndTimeOfArrival = fromNow(-5 * MINUTE_MS);
          for (const _ of ['first', 'again']) {
            const { status } = await report(caller, transport, { dateAndTimeOfArrival });
            expectEqual(status, 'SUCCESS', 'the status');
          }
          const broken = brokenRules(await report(caller, transport));
          expectEqual(
            broken.map(({ code }) => code),
            ['ALREADY_ARRIVED'],
            'why another time is refused',
          );
        },
      },
    },
    {
      id: 'ARRV-007',
      sentence:
        'To whoever has not lodged the transport, and is neither its representative nor its carrier, it is unknown: 404.',
      sources: [reporting],
      needs: ['presenter', 'other'],
      cases: {
        'an MRN that nobody has, and no transport': async (context) => {
          const caller = reporter(context);
          expectProblem(await tryReport(caller, { mrn: '26NO000000000000T0' }), 404);
          expectProblem(await tryReport(caller, await lodgeGoods(caller)), 404);
        },
        'the transport of another organisation': async (context) => {
          const other = mover(context, 'other', ['road']);
          expectProblem(await tryReport(reporter(context), await lodgeTransport(other)), 404);
        },
      },
    },
    {
      id: 'ARRV-008',
      sentence:
        'What a report lacks is refused at once, member by member, and spends no requestId.',
      sources: [reporting],
      needs: ['presenter'],
      cases: {
        'an empty body': async (context) => {
          const caller = reporter(context);
          const transport = await lodgeTransport(caller);
          const requestId = crypto.randomUUID();
          const response = await caller.call('reportArrival', { json: { requestId } });
          const fields = errorsAtOnce(response).map(({ field }) => field);
          for (const field of ['mrn', 'dateAndTimeOfArrival', 'customsOfficeOfArrival']) {
            expect(fields.includes(field), `no error at ${field}: ${JSON.stringify(fields)}`);
          }
          const status = await report(caller, transport, { requestId });
          expectEqual(status.requestId, requestId, 'requestId');
        },
      },
    },
    {
      id: 'ARRV-009',
      sentence: 'A transport that has arrived cannot be cancelled: PRESENTED.',
      sources: [reporting, api('cancelMovement')],
      needs: ['presenter'],
      cases: {
        'after its arrival': async (context) => {
          const caller = reporter(context);
          const transport = await lodgeTransport(caller);
          await report(caller, transport);
          const broken = brokenRules(await cancel(caller, transport));
          expectEqual(
            broken.map(({ code }) => code),
            ['PRESENTED'],
            'why it is not cancelled',
          );
        },
      },
    },
  ],
};
