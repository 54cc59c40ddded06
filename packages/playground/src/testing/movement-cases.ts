// The client library meets the scenarios around movement declarations.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { MovementMessage } from '../../../client/dist/index.js';
import {
  citing,
  houseMessage,
  inHours,
  transportMessage,
} from '../../../service/dist/testing/movement-client.js';
import { until } from '../../../service/dist/testing/until.js';
import type { Playground } from '../playground.js';
import { type ClientCases, clientOf, parcel } from './client-case.js';

/** The samples are messages of the contract, with wider types. */
const message = (sample: object) => sample as MovementMessage;

/** Lodges a transport as the carrier; gives its MRN. */
async function lodgeTransport(
  playground: Playground,
  means: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const transport = message(transportMessage(means, more));
  const { status, mrn } = await clientOf(playground, 'carrier').lodgeMovement('road', transport);
  assert.equal(status, 'SUCCESS');
  return mrn ?? assert.fail('there is no MRN');
}

/** Sets the clock so many seconds after an instant. */
function setTime(playground: Playground, instant: string, seconds: number): Promise<void> {
  const time = new Date(Date.parse(instant) + seconds * 1000).toISOString();
  return playground.setClock({ time });
}

function transportOf(playground: Playground, mrn: string) {
  return clientOf(playground, 'carrier').getMovement('road', 'transport', mrn);
}

/** Lodges a transport with a house consignment that is directly on it, and reports its arrival; gives its MRN. */
async function arriveWith(playground: Playground, house: string): Promise<string> {
  const mrn = await lodgeTransport(playground, `${house}1`, { houses: [house] });
  const { status } = await clientOf(playground, 'carrier').reportArrival({
    mrn,
    dateAndTimeOfArrival: inHours(-0.1),
    customsOfficeOfArrival: { referenceNumber: 'NO371001' },
  });
  assert.equal(status, 'SUCCESS');
  return mrn;
}

export const movementCases = {
  'late-status': {
    'a message is lodged once, and its status is read when it is found': async (playground) => {
      playground.scenarios.add({ kind: 'late-status', foundAfter: 2 });
      const forwarder = clientOf(playground, 'forwarder');
      const { status, mrn } = await forwarder.lodgeMovement('road', message(houseMessage('LATE')));
      assert.equal(status, 'SUCCESS');
      assert.deepEqual(
        (await forwarder.listMovementStatuses()).entries.map((entry) => entry.mrn),
        [mrn],
      );
      const reads = playground
        .requests()
        .filter(({ url }) => url.includes('/validation-status/'))
        .map(({ response }) => response?.status);
      assert.ok(reads.length > 1 && reads.slice(0, -1).every((code) => code === 404), `${reads}`);
      assert.equal(reads.at(-1), 200);
    },
    'so is an arrival': async (playground) => {
      playground.scenarios.add({
        kind: 'late-status',
        foundAfter: 2,
        operation: 'getArrivalStatus',
      });
      await arriveWith(playground, 'LATE');
      assert.ok((playground.scenarios.list()[0]?.applied ?? 0) > 0);
    },
    'a presentation whose response was lost is settled, and presents once': async (playground) => {
      playground.scenarios.add({ kind: 'late-status', foundAfter: 2 });
      playground.scenarios.add({
        kind: 'lost-response',
        operation: 'presentHouseConsignment',
        times: 1,
      });
      const carrier = clientOf(playground, 'carrier');
      await carrier.presentHouseConsignment(parcel);
      assert.ok((playground.scenarios.list()[0]?.applied ?? 0) > 0);
      assert.equal((await carrier.listValidationStatuses()).entries.length, 1);
      assert.equal((await carrier.readRoutingSignals()).entries.length, 1);
    },
    'a client that waits less than that does not know the outcome, and reads it later': async (
      playground,
    ) => {
      await playground.setClock({ running: false });
      playground.scenarios.add({ kind: 'late-status', foundAfter: 3600 });
      const forwarder = clientOf(playground, 'forwarder');
      const requestId = randomUUID();
      const given = message({ ...houseMessage('LATER'), requestId });
      await assert.rejects(
        forwarder.lodgeMovement('road', given, { isNew: true, settleWithinMs: 500 }),
        {
          code: 'MOVEMENT_UNKNOWN',
          requestId,
        },
      );
      await playground.setClock({ advance: 3600 });
      const { status, mrn } = await forwarder.settleMovement('road', requestId, given);
      assert.equal(status, 'SUCCESS');
      const { entries } = await forwarder.listMovementStatuses();
      assert.deepEqual(
        entries.map((entry) => entry.mrn),
        [mrn],
      );
    },
    'a read that waits has it when the clock is there': async (playground) => {
      await playground.setClock({ running: false });
      const carrier = clientOf(playground, 'carrier');
      const { requestId } = await carrier.presentHouseConsignment(parcel);
      playground.scenarios.add({ kind: 'late-status', foundAfter: 3600 });
      await assert.rejects(carrier.getValidationStatus(requestId), { status: 404 });
      await assert.rejects(carrier.getValidationStatus(requestId, {}, { waitSeconds: 1 }), {
        status: 404,
      });
      const applied = () => playground.scenarios.list()[0]?.applied;
      assert.equal(applied(), 2);
      const waiting = carrier.getValidationStatus(requestId, {}, { waitSeconds: 30 });
      await until(() => applied() === 3);
      await playground.setClock({ advance: 3600 });
      const status = await waiting;
      assert.ok(!Array.isArray(status) && status.status === 'SUCCESS');
      // A status that is found anyway counts for nothing.
      const before = applied();
      assert.deepEqual(await carrier.getValidationStatus(requestId), status);
      assert.equal(applied(), before);
    },
  },
  'silent-register': {
    'the message is read until it is complete, and is decided if it has arrived': async (
      playground,
    ) => {
      await playground.setClock({ running: false });
      playground.scenarios.add({ kind: 'silent-register', answersAfter: 60, times: 1 });
      const forwarder = clientOf(playground, 'forwarder');
      const house = message(houseMessage('SILENT', { isDirect: true, ...citing('1') }));
      const { mrn = '', incompleteDocumentationReasonList } = await forwarder.lodgeMovement(
        'road',
        house,
      );
      assert.deepEqual(incompleteDocumentationReasonList, ['INCOMPLETE_CUDE_VALIDATION']);
      const isComplete = async () =>
        (await forwarder.getMovement('road', 'house-consignment', mrn)).complete;
      await arriveWith(playground, 'SILENT');
      assert.deepEqual((await forwarder.readRoutingSignals()).entries, []);
      await playground.setClock({ advance: 59 });
      assert.equal(await isComplete(), false);
      await playground.setClock({ advance: 1 });
      assert.equal(await isComplete(), true);
      assert.deepEqual(
        (await forwarder.readRoutingSignals()).entries.map(
          ({ routingResult }) => routingResult.routing,
        ),
        ['TO_ENTRY'],
      );
      // The declaration is not registered by the answer: the register is asked again.
      playground.scenarios.add({ kind: 'silent-register', answersAfter: 60 });
      const again = message(houseMessage('AGAIN', citing('1')));
      assert.equal(
        (await forwarder.lodgeMovement('road', again)).incompleteDocumentationReasonList?.length,
        1,
      );
    },
    'also when it is replaced, by a clock that runs': async (playground) => {
      const forwarder = clientOf(playground, 'forwarder');
      const lodged = await forwarder.lodgeMovement('road', message(houseMessage('RUN')));
      const mrn = lodged.mrn ?? '';
      playground.scenarios.add({ kind: 'silent-register', answersAfter: 1 });
      const replaced = await forwarder.replaceMovement(
        'road',
        mrn,
        message(houseMessage('RUN', citing('2'))),
      );
      assert.deepEqual(replaced.incompleteDocumentationReasonList, ['INCOMPLETE_CUDE_VALIDATION']);
      await until(
        async () => (await forwarder.getMovement('road', 'house-consignment', mrn)).complete,
      );
    },
    'what cites no declaration that is valid takes no effect': async (playground) => {
      playground.scenarios.add({ kind: 'silent-register', answersAfter: 60 });
      const applied = () => playground.scenarios.list()[0]?.applied;
      const forwarder = clientOf(playground, 'forwarder');
      const lodge = (number: string, more?: object) =>
        forwarder.lodgeMovement('road', message(houseMessage(number, { ...more })));
      await lodge('NONE');
      assert.equal((await lodge('WRONG', citing('99'))).status, 'FAILURE');
      assert.equal(applied(), 0);
      await lodge('RIGHT', citing('3'));
      assert.equal(applied(), 1);
    },
    'a snapshot keeps the answer that waits, and a reset forgets it': async (playground) => {
      await playground.setClock({ running: false });
      playground.scenarios.add({ kind: 'silent-register', answersAfter: 60 });
      const forwarder = clientOf(playground, 'forwarder');
      const house = message(houseMessage('KEPT', citing('1')));
      const { mrn = '' } = await forwarder.lodgeMovement('road', house);
      await playground.snapshot('silent');
      const isComplete = async () =>
        (await forwarder.getMovement('road', 'house-consignment', mrn)).complete;
      for (let count = 0; count < 2; count++) {
        await playground.reset('silent');
        assert.equal(await isComplete(), false);
        await playground.setClock({ advance: 60 });
        assert.equal(await isComplete(), true);
      }
      await playground.reset('silent');
      await playground.reset();
      playground.scenarios.add({ kind: 'silent-register', answersAfter: 3600 });
      const anew = await forwarder.lodgeMovement('road', house);
      await playground.setClock({ advance: 600 });
      const { complete } = await forwarder.getMovement('road', 'house-consignment', anew.mrn ?? '');
      assert.equal(complete, false);
    },
  },
  'seen-arrival': {
    'who follows the signals gets them when the transport is seen': async (playground) => {
      await playground.setClock({ running: false });
      playground.scenarios.add({ kind: 'seen-arrival', afterEstimated: 600 });
      const forwarder = clientOf(playground, 'forwarder');
      await forwarder.lodgeMovement('road', message(houseMessage('SEEN', { isDirect: true })));
      const estimated = inHours(2);
      const mrn = await lodgeTransport(playground, 'SEEN1', {
        houses: ['SEEN'],
        estimatedDateAndTimeOfArrival: estimated,
      });
      await setTime(playground, estimated, 599);
      assert.deepEqual((await forwarder.readRoutingSignals()).entries, []);
      await setTime(playground, estimated, 600);
      const [signal] = (await forwarder.readRoutingSignals()).entries;
      assert.equal(signal?.routingResult.routing, 'TO_ENTRY');
      const { arrivedAt, customsOfficeOfArrival } = await transportOf(playground, mrn);
      assert.deepEqual(
        [Date.parse(arrivedAt ?? ''), customsOfficeOfArrival],
        [Date.parse(estimated) + 600_000, 'NO371001'],
      );
      const report = { mrn, dateAndTimeOfArrival: estimated };
      const { validationErrorList } = await clientOf(playground, 'carrier').reportArrival({
        ...report,
        customsOfficeOfArrival: { referenceNumber: 'NO371001' },
      });
      assert.equal(validationErrorList?.[0]?.code, 'ALREADY_ARRIVED');
    },
    'an arrival that was reported before stays, and so does an end': async (playground) => {
      await playground.setClock({ running: false });
      playground.scenarios.add({ kind: 'seen-arrival', afterEstimated: 600 });
      const carrier = clientOf(playground, 'carrier');
      const reported = await arriveWith(playground, 'BEFORE');
      const { arrivedAt } = await transportOf(playground, reported);
      const cancelled = await lodgeTransport(playground, 'GONE');
      await carrier.cancelMovement('road', 'transport', cancelled);
      await playground.setClock({ advance: 3 * 3600 });
      assert.equal((await transportOf(playground, reported)).arrivedAt, arrivedAt);
      assert.equal((await transportOf(playground, cancelled)).arrivedAt, undefined);
    },
    'a transport that is replaced is seen once, by its new time; a snapshot keeps the plan': async (
      playground,
    ) => {
      await playground.setClock({ running: false });
      playground.scenarios.add({ kind: 'seen-arrival', afterEstimated: 0 });
      const carrier = clientOf(playground, 'carrier');
      const later = inHours(4);
      const scheduledDateAndTimeOfArrival = inHours(2);
      const mrn = await lodgeTransport(playground, 'MOVED', { scheduledDateAndTimeOfArrival });
      const replacing = transportMessage('MOVED', {
        estimatedDateAndTimeOfArrival: later,
        scheduledDateAndTimeOfArrival,
      });
      const replaced = await carrier.replaceMovement('road', mrn, message(replacing));
      assert.deepEqual(replaced.validationErrorList ?? [], []);
      await playground.snapshot('moved');
      for (let count = 0; count < 2; count++) {
        await setTime(playground, later, -1);
        assert.equal((await transportOf(playground, mrn)).arrivedAt, undefined);
        await setTime(playground, later, 0);
        const { arrivedAt = '' } = await transportOf(playground, mrn);
        assert.equal(Date.parse(arrivedAt), Date.parse(later));
        await playground.reset('moved');
      }
      await lodgeTransport(playground, 'LAST');
    },
    'a message that is refused by its status takes no effect': async (playground) => {
      playground.scenarios.add({ kind: 'seen-arrival', afterEstimated: 0 });
      const applied = () => playground.scenarios.list()[0]?.applied;
      const carrier = clientOf(playground, 'carrier');
      const wrong = transportMessage('WRONG', {
        customsOfficeOfFirstEntry: { referenceNumber: 'NO999999' },
      });
      assert.equal((await carrier.lodgeMovement('road', message(wrong))).status, 'FAILURE');
      assert.equal(applied(), 0);
      await lodgeTransport(playground, 'RIGHT');
      assert.equal(applied(), 1);
    },
  },
} satisfies Partial<ClientCases>;
