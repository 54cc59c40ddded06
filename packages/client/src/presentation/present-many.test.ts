// Presenting many through a faulty proxy, and resuming from a journal.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { PresentationUnknownError } from '../errors/outcome-unknown-error.js';
import { TokenError } from '../errors/token-error.js';
import type { Landfall } from '../landfall.js';
import { MemoryJournal } from '../settling/journal.js';
import { type Fault, startFaultyProxy } from '../testing/faulty-proxy.js';
import { startTestPlayground } from '../testing/playground.js';
import type { PresentationOutcome } from './present-many.js';

const playground = await startTestPlayground({ rateLimit: 0 });
const proxy = await startFaultyProxy(playground.baseUrl);
const retry = { baseDelayMs: 5, maxDelayMs: 20 };
// Without strict handling: the items have a member of their own.
const carrier = await playground.client('carrier', { baseUrl: proxy.url, retry, headers: {} });
const direct = await playground.client('carrier', { headers: {} });

const PATH = '/presentation/v1/house-consignment';

/** Has the member `row`, which the service ignores, so that each item is distinct. */
type Item = ReturnType<typeof parcel>;

function parcel(row: number, documentNumber = 'NO100000001MU') {
  return {
    row,
    customsOfficeOfPresentation: 'NO351001',
    transportDocumentHouseLevel: { documentNumber, type: 'N750' },
  } as const;
}

function* parcels(count: number): Generator<Item> {
  for (let row = 0; row < count; row++) yield parcel(row);
}

async function collect(
  ...[source, options]: Parameters<Landfall['presentMany']>
): Promise<PresentationOutcome<Item>[]> {
  const outcomes: PresentationOutcome<Item>[] = [];
  // The cast is true because every source of this file has such items.
  const read = carrier.presentMany(source, options) as AsyncIterable<PresentationOutcome<Item>>;
  for await (const outcome of read) outcomes.push(outcome);
  return outcomes.sort((a, b) => a.index - b.index);
}

/** The requestIds of all recorded requests of the carrier. */
async function recordedRequestIds(): Promise<string[]> {
  const requestIds: string[] = [];
  let query: { marker?: string | undefined } | undefined = {};
  while (query !== undefined) {
    const page = await direct.listValidationStatuses(query);
    requestIds.push(...page.entries.map(({ requestId }) => requestId));
    query = page.next;
  }
  return requestIds;
}

/** Asserts that the service has recorded what was reported, and nothing else, since a number of requests. */
async function assertRecorded(
  outcomes: readonly { requestId: string }[],
  since: number,
): Promise<void> {
  const recorded = (await recordedRequestIds()).slice(since).sort();
  assert.deepEqual(recorded, outcomes.map(({ requestId }) => requestId).sort());
}

function countSent(): number {
  return proxy.requests.filter((line) => line.includes(PATH)).length;
}

test('each item is presented or refused, with its errors', async () => {
  const items = [parcel(0), parcel(1, 'MISSING'), parcel(2)];
  const outcomes = await collect(items);
  assert.deepEqual(
    outcomes.map(({ item, index, outcome, errors, isFromJournal }) => [
      item,
      index,
      outcome,
      errors.map(({ code }) => code),
      isFromJournal,
    ]),
    [
      [items[0], 0, 'presented', [], false],
      [items[1], 1, 'refused', ['REFERENCE_NOT_FOUND'], false],
      [items[2], 2, 'presented', [], false],
    ],
  );
});

test('each item is presented exactly once although connections break at random', async () => {
  const before = (await recordedRequestIds()).length;
  const kinds: Fault[] = [
    'lost-request',
    'lost-response',
    'cut-response',
    'overtaken',
    'repeated',
    { status: 503 },
    { status: 429 },
    'none',
  ];
  for (let count = 0; count < 120; count++) {
    const kind = kinds[Math.floor(Math.random() * kinds.length)] ?? 'none';
    proxy.fail(count % 4 === 3 ? '/validation-status/' : PATH, kind);
  }
  const outcomes = await collect(parcels(200), { timeoutMs: 1000 });
  proxy.reset();
  assert.equal(outcomes.length, 200);
  const others = outcomes.filter(({ outcome }) => outcome !== 'presented');
  assert.deepEqual(others, []);
  await assertRecorded(outcomes, before);
});

test('a run that failed is resumed from its journal', async () => {
  const before = (await recordedRequestIds()).length;
  const journal = new MemoryJournal();
  proxy.fail(PATH, ...new Array<Fault>(10).fill('none'), 'lost-response');
  proxy.fail('/validation-status/', ...new Array<Fault>(1000).fill({ status: 503 }));
  const options = { journal, concurrency: 4 };
  const failing = { ...options, settleWithinMs: 500 };
  await assert.rejects(collect(parcels(30), failing), PresentationUnknownError);
  proxy.reset();

  const sentBefore = countSent();
  const outcomes = await collect(parcels(30), options);
  const fromJournal = outcomes.filter(({ isFromJournal }) => isFromJournal).length;
  assert(fromJournal >= 10 && fromJournal < 30, `${fromJournal} from the journal`);
  // The one whose response was lost is settled by its status.
  assert.equal(countSent() - sentBefore, 30 - fromJournal - 1);
  await assertRecorded(outcomes, before);

  const again = await collect(parcels(30), options);
  assert.equal(countSent() - sentBefore, 30 - fromJournal - 1);
  assert.deepEqual(
    again,
    outcomes.map((outcome) => ({ ...outcome, isFromJournal: true })),
  );
});

test('a service that fails for every item ends the run, one that fails for one does not', async () => {
  const options = { concurrency: 2, settleWithinMs: 200 };
  proxy.fail(PATH, ...new Array<Fault>(1000).fill({ status: 500 }));
  proxy.fail('/validation-status/', ...new Array<Fault>(10_000).fill({ status: 500 }));
  const sentBefore = countSent();
  const seen: string[] = [];
  await assert.rejects(async () => {
    for await (const { outcome } of carrier.presentMany(parcels(100), options)) seen.push(outcome);
  }, PresentationUnknownError);
  proxy.reset();
  assert.deepEqual(seen, ['failed', 'failed']);
  assert(countSent() - sentBefore <= 8);
});

test('a refusal is reported again from the journal', async () => {
  const journal = new MemoryJournal();
  const [first] = await collect([parcel(0, 'MISSING')], { journal });
  const [second] = await collect([parcel(0, 'MISSING')], { journal });
  assert.deepEqual(second, { ...first, isFromJournal: true });
  assert.equal(second?.errors.length, 1);
});

test('the requestId is in the journal before the item is sent, the outcome before it is reported', async () => {
  const journal = new MemoryJournal();
  const events: string[] = [];
  const observed = {
    read: (key: string) => journal.read(key),
    write: async (entry: Parameters<MemoryJournal['write']>[0]) => {
      const sent = countSent();
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(countSent(), sent, 'sent while its entry was being written');
      await journal.write(entry);
      events.push(entry.outcome ?? 'requestId');
    },
  };
  for await (const { outcome } of carrier.presentMany([parcel(0)], { journal: observed })) {
    events.push(`reported ${outcome}`);
  }
  assert.deepEqual(events, ['requestId', 'presented', 'reported presented']);
});

test('no more presentations are in progress than allowed', async () => {
  const journal = new MemoryJournal();
  const inProgress = new Set<string>();
  let maxInProgress = 0;
  const observed = {
    read: (key: string) => journal.read(key),
    write: async (entry: Parameters<MemoryJournal['write']>[0]) => {
      if (entry.outcome === undefined) inProgress.add(entry.key);
      else inProgress.delete(entry.key);
      maxInProgress = Math.max(maxInProgress, inProgress.size);
      await journal.write(entry);
    },
  };
  await collect(parcels(20), { journal: observed, concurrency: 3 });
  assert.equal(maxInProgress, 3);
});

test('nothing is sent when the journal cannot be written', async () => {
  const failure = new Error('the disk is full');
  const journal = { read: async () => undefined, write: () => Promise.reject(failure) };
  const sent = countSent();
  await assert.rejects(collect(parcels(5), { journal }), failure);
  assert.equal(countSent(), sent);
});

test('equal items are presented once', async () => {
  const journal = new MemoryJournal();
  const { row, ...item } = parcel(0);
  const reordered = Object.fromEntries(Object.entries(item).reverse());
  const sent = countSent();
  // The casts are true because the members are the same.
  const source = [item, { ...item, requestId: randomUUID() }, reordered] as Item[];
  const outcomes = await collect(source, { journal });
  assert.equal(countSent() - sent, 1);
  assert.equal(new Set(outcomes.map(({ requestId }) => requestId)).size, 1);
  assert.equal(outcomes.filter(({ isFromJournal }) => isFromJournal).length, 2);
});

test('a key is that of one presentation; what was refused may be corrected', async () => {
  const journal = new MemoryJournal();
  const options = { journal, keyOf: () => 'row 1' };
  const [refused] = await collect([parcel(1, 'MISSING')], options);
  const [corrected] = await collect([parcel(1)], options);
  assert.deepEqual([refused?.outcome, corrected?.outcome], ['refused', 'presented']);
  assert.notEqual(refused?.requestId, corrected?.requestId);
  await assert.rejects(collect([parcel(2)], options), ConfigurationError);
});

test('a requestId of the item is used, and one that was used before is refused', async () => {
  const requestId = randomUUID();
  const [first] = await collect([{ ...parcel(0), requestId }]);
  assert.deepEqual([first?.requestId, first?.outcome], [requestId, 'presented']);
  const [second] = await collect([{ ...parcel(1), requestId }]);
  assert.deepEqual(
    [second?.outcome, second?.errors.map(({ code }) => code)],
    ['refused', ['REQUEST_ID_REUSED']],
  );
});

test('an overloaded service is waited for, longer than a single call would', async () => {
  proxy.fail(PATH, ...new Array<Fault>(8).fill({ status: 429 }));
  const [outcome] = await collect([parcel(0)]);
  assert.equal(outcome?.outcome, 'presented');

  const startedAt = Date.now();
  proxy.fail(PATH, { status: 429, headers: { 'retry-after': '1' } });
  await collect(parcels(3), { concurrency: 1 });
  assert(Date.now() - startedAt >= 1000, 'Retry-After was not honoured');
});

test('one item that fails does not end the rest, and is presented by the next run', async () => {
  const before = (await recordedRequestIds()).length;
  const journal = new MemoryJournal();
  const refusedByFirewall = { status: 400, body: '<html>Request blocked</html>' };
  const faults: Fault[] = [{ status: 403 }, { status: 413 }, { status: 415 }, refusedByFirewall];
  proxy.fail(PATH, ...faults);
  const outcomes = await collect(parcels(100), { journal });
  assert.equal(outcomes.length, 100);
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed');
  const statuses = failed.map(({ error }) => error instanceof ApiError && error.status);
  assert.deepEqual(statuses.sort(), [400, 403, 413, 415]);
  await assertRecorded(
    outcomes.filter(({ outcome }) => outcome === 'presented'),
    before,
  );
  for (const { key, requestId } of failed) {
    assert.deepEqual((await journal.read(key))?.requestId, requestId);
  }
  const again = await collect(parcels(100), { journal });
  assert.deepEqual(new Set(again.map(({ outcome }) => outcome)), new Set(['presented']));
  assert.equal(again.filter(({ isFromJournal }) => isFromJournal).length, 96);
  await assertRecorded(again, before);
});

test('an item whose outcome cannot be found out does not end the rest', async () => {
  const before = (await recordedRequestIds()).length;
  const journal = new MemoryJournal();
  proxy.fail(PATH, 'lost-response');
  proxy.fail('/validation-status/', { status: 403 });
  const options = { journal, concurrency: 1 };
  const [first, ...others] = await collect(parcels(5), options);
  assert.equal(first?.outcome, 'failed');
  assert(first.error instanceof PresentationUnknownError);
  assert.equal(first.error.requestId, first.requestId);
  assert.deepEqual(new Set(others.map(({ outcome }) => outcome)), new Set(['presented']));
  await assertRecorded(await collect(parcels(5), options), before);
});

test('what concerns all items ends the run', async () => {
  proxy.fail('/oauth/token', { status: 400, body: '{"error":"invalid_grant"}' });
  const newcomer = await playground.client('carrier', { baseUrl: proxy.url, retry });
  const run = async () => {
    for await (const _ of newcomer.presentMany(parcels(100)));
  };
  await assert.rejects(run, TokenError);
  await assert.rejects(async () => collect(parcels(1), { concurrency: 0 }), ConfigurationError);
});

test('what was refused before is presented again if that is wanted', async () => {
  const journal = new MemoryJournal();
  const missing = parcel(7, 'MISSING');
  const [refused] = await collect([missing], { journal });
  const [kept] = await collect([missing], { journal });
  assert.deepEqual([refused?.requestId, true], [kept?.requestId, kept?.isFromJournal]);
  const [again, equal] = await collect([missing, missing], { journal, retryRefused: true });
  assert.notEqual(again?.requestId, refused?.requestId);
  assert.equal(again?.isFromJournal, false);
  assert.deepEqual([equal?.requestId, equal?.isFromJournal], [again?.requestId, true]);
});

test('a requestId that was used before the run is refused, also when it is run again', async () => {
  const requestId = randomUUID();
  const item = { ...parcel(0), requestId };
  await direct.presentHouseConsignment({ ...parcel(1), requestId });
  const journal = new MemoryJournal();
  for (const isFromJournal of [false, true]) {
    const [outcome] = await collect([item], { journal });
    assert.equal(outcome?.outcome, 'refused');
    assert.deepEqual(
      outcome.errors.map(({ code }) => code),
      ['REQUEST_ID_REUSED'],
    );
    assert.equal(outcome.isFromJournal, isFromJournal);
  }
});

test('an abort ends the run, which can be resumed', async (t) => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  const before = (await recordedRequestIds()).length;
  const journal = new MemoryJournal();
  const controller = new AbortController();
  const reason = new Error('stop');
  let count = 0;
  await assert.rejects(async () => {
    const options = { journal, signal: controller.signal };
    for await (const _ of carrier.presentMany(parcels(100), options)) {
      if (++count === 20) controller.abort(reason);
    }
  }, reason);
  await assertRecorded(await collect(parcels(100), { journal }), before);
  assert.deepEqual(warnings, []);
});
