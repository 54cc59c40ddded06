// `verify` counts what was sent, waits for it, and says how the nearest requests differ.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Landfall } from '../../../client/dist/index.js';
import type { Playground } from '../playground.js';
import { startPlayground } from '../start-playground.js';
import type { Expectation } from './expectation.js';

const parcel = (documentNumber: string) => ({
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber, type: 'N750' as const },
});
const body = (documentNumber: string) => ({ transportDocumentHouseLevel: { documentNumber } });

let playground: Playground;
let carrier: Landfall;
let forwarder: Landfall;
before(async () => {
  playground = await startPlayground();
  carrier = new Landfall(playground.credentials('carrier'));
  forwarder = new Landfall(playground.credentials('forwarder'));
});
after(() => playground.close());
beforeEach(async () => {
  await playground.reset();
});

async function messageOf(expected: Expectation): Promise<string> {
  let message = '';
  await assert.rejects(playground.verify(expected), (error: Error) => {
    assert.equal(error.name, 'VerificationError', error.message);
    message = error.message;
    return true;
  });
  return message;
}

test('every member selects requests, and a request that differs in one is not counted', async () => {
  await carrier.presentHouseConsignment(parcel('NO100000001MU'));
  const whole = {
    operation: 'presentHouseConsignment',
    identity: 'carrier',
    client: playground.credentials('carrier').credentials.clientId,
    organisation: '0192:310000019',
    method: 'POST',
    path: '/api/movement/presentation/v1/house-consignment',
    status: 202,
    body: body('NO100000001MU'),
  } as const satisfies Expectation;
  const other = {
    operation: 'presentContainer',
    identity: 'forwarder',
    client: 'another',
    organisation: '0192:310000027',
    method: 'PUT',
    path: '/api',
    status: 400,
    body: body('NO100000002MU'),
  } as const satisfies Required<Omit<Expectation, 'times' | 'within' | 'scenario'>>;
  assert.equal((await playground.verify({ ...whole, times: 1 })).length, 1);
  for (const [member, value] of Object.entries(other)) {
    const message = await messageOf({ ...whole, [member]: value });
    assert.match(message, /found 0/);
    assert.match(message, new RegExp(`^ {4}${member}.*: expected .*, was `, 'm'));
    await playground.verify({ ...whole, [member]: value, times: 0 });
  }
});

test('the nearest request comes first, with what differs in it', async () => {
  await forwarder.routingSignals();
  await carrier.presentHouseConsignment(parcel('NO100000002MU'));
  const message = await messageOf({
    operation: 'presentHouseConsignment',
    identity: 'carrier',
    body: body('NO100000001MU'),
    times: 2,
  });
  const lines = message.split('\n');
  assert.equal(lines[0], 'expected exactly 2 requests, found 0:');
  const nearest = lines.findIndex((line) => line.startsWith('The nearest of'));
  assert.match(lines[nearest + 1] ?? '', /^- POST \/api\/movement\S+ by carrier at \S+: 202$/);
  assert.equal(
    lines[nearest + 2],
    '    body.transportDocumentHouseLevel.documentNumber: expected "NO100000001MU", was "NO100000002MU"',
  );
});

test('it waits for the nth request, and not longer', async () => {
  const expected = {
    operation: 'readRoutingSignals',
    times: { atLeast: 2 },
    within: 20_000,
  } as const;
  void carrier.routingSignals();
  const found = playground.verify(expected);
  setTimeout(() => void carrier.routingSignals(), 50);
  assert.equal((await found).length, 2);
});

test('too many requests are wrong at once, also while it waits for none', async () => {
  const none = playground.verify({ operation: 'readRoutingSignals', times: 0, within: 20_000 });
  void carrier.routingSignals();
  await assert.rejects(none, /expected exactly 0 requests within 20000 ms, found 1/);
});

test('requests on which a scenario took effect are counted, with their caller', async () => {
  playground.scenarios.add({ kind: 'lost-response', times: 1 });
  await carrier.presentHouseConsignment(parcel('NO100000001MU'));
  await playground.verify({ scenario: 'lost-response', identity: 'carrier', times: 1 });
  await assert.rejects(
    playground.verify({ scenario: 'delay' }),
    /scenario: expected "delay", was /,
  );
});

test('what is expected is checked, and the error names the member', async () => {
  for (const [wrong, field] of [
    [{ identity: 5 }, 'identity'],
    [{ operaton: 'presentHouseConsignment' }, 'operaton'],
    [{ times: -1 }, 'times'],
    [{ times: {} }, 'times'],
    [{ times: { atLeast: 2, atMost: 1 } }, 'times.atLeast'],
    [{ within: 60_001 }, 'within'],
    [null, ''],
  ] as const) {
    // The cast is true in the sense of a program without types.
    await assert.rejects(
      playground.verify(wrong as Expectation),
      (error: { errors?: unknown[] }) => {
        assert.match(JSON.stringify(error.errors), new RegExp(`"field":"${field}`));
        return true;
      },
    );
  }
});

test('over HTTP, what is not as expected is no success', async () => {
  await carrier.presentHouseConsignment(parcel('NO100000001MU'));
  const post = (expected: object) =>
    fetch(`${playground.baseUrl}/playground/verifications`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(expected),
    });
  const verified = await post({ operation: 'presentHouseConsignment', times: 1 });
  assert.equal(verified.status, 200);
  assert.match(await verified.text(), /^{"count":1,.*"name":"carrier"/);
  const failed = await post({ operation: 'presentHouseConsignment', times: 2 });
  assert.equal(failed.status, 412);
  assert.match(await failed.text(), /"detail":"expected exactly 2 requests, found 1:/);
  assert.equal((await post({ times: 'often' })).status, 400);
});
