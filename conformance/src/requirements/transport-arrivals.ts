// Requirements on arrivals that the authority reports: which transport is meant, and what a line changes.
import { TransportArrivalResult } from '@landfall/contract';
import { lodgeHouse, lodgeMaster, lodgeTransport, OFFICE, reporter } from '../data/arrivals.js';
import { newDocumentNumber } from '../data/identifiers.js';
import { decideOn, expectSignals, lodgeGoods } from '../data/lodged-goods.js';
import { fromNow, MEANS, memberAt } from '../data/movement-messages.js';
import { cancel } from '../data/movements.js';
import { memberOf } from '../data/read-feed.js';
import type { HttpResponse } from '../http/exchange.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expectEqual,
  expectProblem,
  expectStatus,
  expectValid,
  readLines,
} from '../suite/expect.js';
import { type Area, api } from '../suite/requirement.js';

const POST = 'postTransportArrivals';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const type = 'application/x-ndjson';

const arrivalOf = (transport: object, at = fromNow(-MINUTE_MS)) => ({
  ...transport,
  dateAndTimeOfArrival: at,
  customsOfficeOfArrival: { referenceNumber: OFFICE },
});

const seen = (identificationNumber: unknown, at?: string) =>
  arrivalOf({ mode: 'road', identificationNumber }, at);

function post(context: CaseContext, lines: readonly unknown[]): Promise<HttpResponse> {
  const raw = lines
    .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    .join('\n');
  return context.as('authority').call(POST, { raw, type });
}

/** Reports arrivals in lines, and returns the results. */
async function report(context: CaseContext, ...lines: unknown[]): Promise<unknown[]> {
  const response = await post(context, lines);
  expectStatus(response, 200);
  const results = readLines(response);
  for (const result of results) expectValid(TransportArrivalResult, result, 'a result');
  return results;
}

/** The status of a result, and its MRN or its errors as fields and codes. */
function outcomeOf(result: unknown): string {
  const errors = memberOf(result, 'validationErrors');
  const list = Array.isArray(errors) ? errors : [];
  const broken = list.map((error) => `${memberOf(error, 'field')} ${memberOf(error, 'code')}`);
  return [memberOf(result, 'status'), ...[memberOf(result, 'mrn') ?? []].flat(), ...broken].join(
    ' ',
  );
}

const lodgeSeen = (context: CaseContext, plate: string, hours: number, scheduled = hours) =>
  lodgeTransport(reporter(context), {
    [`${MEANS}.identificationNumber`]: plate,
    estimatedDateAndTimeOfArrival: fromNow(hours * HOUR_MS),
    scheduledDateAndTimeOfArrival: fromNow(scheduled * HOUR_MS),
  });

export const transportArrivals: Area = {
  name: 'Arrivals that the authority reports',
  requirements: [
    {
      id: 'TARR-001',
      sentence:
        'An arrival by MRN presents what the transport reaches: its result counts the house consignments and the signals, which can be read when it arrives.',
      sources: [api(POST)],
      needs: ['presenter', 'authority'],
      cases: {
        'a house consignment under a master consignment': async (context) => {
          const caller = reporter(context);
          const transport = await lodgeTransport(caller);
          await lodgeMaster(caller, transport.document);
          const goods = await lodgeHouse(caller, transport.document);
          await decideOn(context, goods, 'TO_CONTROL');
          const [result] = await report(context, arrivalOf({ mrn: transport.mrn }));
          const members = ['line', 'status', 'mrn', 'houseConsignments', 'signals'];
          expectEqual(
            members.map((name) => memberOf(result, name)),
            [1, 'ARRIVED', transport.mrn, 1, 1],
            'the result',
          );
          await expectSignals(context, 'presenter', goods, 'TO_CONTROL');
        },
        'as an array': async (context) => {
          const transport = await lodgeTransport(reporter(context));
          const json = [arrivalOf({ mrn: transport.mrn })];
          const response = await context.as('authority').call(POST, { json });
          expectStatus(response, 200);
          expectEqual(
            outcomeOf(memberAt(JSON.parse(response.text), '[0]')),
            `ARRIVED ${transport.mrn}`,
            'the result',
          );
        },
      },
    },
    {
      id: 'TARR-002',
      sentence:
        'Without an MRN it is the transport that has not arrived and is expected nearest to the time; the same line again is the same one, UNCHANGED.',
      sources: [api(POST)],
      needs: ['presenter', 'authority'],
      cases: {
        'two transports of one lorry': async (context) => {
          const plate = newDocumentNumber();
          const evening = await lodgeSeen(context, plate, 9);
          const morning = await lodgeSeen(context, plate, 1);
          const line = seen(plate);
          const results = [
            ...(await report(context, line, line)),
            ...(await report(context, line)),
            ...(await report(context, seen(plate, fromNow(MINUTE_MS)))),
          ];
          expectEqual(
            results.map(outcomeOf),
            [
              `ARRIVED ${morning.mrn}`,
              `UNCHANGED ${morning.mrn}`,
              `UNCHANGED ${morning.mrn}`,
              `ARRIVED ${evening.mrn}`,
            ],
            'the results',
          );
        },
      },
    },
    {
      id: 'TARR-003',
      sentence:
        'Two that are equally near are REFERENCE_AMBIGUOUS; what is more than 12 hours away, has ended, is of another mode or spelled otherwise is REFERENCE_NOT_FOUND.',
      sources: [api(POST)],
      needs: ['presenter', 'authority'],
      cases: {
        'equally near': async (context) => {
          const plate = newDocumentNumber();
          const first = await lodgeSeen(context, plate, 2, 2);
          const second = await lodgeTransport(reporter(context), {
            [`${MEANS}.identificationNumber`]: plate,
            estimatedDateAndTimeOfArrival: memberAt(first.message, 'estimatedDateAndTimeOfArrival'),
            scheduledDateAndTimeOfArrival: fromNow(3 * HOUR_MS),
          });
          const [ambiguous] = await report(context, seen(plate));
          const field = 'identificationNumber';
          expectEqual(outcomeOf(ambiguous), `REFUSED ${field} REFERENCE_AMBIGUOUS`, 'the result');
          await cancel(reporter(context), first);
          const [result] = await report(context, seen(plate));
          expectEqual(outcomeOf(result), `ARRIVED ${second.mrn}`, 'the result');
        },
        'none of these': async (context) => {
          const plate = newDocumentNumber();
          await lodgeSeen(context, plate, 14);
          const ended = newDocumentNumber();
          await cancel(reporter(context), await lodgeSeen(context, ended, 1));
          const other = newDocumentNumber();
          await lodgeSeen(context, other, 1);
          const results = await report(
            context,
            seen(plate),
            seen(ended),
            seen(other.toLowerCase()),
            { ...seen(other), mode: 'rail' },
          );
          expectEqual(
            results.map(outcomeOf),
            results.map(() => 'REFUSED identificationNumber REFERENCE_NOT_FOUND'),
            'the results',
          );
        },
      },
    },
    {
      id: 'TARR-004',
      sentence:
        'By its MRN, a transport that has arrived gets the new time and office: CORRECTED; the same again is UNCHANGED.',
      sources: [api(POST, 'getMovement')],
      needs: ['presenter', 'authority'],
      cases: {
        'another time': async (context) => {
          const caller = reporter(context);
          const { mrn } = await lodgeTransport(caller);
          const later = arrivalOf({ mrn }, fromNow(-2 * MINUTE_MS));
          const results = await report(context, arrivalOf({ mrn }), later, later);
          expectEqual(
            results.map(outcomeOf),
            [`ARRIVED ${mrn}`, `CORRECTED ${mrn}`, `UNCHANGED ${mrn}`],
            'the results',
          );
          const path = { mode: 'road', version: 'v2', level: 'transport', mrn };
          const response = await caller.call('getMovement', { path });
          expectStatus(response, 200);
          const arrivedAt = String(memberAt(JSON.parse(response.text), 'arrivedAt'));
          expectEqual(
            Date.parse(arrivedAt),
            Date.parse(later.dateAndTimeOfArrival),
            'the time of arrival',
          );
        },
      },
    },
    {
      id: 'TARR-005',
      sentence:
        'An upload of arrivals has one result a line, in order; a line that breaks a rule is REFUSED by itself, with the member and the code.',
      sources: [api(POST)],
      needs: ['presenter', 'authority'],
      cases: {
        'each broken rule': async (context) => {
          const caller = reporter(context);
          const { mrn } = await lodgeTransport(caller);
          const ended = await lodgeTransport(caller);
          await cancel(caller, ended);
          const goods = await lodgeGoods(caller);
          const good = arrivalOf({ mrn });
          const results = await report(
            context,
            arrivalOf({}),
            { ...good, mode: 'road' },
            { ...good, customsOfficeOfArrival: { referenceNumber: 'NO000000' } },
            arrivalOf({ mrn }, fromNow(20 * MINUTE_MS)),
            arrivalOf({ mrn }, fromNow(-73 * HOUR_MS)),
            arrivalOf({ mrn: ended.mrn }),
            arrivalOf({ mrn: goods.mrn }),
            { ...good, plate: 'AB12345' },
            good,
          );
          expectEqual(
            results.map(outcomeOf),
            [
              'REFUSED mode REQUIRED identificationNumber REQUIRED',
              'REFUSED mode INCOMPATIBLE',
              'REFUSED customsOfficeOfArrival.referenceNumber UNKNOWN_CODE',
              'REFUSED dateAndTimeOfArrival TIME_OUT_OF_RANGE',
              'REFUSED dateAndTimeOfArrival TIME_OUT_OF_RANGE',
              'REFUSED mrn NOT_CURRENT',
              'REFUSED mrn REFERENCE_NOT_FOUND',
              'REFUSED plate UNKNOWN_MEMBER',
              `ARRIVED ${mrn}`,
            ],
            'the results',
          );
        },
      },
    },
    {
      id: 'TARR-006',
      sentence: 'Only the authority reports arrivals in lines.',
      sources: [api(POST)],
      needs: ['presenter'],
      cases: {
        'a presenter': async (context) => {
          const raw = JSON.stringify(seen(newDocumentNumber()));
          expectProblem(await context.as('presenter').call(POST, { raw, type }), 403);
        },
      },
    },
  ],
};
