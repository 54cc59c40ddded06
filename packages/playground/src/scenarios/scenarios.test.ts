// Scenarios over HTTP: what is accepted, which requests they apply to, for how long, and how they are recorded.
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { Landfall } from '../../../client/dist/index.js';
import { TestReceiver } from '../../../service/dist/testing/receiver.js';
import { until } from '../../../service/dist/testing/until.js';
import { startPlayground } from '../index.js';

const playground = await startPlayground();
after(() => playground.close());
beforeEach(() => playground.reset());

const parcel = {
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber: 'NO100000001MU', type: 'N750' },
} as const;

/** A client that repeats nothing, so that each call is one request. */
const clientOf = (name: string) => new Landfall({ ...playground.credentials(name), retry: false });
const carrier = clientOf('carrier');
const forwarder = clientOf('forwarder');

async function call(method: string, path: string, body?: unknown, headers = {}) {
  const response = await fetch(`${playground.baseUrl}/playground/scenarios${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
  const text = await response.text();
  return {
    status: response.status,
    location: response.headers.get('location'),
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** Does not settle an unknown outcome. */
const present = (client = carrier, requestId: string = crypto.randomUUID()) =>
  client.presentHouseConsignment({ ...parcel, requestId }, { settleWithinMs: 1 });

const read = (client = carrier, headers: Record<string, string> = {}) =>
  client.readRoutingSignals({}, { headers });
const isUnavailable = { status: 503 };

test('a scenario is added, listed with what remains of it, and deleted', async () => {
  const scenario = { kind: 'service-unavailable', operation: 'readRoutingSignals', times: 2 };
  const added = await call('POST', '', scenario);
  assert.equal(added.status, 201);
  const { id, createdAt, ...rest } = added.body;
  assert.deepEqual(rest, { ...scenario, applied: 0, remaining: 2, active: true });
  assert.equal(added.location, `/playground/scenarios/${id}`);
  assert(!Number.isNaN(Date.parse(createdAt)));
  await assert.rejects(read(), isUnavailable);
  const { scenarios } = (await call('GET', '')).body;
  assert.deepEqual([scenarios[0].applied, scenarios[0].remaining], [1, 1]);
  assert.equal((await call('DELETE', `/${id}`)).status, 204);
  assert.equal((await call('DELETE', `/${id}`)).status, 404);
  await read();
  await call('POST', '', scenario);
  assert.equal((await call('DELETE', '')).status, 204);
  assert.deepEqual((await call('GET', '')).body, { scenarios: [] });
  await read();
});

test('an invalid scenario is refused with each member and rule, and changes nothing', async () => {
  const invalid: [unknown, string][] = [
    [{}, 'kind REQUIRED'],
    [{ kind: 'earthquake' }, 'kind UNKNOWN_CODE'],
    [[], ' FORMAT'],
    [{ kind: 'delay' }, 'milliseconds REQUIRED'],
    [{ kind: 'delay', milliseconds: 0 }, 'milliseconds FORMAT'],
    [{ kind: 'delay', milliseconds: 1e9 }, 'milliseconds FORMAT'],
    [{ kind: 'lost-response', commited: true }, 'commited UNKNOWN_MEMBER'],
    [{ kind: 'lost-response', committed: 'no' }, 'committed FORMAT'],
    [{ kind: 'refusal', code: 'NO' }, 'code UNKNOWN_CODE'],
    [{ kind: 'internal-error', operation: 'getMetrics' }, 'operation UNKNOWN_CODE'],
    [{ kind: 'internal-error', identity: 'nobody' }, 'identity UNKNOWN_CODE'],
    [{ kind: 'internal-error', times: 0, seconds: 0.5 }, 'times FORMAT,seconds FORMAT'],
  ];
  for (const [scenario, expected] of invalid) {
    const { status, body } = await call('POST', '', scenario);
    assert.equal(status, 400, JSON.stringify(scenario));
    const errors = body.validationErrors.map(
      ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
    );
    assert.equal(errors.join(), expected, JSON.stringify(scenario));
  }
  assert.equal((await call('GET', '?all=1')).status, 400);
  assert.equal((await call('GET', '', undefined, { origin: 'https://example.com' })).status, 403);
  assert.deepEqual(playground.scenarios.list(), []);
});

test('their number is limited; one that has ended gives way', async () => {
  const scenario = { kind: 'internal-error', operation: 'listGoodsItems' } as const;
  const once = playground.scenarios.add({ kind: 'internal-error', times: 1 });
  for (let count = 1; count < 100; count++) playground.scenarios.add(scenario);
  const { status, body } = await call('POST', '', scenario);
  assert.equal(status, 400);
  assert.equal(body.validationErrors[0].code, 'SIZE');
  await assert.rejects(read(), { status: 500 });
  assert.equal((await call('POST', '', scenario)).status, 201);
  assert(!playground.scenarios.list().some(({ id }) => id === once.id));
});

test('it applies to the requests that it selects by operation, identity and reference', async () => {
  const cases: [object, boolean, boolean, boolean][] = [
    [{}, true, true, true],
    [{ operation: 'readRoutingSignals' }, true, true, false],
    [{ operation: 'presentHouseConsignment' }, false, false, true],
    [{ identity: 'carrier' }, true, false, true],
    [{ identity: 'forwarder' }, false, true, false],
    [{ reference: 'NO100000001MU' }, false, false, true],
    [{ reference: 'HC001' }, false, false, false],
    [{ reference: 'NO100000001MU', identity: 'forwarder' }, false, false, false],
  ];
  const fails = (work: Promise<unknown>) =>
    work.then(
      () => false,
      () => true,
    );
  for (const [selection, ...expected] of cases) {
    await playground.reset();
    // The cast is true because the selections are valid.
    playground.scenarios.add({ kind: 'service-unavailable', ...(selection as object) });
    assert.deepEqual(
      [await fails(read(carrier)), await fails(read(forwarder)), await fails(present())],
      expected,
      JSON.stringify(selection),
    );
  }
});

test('requests for tokens are selected by operation and identity', async () => {
  for (const operation of ['requestAccessToken', 'exchangeToken'] as const) {
    playground.scenarios.clear();
    playground.scenarios.add({ kind: 'too-many-requests', operation, identity: 'express' });
    await assert.rejects(read(clientOf('express')), { code: 'TOKEN', status: 429 });
    await read(clientOf('forwarder'));
  }
});

test('it ends after its seconds by the clock of the playground', async () => {
  await playground.setClock({ running: false });
  playground.scenarios.add({ kind: 'service-unavailable', seconds: 60 });
  await assert.rejects(read(), isUnavailable);
  await playground.setClock({ advance: 59 });
  await assert.rejects(read(), isUnavailable);
  await playground.setClock({ advance: 1 });
  await read();
  const [scenario] = playground.scenarios.list();
  assert.deepEqual([scenario?.active, scenario?.applied], [false, 2]);
});

test('of those that decide the outcome the oldest takes effect, then the next; others are combined', async () => {
  playground.scenarios.add({ kind: 'delay', milliseconds: 20 });
  playground.scenarios.add({ kind: 'service-unavailable', times: 1 });
  playground.scenarios.add({ kind: 'too-many-requests', times: 1, retryAfter: 7 });
  playground.scenarios.add({ kind: 'service-unavailable', times: 1 });
  const outcomes: unknown[] = [];
  for (let count = 0; count < 4; count++) {
    outcomes.push(
      await read().then(
        () => 200,
        ({ status, retryAfterMs }) => [status, retryAfterMs],
      ),
    );
  }
  assert.deepEqual(outcomes, [[503, 1000], [429, 7000], [503, 1000], 200]);
  assert.deepEqual(
    playground.scenarios.list().map(({ applied }) => applied),
    [4, 1, 1, 1],
  );
});

test('a header requests scenarios for its own request', async () => {
  const header = (value: string) => ({ 'Landfall-Scenario': value });
  await assert.rejects(read(carrier, header('too-many-requests;retry-after=3')), {
    status: 429,
    retryAfterMs: 3000,
  });
  await assert.rejects(read(carrier, header('delay;milliseconds=1, internal-error')), {
    status: 500,
  });
  await assert.rejects(read(carrier, header('refusal;code=UNKNOWN_MARKER')), { status: 400 });
  await assert.rejects(read(carrier, header('lost-response;committed=?0')), { code: 'CONNECTION' });
  await read();
  assert.deepEqual(playground.scenarios.list(), []);
});

test('an unreadable header is refused with the parameter and the rule', async () => {
  const invalid: [string, string, RegExp][] = [
    ['', 'Landfall-Scenario', /name a scenario/],
    ['delay;', 'Landfall-Scenario', /RFC 9651/],
    ['"delay"', 'Landfall-Scenario', /tokens/],
    ['(delay)', 'Landfall-Scenario', /tokens/],
    ['earthquake', 'Landfall-Scenario', /one of \[delay, /],
    ['delay', 'Landfall-Scenario.milliseconds', /null/],
    ['delay;milliseconds=a', 'Landfall-Scenario.milliseconds', /integer/],
    ['delay;milliseconds=:AAAA:', 'Landfall-Scenario.milliseconds', /integer/],
    ['service-unavailable;retry-after=-1', 'Landfall-Scenario.retry-after', /between/],
    ['internal-error;times=2', 'Landfall-Scenario.times', /its own request/],
  ];
  for (const [value, field, rule] of invalid) {
    await assert.rejects(
      read(carrier, { 'Landfall-Scenario': value }),
      ({ status, validationErrors: [error] }) => {
        assert.equal(status, 400);
        assert.equal(error.field, field, value);
        assert.match(error.error, rule);
        return true;
      },
    );
  }
});

test('exchanges are recorded with the scenarios that took effect on them, also as HAR', async () => {
  const { id } = playground.scenarios.add({ kind: 'lost-response', reference: 'NO100000001MU' });
  await read();
  playground.clearRequests();
  await assert.rejects(present());
  await assert.rejects(read(carrier, { 'Landfall-Scenario': 'internal-error' }));
  const recorded = playground.requests();
  // Before it, the client asks whether the requestId was used.
  const place = recorded.findIndex(({ method }) => method === 'POST');
  const [lost, failed] = [recorded[place], recorded.at(-1)];
  assert.deepEqual(lost?.scenarios, [{ kind: 'lost-response', id }]);
  assert.equal(lost?.response, undefined);
  assert.deepEqual(failed?.scenarios, [{ kind: 'internal-error' }]);
  const exported = await fetch(`${playground.baseUrl}/playground/requests?format=har`);
  // The cast is true for HAR.
  const har = (await exported.json()) as { log: { entries: { _scenarios: unknown }[] } };
  assert.deepEqual(har.log.entries[place]?._scenarios, [{ kind: 'lost-response', id }]);
});

test('a refused presentation has a validation status with the code', async () => {
  playground.scenarios.add({ kind: 'refusal', code: 'REFERENCE_NOT_FOUND' });
  const requestId = crypto.randomUUID();
  await assert.rejects(present(carrier, requestId), ({ status, validationErrors }) => {
    assert.equal(status, 400);
    assert.equal(validationErrors[0].field, 'transportDocumentHouseLevel');
    return true;
  });
  const { status, validationErrorList } = (await carrier.getValidationStatus(requestId)) as {
    status: string;
    validationErrorList: { code: string }[];
  };
  assert.equal(status, 'FAILURE');
  assert.equal(validationErrorList[0]?.code, 'REFERENCE_NOT_FOUND');
  assert.deepEqual((await read()).entries, []);
});

test('a request that changes data is carried out after its delay although the client has left', async () => {
  playground.scenarios.add({
    kind: 'delay',
    milliseconds: 200,
    operation: 'presentHouseConsignment',
  });
  const requestId = crypto.randomUUID();
  await carrier.testAuth();
  await assert.rejects(
    carrier.presentHouseConsignment({ ...parcel, requestId }, { timeoutMs: 50, settleWithinMs: 1 }),
  );
  for (let attempt = 0; ; attempt++) {
    const status = await carrier.getValidationStatus(requestId).catch(() => undefined);
    if (status !== undefined) break;
    assert(attempt < 100, 'it was not carried out');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});

test('a reset ends what is held back', async () => {
  playground.scenarios.add({ kind: 'delay', milliseconds: 600_000 });
  const held = [read(), present()].map((work) =>
    work.then(
      () => 'done',
      () => 'lost',
    ),
  );
  while (playground.scenarios.list()[0]?.applied !== 2) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const start = performance.now();
  await playground.reset();
  assert(performance.now() - start < 30_000, 'the reset waited');
  assert.deepEqual(await Promise.all(held), ['lost', 'lost']);
});

/** Scenarios of decisions, and those that end a request before it presents anything. */
const ofDecisions = [
  { kind: 'no-decision' },
  { kind: 'late-decision', afterSeconds: 60 },
  { kind: 'changed-decision', afterSeconds: 60 },
  { kind: 'signal-bursts', size: 10 },
] as const;
const ending = [
  { kind: 'too-many-requests' },
  { kind: 'service-unavailable' },
  { kind: 'internal-error' },
  { kind: 'refusal', code: 'REFERENCE_NOT_FOUND' },
  { kind: 'lost-response', committed: false },
] as const;
for (const decision of ofDecisions) {
  for (const end of ending) {
    test(`${decision.kind} is not used up by a request that ${end.kind} ends`, async () => {
      const operation = 'presentHouseConsignment';
      const { id } = playground.scenarios.add({ ...decision, operation, times: 1 });
      playground.scenarios.add({ ...end, operation, times: 1 });
      const remaining = () => playground.scenarios.list().find((each) => each.id === id)?.remaining;
      await assert.rejects(present());
      assert.equal(remaining(), 1);
      await present();
      assert.equal(remaining(), 0);
      const { entries } = await read();
      // A burst that is used up has ended, and what it holds is decided.
      const isDecided = ['changed-decision', 'signal-bursts'].includes(decision.kind);
      assert.equal(entries.length, isDecided ? 1 : 0);
    });
  }
}

test('a scenario of decisions is not used up by goods that are not decided or do not exist', async () => {
  const { id } = playground.scenarios.add({ kind: 'no-decision', times: 1 });
  await assert.rejects(
    carrier.presentHouseConsignment({
      ...parcel,
      transportDocumentHouseLevel: { documentNumber: 'NONE', type: 'N750' },
    }),
  );
  const [state] = playground.scenarios.list();
  assert.deepEqual([state?.id, state?.remaining, state?.applied], [id, 1, 0]);
});

test('a delivery that was kept does not come again after its entries are gone', async (context) => {
  const receiver = await TestReceiver.start();
  context.after(() => receiver.close());
  const house = (documentNumber: string) => ({
    ...parcel,
    transportDocumentHouseLevel: { documentNumber, type: 'N740' as const },
  });
  const { id } = await carrier.createSubscription({ feed: 'routing', url: receiver.url() });
  await until(async () => (await carrier.getSubscription(id)).state === 'ACTIVE');
  await playground.snapshot('subscribed');
  context.after(() => playground.deleteSnapshot('subscribed'));
  const deliver = async (goods: Parameters<typeof carrier.presentHouseConsignment>[0]) => {
    const { length } = receiver.deliveriesTo();
    await carrier.presentHouseConsignment(goods);
    await until(() => receiver.deliveriesTo().length > length);
    await until(async () => (await carrier.getSubscription(id)).pending === 0);
  };
  playground.scenarios.add({ kind: 'out-of-order-delivery' });
  await deliver(parcel);
  await playground.reset('subscribed');
  await deliver(house('HC001'));
  await deliver(house('HC002'));
  const came = receiver.deliveriesTo().map((delivery) => delivery.id);
  assert.equal(came.length, 3);
  assert.equal(new Set(came).size, 3);
});
