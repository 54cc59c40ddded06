// The clock: what is recorded and what ends follows it.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

test('a reset returns to the time of the start, also when the clock runs', async () => {
  const time = '2027-03-04T05:06:07.000Z';
  for (const running of [true, false]) {
    await using playground = await startPlayground({ clock: { time, running } });
    await playground.setClock({ advance: 3600, running: !running });
    await playground.reset();
    const state = playground.clock.state();
    assert.equal(state.running, running);
    const since = Date.parse(state.time) - Date.parse(time);
    assert(since >= 0 && since < 60_000, `${since} ms`);
  }
  // Without a time, it is that of the system again.
  await using playground = await startPlayground();
  await playground.setClock({ advance: 3600, running: false });
  await playground.reset();
  assert.equal(playground.clock.state().running, true);
  assert(Math.abs(playground.clock.now().getTime() - Date.now()) < 60_000);
});

test('the clock of a data folder goes on where it was, and the start says so', async () => {
  const data = await mkdtemp(join(tmpdir(), 'landfall-test-'));
  const progress: string[] = [];
  const start = (options: Parameters<typeof startPlayground>[0] = {}) =>
    startPlayground({ data, onProgress: (line) => progress.push(line), ...options });
  try {
    {
      await using playground = await start();
      await playground.setClock({ time: '2031-01-01T12:00:00Z', running: false });
    }
    {
      await using playground = await start();
      const at = '2031-01-01T12:00:00.000Z';
      assert.deepEqual(playground.clock.state(), { time: at, running: false });
      assert(progress.includes(`the clock goes on where it was: ${at}, stopped`), progress.join());
      await playground.setClock({ running: true, advance: 60 });
    }
    {
      await using playground = await start();
      const since = playground.clock.now().getTime() - Date.parse('2031-01-01T12:01:00Z');
      assert(since >= 0 && since < 120_000, `${since} ms`);
    }
    await using playground = await start({ clock: { time: '2032-01-01T00:00:00Z' } });
    assert.equal(playground.clock.now().getUTCFullYear(), 2032);
  } finally {
    await rm(data, { recursive: true });
  }
});
