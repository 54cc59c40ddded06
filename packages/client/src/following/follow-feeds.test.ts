// Following feeds of a playground: which entries are handed out, and which marker is saved.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { issueSignals, readSignalIds } from '../testing/issue-signals.js';
import { startTestPlayground } from '../testing/playground.js';
import type { FollowOptions, FollowState } from './follow-options.js';
import { MemoryMarkerStore } from './marker-store.js';

const playground = await startTestPlayground();
await issueSignals(playground, 'carrier', 1500);
await issueSignals(playground, 'carrier', 1000);
const carrier = await playground.client('carrier');

test('signals of the past and new ones are handed out once, in order', async () => {
  const stop = new AbortController();
  const states: FollowState['state'][] = [];
  const seen: string[] = [];
  const following = carrier.followRouting({
    signal: stop.signal,
    onStateChange: ({ state }) => {
      states.push(state);
      // Only now, so that it arrives by the stream of events.
      void issueSignals(playground, 'carrier', 250);
    },
  });
  for await (const { routingResult } of following) {
    seen.push(routingResult.id);
    if (seen.length === 2750) stop.abort();
  }
  assert.deepEqual(seen, await readSignalIds(playground, 'carrier'));
  assert.deepEqual(states, ['live']);
});

test('the marker of an entry is saved when the loop requests the next one', async () => {
  const ids = await readSignalIds(playground, 'carrier');
  const store = new MemoryMarkerStore();
  let count = 0;
  for await (const { routingResult } of carrier.followRouting({ store })) {
    assert.equal(store.marker, ids[count - 1]);
    assert.equal(routingResult.id, ids[count]);
    count += 1;
    if (count === 3) break;
  }
  assert.equal(store.marker, ids[1]);
});

test('an entry whose processing fails is the first one of the next loop', async () => {
  const ids = await readSignalIds(playground, 'carrier');
  const following = carrier.followRouting({ marker: ids[9] ?? '' });
  const process = async () => {
    for await (const { routingResult } of following) {
      if (routingResult.id === ids[12]) throw new RangeError('the database is full');
    }
  };
  await assert.rejects(process(), RangeError);
  for await (const { routingResult } of following) {
    assert.equal(routingResult.id, ids[12]);
    break;
  }
});

test('after an abort the entry in hand is saved, and the loop ends without an error', async () => {
  const ids = await readSignalIds(playground, 'carrier');
  const store = new MemoryMarkerStore(ids[4]);
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const { routingResult } of carrier.followRouting({ store, signal: stop.signal })) {
    seen.push(routingResult.id);
    stop.abort();
  }
  assert.deepEqual(seen, [ids[5]]);
  assert.equal(store.marker, ids[5]);
});

test('an abort ends a loop that waits', async () => {
  const ids = await readSignalIds(playground, 'carrier');
  for (const mode of ['events', 'wait', 'poll'] as const) {
    const stop = new AbortController();
    const options = {
      marker: ids.at(-1) ?? '',
      modes: [mode],
      signal: stop.signal,
      onStateChange: () => setTimeout(() => stop.abort(), 300),
    };
    for await (const signal of carrier.followRouting(options)) assert.fail(JSON.stringify(signal));
  }
});

test('pages are saved as a whole', async () => {
  const ids = await readSignalIds(playground, 'carrier');
  const store = new MemoryMarkerStore();
  const pages: string[][] = [];
  for await (const page of carrier.followRouting({ store }).pages()) {
    assert.equal(store.marker, pages.at(-1)?.at(-1));
    pages.push(page.map(({ routingResult }) => routingResult.id));
    if (pages.length === 3) break;
  }
  assert.deepEqual(pages.flat(), ids.slice(0, pages.flat().length));
  assert.deepEqual(
    pages.map(({ length }) => length),
    [1000, 1000, 750],
  );
  assert.equal(store.marker, ids[1999]);
});

test('following begins at a time, in every mode, unless the store has a marker', async () => {
  const before = await readSignalIds(playground, 'carrier');
  await new Promise((resolve) => setTimeout(resolve, 5));
  const since = new Date();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await issueSignals(playground, 'carrier', 3);
  const added = (await readSignalIds(playground, 'carrier')).slice(before.length);
  const follow = async (options: FollowOptions, count: number) => {
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const { routingResult } of carrier.followRouting({
      ...options,
      signal: stop.signal,
    })) {
      seen.push(routingResult.id);
      if (seen.length === count) stop.abort();
    }
    return seen;
  };
  assert.deepEqual(await follow({ since }, 3), added);
  const store = new MemoryMarkerStore(before.at(-2));
  assert.deepEqual(await follow({ since, store }, 1), before.slice(-1));
  for (const mode of ['events', 'wait', 'poll'] as const) {
    // Nothing is there yet: what comes at the time or later is received in this mode, and what comes before is not.
    const time = Date.now() + 3000;
    const options = {
      since: new Date(time),
      modes: [mode],
      pollIntervalMs: 300,
      onStateChange: () => {
        void issueSignals(playground, 'carrier', 1);
        setTimeout(() => void issueSignals(playground, 'carrier', 1), time + 10 - Date.now());
      },
    };
    const [seen] = await follow(options, 1);
    assert.equal(seen, (await readSignalIds(playground, 'carrier')).at(-1), mode);
  }
  await assert.rejects(follow({ since: new Date('yesterday') }, 1), ConfigurationError);
  const both = { since, marker: before[0] ?? '' };
  await assert.rejects(
    follow(both, 1),
    (error) => error instanceof ApiError && error.has('INCOMPATIBLE'),
  );
});

test('a marker of another organisation is refused', async () => {
  const [marker] = await readSignalIds(playground, 'carrier');
  const forwarder = await playground.client('forwarder');
  const follow = async () => {
    for await (const signal of forwarder.followRouting({ marker: marker ?? '' })) return signal;
  };
  await assert.rejects(
    follow(),
    (error) => error instanceof ApiError && error.has('UNKNOWN_MARKER'),
  );
});

test('statuses are followed', async () => {
  const { entries } = await carrier.listValidationStatuses();
  const seen: string[] = [];
  for await (const { requestId } of carrier.followStatuses()) {
    seen.push(requestId);
    if (seen.length === entries.length) break;
  }
  assert.deepEqual(
    seen,
    entries.map(({ requestId }) => requestId),
  );
});
