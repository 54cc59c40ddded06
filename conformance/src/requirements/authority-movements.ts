// Requirements on what the authority reads of movement messages, and on cancelling them.
import { lodgeHouse, lodgeMaster, lodgeTransport, OFFICE, reporter } from '../data/arrivals.js';
import { lodgeGoods, presentGoods } from '../data/lodged-goods.js';
import { fromNow, MEANS, type Message, memberAt } from '../data/movement-messages.js';
import { lodgeForStatus, mover, readMovement } from '../data/movements.js';
import { type Entry, memberOf, readAll } from '../data/read-feed.js';
import type { HttpResponse } from '../http/exchange.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  readJson,
  readObject,
} from '../suite/expect.js';
import { type Area, api } from '../suite/requirement.js';

const LIST = 'listTransports';
const READ = 'getMovementAsAuthority';
const CANCEL = 'cancelMovementAsAuthority';
const HOUR_MS = 3_600_000;
const UNKNOWN = '26NO000000000000T0';

/** Lists transports, and returns a page that has the form of the contract. */
async function list(context: CaseContext, query: Record<string, string>): Promise<HttpResponse> {
  const response = await context.as('authority').call(LIST, { query });
  expectStatus(response, 200);
  expectSchema(LIST, response);
  return response;
}

// The cast is true because the schema was just checked.
const transportsOf = (response: HttpResponse) => readJson(response) as Entry[];

const mrnsIn = (entries: unknown) =>
  Array.isArray(entries) ? entries.map((entry) => memberOf(entry, 'mrn')) : undefined;

/** Reads a message that exists, as the authority. */
async function readAny(context: CaseContext, mrn: string): Promise<Message> {
  const response = await context.as('authority').call(READ, { path: { mrn } });
  expectStatus(response, 200);
  expectSchema(READ, response);
  return readObject(response);
}

function tryCancelAny(
  context: CaseContext,
  mrn: string,
  json: unknown = { reason: 'conformance' },
): Promise<HttpResponse> {
  return context.as('authority').call(CANCEL, { path: { mrn }, json });
}

async function cancelAny(context: CaseContext, mrn: string): Promise<Message> {
  const response = await tryCancelAny(context, mrn);
  expectStatus(response, 200);
  expectSchema(CANCEL, response);
  return readObject(response);
}

/** What the list has of the transports of one vehicle. */
const plateOf = (message: Message) => String(memberAt(message, `${MEANS}.identificationNumber`));

/** Two transports of one vehicle: the one that is expected later was lodged first. */
async function lodgeTwo(context: CaseContext) {
  const caller = reporter(context);
  const at = (hours: number) => ({
    estimatedDateAndTimeOfArrival: fromNow(hours * HOUR_MS),
    scheduledDateAndTimeOfArrival: fromNow(hours * HOUR_MS),
  });
  const second = await lodgeTransport(caller, at(5));
  const identificationNumber = plateOf(second.message);
  const first = await lodgeTransport(caller, {
    ...at(3),
    [`${MEANS}.identificationNumber`]: identificationNumber,
  });
  return { caller, first, second, identificationNumber };
}

export const authorityMovements: Area = {
  name: 'Movement messages for the authority',
  requirements: [
    {
      id: 'MAUT-001',
      sentence:
        'The authority lists the transports of all organisations by their estimated arrival, with what identifies each, where and when it is to arrive, and who has lodged it.',
      sources: [api(LIST)],
      needs: ['presenter', 'authority'],
      cases: {
        'two transports of one vehicle': async (context) => {
          const { first, second, identificationNumber } = await lodgeTwo(context);
          const found = transportsOf(await list(context, { identificationNumber }));
          expectEqual(mrnsIn(found), [first.mrn, second.mrn], 'the transports');
          const members = [
            'mode',
            'state',
            'identificationNumber',
            'estimatedDateAndTimeOfArrival',
            'scheduledDateAndTimeOfArrival',
            'customsOfficeOfFirstEntry',
            'carrierIdentificationNumber',
          ];
          const { message } = first;
          const [transport] = found;
          expectEqual(
            members.map((name) =>
              name.endsWith('Arrival')
                ? Date.parse(String(memberOf(transport, name)))
                : memberOf(transport, name),
            ),
            [
              'road',
              'CURRENT',
              identificationNumber,
              Date.parse(String(message.estimatedDateAndTimeOfArrival)),
              Date.parse(String(message.scheduledDateAndTimeOfArrival)),
              memberAt(message, 'customsOfficeOfFirstEntry.referenceNumber'),
              memberAt(message, 'carrier.identificationNumber'),
            ],
            'the first one',
          );
        },
        'page by page': async (context) => {
          const { first, second, identificationNumber } = await lodgeTwo(context);
          const page = await list(context, { identificationNumber, limit: '1' });
          expectEqual(mrnsIn(transportsOf(page)), [first.mrn], 'the first page');
          const marker = /[?&]marker=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
          expect(marker !== undefined, 'Link does not lead to the next page');
          const next = { identificationNumber, marker: decodeURIComponent(marker) };
          expectEqual(mrnsIn(transportsOf(await list(context, next))), [second.mrn], 'the rest');
        },
      },
    },
    {
      id: 'MAUT-002',
      sentence:
        'The list has the transports that match all filters: mode, office, state, whether they have arrived, and a range of the estimated arrival.',
      sources: [api(LIST)],
      needs: ['presenter', 'authority'],
      cases: {
        'before and after an arrival': async (context) => {
          const { caller, first, second, identificationNumber } = await lodgeTwo(context);
          const mrns = async (filter: Record<string, string>) =>
            mrnsIn(transportsOf(await list(context, { identificationNumber, ...filter })));
          const both = [first.mrn, second.mrn];
          expectEqual(await mrns({ mode: 'road' }), both, 'by road');
          expectEqual(await mrns({ mode: 'air' }), [], 'by air');
          const middle = fromNow(4 * HOUR_MS);
          expectEqual(await mrns({ to: middle }), [first.mrn], 'expected before');
          expectEqual(await mrns({ from: middle }), [second.mrn], 'expected later');
          const office = String(
            memberAt(first.message, 'customsOfficeOfFirstEntry.referenceNumber'),
          );
          expectEqual(await mrns({ office }), both, 'expected at the office of first entry');
          const other = office === OFFICE ? 'NO351001' : OFFICE;
          expectEqual(await mrns({ office: other }), [], 'expected at another office');
          const arrival = {
            mrn: first.mrn,
            dateAndTimeOfArrival: fromNow(-60_000),
            customsOfficeOfArrival: { referenceNumber: other },
          };
          expectStatus(await caller.call('reportArrival', { json: arrival }), 202);
          expectEqual(await mrns({ office: other }), [first.mrn], 'arrived at another office');
          expectEqual(await mrns({ office }), [second.mrn], 'at the office of first entry');
          expectEqual(await mrns({ arrived: 'true' }), [first.mrn], 'arrived');
          expectEqual(await mrns({ arrived: 'false' }), [second.mrn], 'not arrived');
          await cancelAny(context, second.mrn);
          expectEqual(await mrns({ state: 'CURRENT' }), [first.mrn], 'current');
          expectEqual(await mrns({ state: 'CANCELLED' }), [second.mrn], 'cancelled');
        },
      },
    },
    {
      id: 'MAUT-003',
      sentence:
        'The authority reads any message with its text and its state, what is above it and what is below it; what is no message is 404.',
      sources: [api(READ)],
      needs: ['presenter', 'authority'],
      cases: {
        'a transport with a master and a house consignment': async (context) => {
          const caller = reporter(context);
          const transport = await lodgeTransport(caller);
          const master = await lodgeMaster(caller, transport.document);
          const house = await lodgeHouse(caller, transport.document);
          const own = await readMovement(caller, master);
          const read = await readAny(context, master.mrn);
          for (const name of ['mrn', 'mode', 'level', 'state', 'message']) {
            expectEqual(read[name], own[name], name);
          }
          expectEqual(mrnsIn(read.above), [transport.mrn], 'above the master consignment');
          expectEqual(mrnsIn(read.below), [house.mrn], 'below the master consignment');
          const top = await readAny(context, transport.mrn);
          expectEqual(mrnsIn(top.below), [master.mrn], 'below the transport');
          const bottom = await readAny(context, house.mrn);
          const above = mrnsIn(bottom.above)?.toSorted();
          expectEqual(above, [master.mrn, transport.mrn].toSorted(), 'above the house consignment');
          expectEqual(bottom.submitter, read.submitter, 'who has lodged it');
        },
        'an unknown MRN': async (context) => {
          const path = { mrn: UNKNOWN };
          expectProblem(await context.as('authority').call(READ, { path }), 404);
        },
      },
    },
    {
      id: 'MAUT-004',
      sentence:
        'The authority cancels a message that is not presented: its key is free, and whoever lodged it has a status that says that the authority has cancelled it, once.',
      sources: [api(CANCEL)],
      needs: ['presenter', 'authority'],
      cases: {
        'a transport': async (context) => {
          const caller = reporter(context);
          const transport = await lodgeTransport(caller);
          const start = await context.start('presenter', 'listMovementStatuses');
          expectEqual((await cancelAny(context, transport.mrn)).status, 'CANCELLED', 'the result');
          expectEqual((await readAny(context, transport.mrn)).state, 'CANCELLED', 'the state');
          const again = await cancelAny(context, transport.mrn);
          expectEqual(again.status, 'UNCHANGED', 'the result of the same request again');
          const statuses = (await readAll(caller, 'listMovementStatuses', start)).filter(
            (entry) =>
              memberOf(entry, 'mrn') === transport.mrn && memberOf(entry, 'operation') === 'CANCEL',
          );
          expectEqual(
            statuses.map((entry) =>
              ['status', 'level', 'operation', 'cancelledBy'].map((name) => memberOf(entry, name)),
            ),
            [['SUCCESS', 'TRANSPORT', 'CANCEL', 'AUTHORITY']],
            'the statuses',
          );
          const lodged = await lodgeForStatus(caller, 'road', 'transport', transport.message);
          expectEqual(lodged.status, 'SUCCESS', 'the status of the same key');
        },
        'a house consignment': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const goods = await lodgeGoods(caller);
          await cancelAny(context, goods.mrn);
          await presentGoods(caller, goods, { mrn: goods.mrn, expected: 400 });
        },
      },
    },
    {
      id: 'MAUT-005',
      sentence:
        'What is presented, and a transport that has arrived, is not cancelled (PRESENTED); a cancellation without a reason is refused, and an unknown MRN is 404.',
      sources: [api(CANCEL)],
      needs: ['presenter', 'authority'],
      cases: {
        'presented goods': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const goods = await lodgeGoods(caller);
          await presentGoods(caller, goods, { mrn: goods.mrn });
          expectProblem(await tryCancelAny(context, goods.mrn), 400, { code: 'PRESENTED' });
          expectEqual((await readAny(context, goods.mrn)).state, 'CURRENT', 'the state');
        },
        'without a reason': async (context) => {
          const goods = await lodgeGoods(mover(context, 'presenter', ['road']));
          const response = await tryCancelAny(context, goods.mrn, {});
          expectProblem(response, 400, { field: 'reason', code: 'REQUIRED' });
          expectEqual((await readAny(context, goods.mrn)).state, 'CURRENT', 'the state');
        },
        'an unknown MRN': async (context) => {
          expectProblem(await tryCancelAny(context, UNKNOWN), 404);
        },
      },
    },
    {
      id: 'MAUT-006',
      sentence:
        'Only the authority lists transports, and reads and cancels messages of any organisation.',
      sources: [api(LIST, READ, CANCEL)],
      needs: ['presenter'],
      cases: {
        'a presenter, its own message': async (context) => {
          const caller = mover(context, 'presenter', ['road']);
          const { mrn } = await lodgeGoods(caller);
          const path = { mrn };
          expectProblem(await caller.call(LIST), 403);
          expectProblem(await caller.call(READ, { path }), 403);
          expectProblem(await caller.call(CANCEL, { path, json: { reason: 'mine' } }), 403);
        },
      },
    },
  ],
};
