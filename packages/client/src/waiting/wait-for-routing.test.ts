// Waiting for the routings of many documents on a playground: each once, from the past, by look-up, and as they come.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { RoutingPendingError } from '../errors/routing-pending-error.js';
import { MemoryMarkerStore } from '../following/marker-store.js';
import { startTestPlayground } from '../testing/playground.js';
import type { RoutedDocument } from './wait-for-routing.js';

const playground = await startTestPlayground();
const authority = await playground.client('authority');
const requests: string[] = [];
const carrier = await playground.client('carrier', {
  hooks: { onRequest: ({ operationId }) => void requests.push(operationId) },
});
let masters = 0;

/**
 * Registers and presents house consignments of one master consignment, of which the first `decided` are decided. They are
 * in declarations of at most 1,000.
 */
async function presentMaster(count: number, decided: number) {
  masters += 1;
  const master = { documentNumber: `MASTER-${masters}`, type: 'N741' } as const;
  const items = Array.from({ length: count }, (_, index) => ({
    mrn: `26NO${String(masters).padStart(8, '0')}${String(Math.floor(index / 1000)).padStart(6, '0')}`,
    transportDocumentHouseLevel: {
      documentNumber: `HÅ ${masters}-${index}`,
      type: 'N740',
    } as const,
  }));
  for (let first = 0; first < count; first += 1000) {
    const part = items.slice(first, first + 1000);
    const mrn = part[0]?.mrn ?? '';
    await authority.putEntrySummaryDeclaration(mrn, {
      mrn,
      customsOfficeOfFirstEntry: 'NO351001',
      declarant: '0192:310000078',
      houseConsignments: part.map(({ transportDocumentHouseLevel }, index) => ({
        transportDocumentHouseLevel,
        transportDocumentMasterLevel: master,
        ...(first + index < decided && { routing: 'TO_ENTRY' as const }),
      })),
    });
    await carrier.presentMasterConsignment({
      customsOfficeOfPresentation: 'NO351001',
      transportDocumentMasterLevel: master,
      mrn,
    });
  }
  return items;
}

type Item = Awaited<ReturnType<typeof presentMaster>>[number];

const decide = async (items: readonly Item[], routing: 'TO_ENTRY' | 'TO_CONTROL') => {
  const decisions = items.map((item) => ({
    ...item,
    routing,
    ...(routing === 'TO_CONTROL' && { routingControlLocation: 'ON_ENTRY' as const }),
    reason: 'test',
  }));
  const results = await authority.postRoutingDecisions(decisions);
  for await (const { status } of results) assert.equal(status, 'DECIDED');
};

/** The marker after everything that the feed has. */
async function endOfFeed(): Promise<string> {
  let marker: string | undefined;
  let query: { marker?: string | undefined; limit?: number | undefined } | undefined = {
    limit: 1000,
  };
  while (query !== undefined) {
    const page: Awaited<ReturnType<typeof carrier.readRoutingSignals>> =
      await carrier.readRoutingSignals(query);
    marker = page.entries.at(-1)?.routingResult.id ?? marker;
    query = page.next;
  }
  return marker ?? '';
}

test('4,000 documents of one master are handed out once each, with one reader of the feed', async () => {
  const before = await presentMaster(3, 3);
  const store = new MemoryMarkerStore(await endOfFeed());
  const items = await presentMaster(4000, 2500);
  requests.length = 0;
  const seen = new Set<number>();
  const wait = carrier.waitForRouting(items, { store, lookUp: false });
  for await (const { index, item, routing, signal } of wait) {
    assert.equal(item, items[index]);
    assert(!seen.has(index));
    seen.add(index);
    assert.equal(signal?.transportDocumentHouseLevel.documentNumber, `HÅ ${masters}-${index}`);
    assert.equal(routing, index < 2500 ? 'TO_ENTRY' : 'TO_CONTROL');
    // What is left is decided while it is waited for.
    if (seen.size === 2500) void decide(items.slice(2500), 'TO_CONTROL');
  }
  assert.equal(seen.size, 4000);
  assert.deepEqual(wait.pending, []);
  const reads = requests.filter((name) => name === 'readRoutingSignals').length;
  assert(reads < 20, `${reads} requests`);
  assert.equal(store.marker, await endOfFeed());
  // Those of before the marker are not in what was read; without a marker they are.
  const routed = await carrier.waitForRouting(before).toArray();
  assert.deepEqual(
    routed.map(({ item, routing }) => [item, routing]),
    before.map((item) => [item, 'TO_ENTRY']),
  );
});

test('the last signal of the past applies, and spellings of a document are one document', async () => {
  const [item] = await presentMaster(1, 1);
  assert(item);
  await decide([item], 'TO_CONTROL');
  const { documentNumber } = item.transportDocumentHouseLevel;
  const spelled = {
    transportDocumentHouseLevel: {
      ...item.transportDocumentHouseLevel,
      documentNumber: ` ${documentNumber.toLowerCase().normalize('NFD')}`,
    },
  };
  const routed = await carrier.waitForRouting([spelled, item]).toArray();
  assert.deepEqual(
    routed.map(({ routing, routingControlLocation }) => [routing, routingControlLocation]),
    [
      ['TO_CONTROL', 'ON_ENTRY'],
      ['TO_CONTROL', 'ON_ENTRY'],
    ],
  );
});

test('what was decided before the marker is looked up, and a later decision comes by the feed', async () => {
  const items = await presentMaster(40, 30);
  const marker = await endOfFeed();
  const seen: RoutedDocument<Item>[] = [];
  for await (const routed of carrier.waitForRouting(items, { marker })) {
    seen.push(routed);
    if (seen.length === 30) await decide(items.slice(30), 'TO_CONTROL');
  }
  const lookedUp = seen.filter(({ signal }) => signal === undefined);
  assert.deepEqual(
    lookedUp.map(({ index }) => index).sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, index) => index),
  );
  assert(lookedUp.every(({ routing }) => routing === 'TO_ENTRY'));
  assert.deepEqual(
    seen
      .filter(({ routing }) => routing === 'TO_CONTROL')
      .map(({ index }) => index)
      .sort((a, b) => a - b),
    Array.from({ length: 10 }, (_, index) => 30 + index),
  );
});

/** Holds timers of this delay back until the test lets their time be over: a busy machine needs longer than any. */
function holdTimers(t: TestContext, heldMs: number): () => void {
  const { setTimeout: set } = globalThis;
  const held: (() => void)[] = [];
  t.mock.method(globalThis, 'setTimeout', (callback: () => void, ms?: number) => {
    if (ms !== heldMs) return set(callback, ms);
    held.push(callback);
    return undefined;
  });
  return () => {
    for (const callback of held) callback();
  };
}

test('when the time is over, the error has what is left, and the wait is resumed with it', async (t) => {
  const items = await presentMaster(4, 2);
  const store = new MemoryMarkerStore();
  const seen: number[] = [];
  const endTime = holdTimers(t, 1499);
  const onStateChange = () => {
    // All that the feed had is handed out.
    assert.equal(seen.length, 2);
    endTime();
  };
  const wait = carrier.waitForRouting(items, { store, withinMs: 1499, onStateChange });
  const waiting = async () => {
    for await (const { index } of wait) seen.push(index);
  };
  let pending: readonly Item[] = [];
  await assert.rejects(waiting(), (error) => {
    assert(error instanceof RoutingPendingError);
    assert.match(error.message, /^2 documents have no routing after 1.499 s$/);
    assert.equal(error.marker, store.marker);
    pending = error.pending as readonly Item[];
    return true;
  });
  assert.deepEqual(seen, [0, 1]);
  assert.deepEqual(pending, items.slice(2));
  assert.deepEqual(wait.pending, items.slice(2));
  await decide(pending, 'TO_ENTRY');
  const routed = await carrier.waitForRouting(pending, { store }).toArray();
  assert.deepEqual(
    routed.map(({ item }) => item),
    pending,
  );
});

test('when the time is over before all were looked up, the error does not say that they are undecided', async (t) => {
  const items = await presentMaster(60, 60);
  const marker = await endOfFeed();
  const endTime = holdTimers(t, 1498);
  let count = 0;
  const waiting = async () => {
    for await (const { signal } of carrier.waitForRouting(items, { marker, withinMs: 1498 })) {
      assert.equal(signal, undefined);
      if (++count === 3) endTime();
    }
  };
  await assert.rejects(waiting(), (error) => {
    assert(error instanceof RoutingPendingError);
    // 16 are looked up at a time.
    assert(error.notLookedUp >= 60 - 3 - 2 * 16 && error.notLookedUp <= 57, `${error.notLookedUp}`);
    assert.match(error.message, /; \d+ of these were not looked up in this time and may have one/);
    return true;
  });
});

test('what was received in time is handed out, however slow the loop is, and is not pending', async (t) => {
  await presentMaster(1, 1);
  for (const undecided of [0, 1]) {
    const items = await presentMaster(3 + undecided, 0);
    const marker = await endOfFeed();
    await decide(items.slice(0, 3), 'TO_ENTRY');
    const endTime = holdTimers(t, 1497);
    const seen: number[] = [];
    const waiting = async () => {
      for await (const { index } of carrier.waitForRouting(items, { marker, withinMs: 1497 })) {
        seen.push(index);
        endTime();
      }
    };
    if (undecided === 0) await waiting();
    else {
      await assert.rejects(waiting(), (error) => {
        assert(error instanceof RoutingPendingError);
        assert.deepEqual(error.pending, items.slice(3));
        return true;
      });
    }
    assert.deepEqual(seen.sort(), [0, 1, 2]);
  }
});

test('when the time is over before the past was read, nothing is said to be undecided', async (t) => {
  const items = await presentMaster(3, 3);
  for (const marker of [undefined, await endOfFeed()]) {
    const endTime = holdTimers(t, 1496);
    const waiting = carrier.waitForRouting(items, { marker, withinMs: 1496 }).toArray();
    endTime();
    await assert.rejects(waiting, (error) => {
      assert(error instanceof RoutingPendingError);
      assert.deepEqual([error.pending.length, error.notLookedUp], [3, 3]);
      return true;
    });
  }
});

test('an abort ends the wait with its reason, and the end of the loop ends what is waited for', async () => {
  const [item] = await presentMaster(1, 0);
  assert(item);
  for (const modes of [['events'], ['wait'], ['poll']] as const) {
    const stop = new AbortController();
    const reason = new Error('enough');
    const options = { modes, signal: stop.signal, onStateChange: () => stop.abort(reason) };
    await assert.rejects(carrier.waitForRouting([item], options).toArray(), reason);
    let closed = 0;
    const store = { read: () => undefined, write: () => undefined, close: () => void closed++ };
    const iterator = carrier.waitForRouting([item], { modes, store })[Symbol.asyncIterator]();
    const next = iterator.next();
    setTimeout(() => void iterator.return?.(), 200);
    assert.deepEqual(await next, { done: true, value: undefined });
    assert.equal(closed, 1);
  }
});

test('a marker that is not there yet may be given as undefined', async () => {
  const saved: { marker: string | undefined } = { marker: undefined };
  const all = await carrier.readRoutingSignals({});
  assert.deepEqual(await carrier.readRoutingSignals(saved), all);
  assert.equal(await firstOf(carrier.followRouting(saved)), all.entries[0]?.routingResult.id);
});

async function firstOf(following: ReturnType<typeof carrier.followRouting>) {
  for await (const { routingResult } of following) return routingResult.id;
}

test('nothing to wait for ends at once; what has no document is refused before anything is sent', async () => {
  requests.length = 0;
  assert.deepEqual(await carrier.waitForRouting([]).toArray(), []);
  // The cast is what a program without types does.
  const wrong = [{ documentNumber: 'HC001', type: 'N740' }] as unknown as Item[];
  assert.throws(
    () => carrier.waitForRouting(wrong),
    /item 0 must have transportDocumentHouseLevel/,
  );
  for (const withinMs of [-1, Number.NaN, 2 ** 31]) {
    assert.throws(() => carrier.waitForRouting([], { withinMs }), /withinMs must be from 0 to/);
  }
  assert.deepEqual(requests, []);
});
