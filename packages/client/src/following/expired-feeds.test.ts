// A follower of statuses or signals that comes too late gets an error, and starts again with what is kept.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { MarkerExpiredError } from '../errors/marker-expired-error.js';
import { startTestPlayground } from '../testing/playground.js';

const before = await startTestPlayground();
const early = await before.client('carrier');
const present = async (mrn: string) =>
  early.presentEntrySummaryDeclaration({
    requestId: crypto.randomUUID(),
    customsOfficeOfPresentation: 'NO351001',
    mrn,
  });
for (const number of [1, 2, 3, 4, 5]) await present(`23NO0000000000000${number}`);
const { entries: statuses } = await early.listValidationStatuses();
const { entries: signals } = await early.readRoutingSignals();
// About a second: retention runs when the service starts.
await delay(1100);
const retention = 1 / 86_400;
const playground = await before.restart({ statusRetention: retention, signalRetention: retention });
const carrier = await playground.client('carrier');
const readKept = async () => ({
  statuses: (await carrier.listValidationStatuses()).entries,
  signals: (await carrier.readRoutingSignals()).entries,
});
let kept = await readKept();
for (let attempt = 0; attempt < 200; attempt++) {
  if (kept.statuses.length === 1 && kept.signals.length === 1) break;
  await delay(50);
  kept = await readKept();
}

const isExpired = (marker: string | undefined) => (error: unknown) => {
  assert(error instanceof MarkerExpiredError, String(error));
  assert.deepEqual([error.expired, error.marker], [marker, undefined]);
  assert.match(error.message, /start again without a marker/);
  return true;
};

test('of statuses', async () => {
  const marker = statuses[0]?.requestId ?? '';
  const follow = async () => {
    for await (const status of carrier.followStatuses({ marker })) return status;
  };
  await assert.rejects(follow(), isExpired(marker));
  for await (const status of carrier.followStatuses()) {
    assert.deepEqual(status, statuses.at(-1));
    break;
  }
});

test('of signals', async () => {
  const marker = signals[0]?.routingResult.id ?? '';
  const follow = async () => {
    for await (const signal of carrier.followRouting({ marker })) return signal;
  };
  await assert.rejects(follow(), isExpired(marker));
  for await (const signal of carrier.followRouting()) {
    assert.deepEqual(signal, signals.at(-1));
    break;
  }
});
