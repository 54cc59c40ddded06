// The clock: what is recorded and what ends follows it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Landfall } from '../../client/dist/index.js';
import { makeMessage } from '../../service/dist/testing/goods-item-messages.js';
import { PlaygroundClock } from './clock.js';
import { startPlayground } from './index.js';

const parcel = {
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber: 'NO100000001MU', type: 'N750' },
} as const;

/** The body of an upload with one message. */
const toLine = (message: object) => `${JSON.stringify(message)}\n`;

test('a clock stops, is set and advanced, and runs again from where it is', () => {
  const clock = new PlaygroundClock({ time: '2026-05-01T08:00:00Z', running: false });
  assert.deepEqual(clock.state(), { time: '2026-05-01T08:00:00.000Z', running: false });
  clock.set({ advance: 90 });
  assert.equal(clock.state().time, '2026-05-01T08:01:30.000Z');
  clock.set({ running: true });
  assert.throws(() => clock.set({ time: 'tomorrow' }), {
    code: 'PLAYGROUND_OPTION',
    message: /^clock\.time must be a date-time/,
  });
  const behind = clock.now().getTime() - Date.parse('2026-05-01T08:01:30Z');
  assert(behind >= 0 && behind < 60_000, `${behind} ms`);
});

test('what is recorded has the time of the clock, and the header Date too', async () => {
  const time = '2027-03-04T05:06:07.890Z';
  await using playground = await startPlayground({ clock: { time, running: false } });
  const carrier = new Landfall(playground.credentials('carrier'));
  const { requestId } = await carrier.presentHouseConsignment(parcel);
  const status = await carrier.getValidationStatus(requestId);
  assert(!Array.isArray(status));
  assert.equal(status.notificationDate, time);
  const [signal] = (await carrier.routingSignals()).entries;
  assert.equal(signal?.routingResult.documentIssueDate, time);
  const response = await fetch(`${playground.baseUrl}/livez`);
  assert.equal(response.headers.get('date'), new Date(time).toUTCString());
});

test('a customs office is valid from midnight where the customs offices are', async () => {
  // In Oslo it is 23:59:59, an hour before the day begins in UTC; this night clocks go forward.
  await using playground = await startPlayground({
    clock: { time: '2026-03-28T22:59:59Z', running: false },
  });
  const authority = new Landfall(playground.credentials('authority'));
  const offices = 'reference_number,name,valid_from\nNO351001,Gardermoen,2026-03-29\n';
  await authority.importCustomsOffices(offices, { expectedRemovals: 49 });
  const carrier = new Landfall(playground.credentials('carrier'));
  await assert.rejects(carrier.presentHouseConsignment(parcel), {
    validationErrors: [
      {
        field: 'customsOfficeOfPresentation',
        error: 'must be a customs office in force (code list CL141)',
        code: 'UNKNOWN_CODE',
      },
    ],
  });
  await playground.setClock({ advance: 1 });
  await carrier.presentHouseConsignment(parcel);
});

test('a token ends when the clock has passed its end, and a client requests another', async () => {
  await using playground = await startPlayground();
  const carrier = new Landfall(playground.credentials('carrier'));
  await carrier.routingSignals();
  const tokens = () =>
    playground.requests().filter(({ url }) => url === '/api/access/external/oauth/token').length;
  assert.equal(tokens(), 1);
  await playground.setClock({ advance: 24 * 3600 });
  await carrier.routingSignals();
  assert.equal(tokens(), 2);
  const refused = playground.requests().filter(({ response }) => response?.status === 401);
  assert.equal(refused.length, 1);
});

test('goods items leave the stream when the clock has passed their retention', async () => {
  await using playground = await startPlayground({ goodsItemRetention: 7 });
  const authority = new Landfall(playground.credentials('authority'));
  const message = makeMessage({ number: 1 });
  await authority.publishGoodsItems(toLine(message));
  await authority.publishGoodsItems(toLine(makeMessage({ number: 2 })));
  await authority.publishGoodsItems(toLine(makeMessage({ number: 3 })));
  const read = () => authority.listGoodsItems({});
  assert.equal((await read()).entries.length, 3);
  await playground.setClock({ advance: 6 * 24 * 3600 });
  assert.equal((await read()).entries.length, 3);
  await playground.setClock({ advance: 2 * 24 * 3600 });
  // The last one stays, so that a reader that has it can continue.
  assert.equal((await read()).entries.length, 1);
  await assert.rejects(authority.listGoodsItems({ marker: message.metadata.eventId }), {
    message: /MARKER_EXPIRED/,
  });
});
