// The operations of the client against a playground.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { ApiError } from './errors/api-error.js';
import { ConfigurationError } from './errors/landfall-error.js';
import { TokenError } from './errors/token-error.js';
import { Landfall } from './landfall.js';
import { startTestPlayground } from './testing/playground.js';

const playground = await startTestPlayground();

function houseConsignment(documentNumber = 'NO100000001MU') {
  return {
    requestId: randomUUID(),
    customsOfficeOfPresentation: 'NO351001',
    transportDocumentHouseLevel: { documentNumber, type: 'N750' },
  } as const;
}

test('a carrier presents, and reads the status and the signal', async () => {
  const carrier = await playground.client('carrier');
  const presentation = houseConsignment();
  const accepted = await carrier.presentHouseConsignment(presentation);
  assert.equal(accepted.requestId, presentation.requestId);

  const status = await carrier.getValidationStatus(presentation.requestId);
  assert(!Array.isArray(status));
  assert.equal(status.status, 'SUCCESS');

  const signals = await carrier.readRoutingSignals();
  assert.deepEqual(
    signals.entries.map(({ routingResult }) => routingResult.routing),
    ['TO_CONTROL'],
  );
  assert.equal(signals.next, undefined);
});

test('a foreign business presents with its eSeal', async () => {
  const express = await playground.client('express');
  const accepted = await express.presentHouseConsignment(houseConsignment('NO100000002MU'));
  assert.match(accepted.requestId, /^[0-9a-f-]{36}$/);
});

test('a list is read page by page', async () => {
  const forwarder = await playground.client('forwarder');
  const sent: string[] = [];
  for (let count = 0; count < 5; count++) {
    sent.push((await forwarder.presentHouseConsignment(houseConsignment())).requestId);
  }
  const read: string[] = [];
  let query: { marker?: string | undefined; limit?: number | undefined } | undefined = { limit: 2 };
  while (query !== undefined) {
    const page = await forwarder.listValidationStatuses(query);
    read.push(...page.entries.map(({ requestId }) => requestId));
    query = page.next;
  }
  assert.deepEqual(read, sent);
});

test('a refused request has every broken rule, and its id', async () => {
  const carrier = await playground.client('carrier');
  const refused = carrier.presentHouseConsignment({
    ...houseConsignment('UNKNOWN'),
    customsOfficeOfPresentation: 'XX000000',
  });
  await assert.rejects(refused, (error) => {
    assert(error instanceof ApiError);
    assert.equal(error.status, 400);
    assert.equal(error.operationId, 'presentHouseConsignment');
    assert(error.has('REFERENCE_NOT_FOUND') && error.has('UNKNOWN_CODE'), error.message);
    assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(error.outcomeUnknown, false);
    return true;
  });
});

test('a scope that customs has not granted is an error of the exchange', async () => {
  const newcomer = await playground.client('newcomer');
  await assert.rejects(newcomer.readRoutingSignals(), (error) => {
    assert(error instanceof TokenError);
    assert.equal(error.step, 'exchange');
    assert.equal(error.error, 'invalid_scope');
    return true;
  });
});

test('a scope that is not configured is not requested', async () => {
  const statistics = await playground.client('statistics');
  await assert.rejects(statistics.readRoutingSignals(), (error) => {
    assert(error instanceof ConfigurationError);
    assert.match(error.message, /customs:movement\/entry/);
    return true;
  });
});

test('public operations need no credentials, others say so', async () => {
  const anyone = new Landfall({ baseUrl: `${playground.baseUrl}/` });
  assert.equal(await anyone.getLiveness(), 'OK');
  assert((await anyone.getCustomsKeys()).keys.length > 0);
  await assert.rejects(anyone.testAuth(), ConfigurationError);
});

test('the authority uploads lines and reads results as they come', async () => {
  const authority = await playground.client('authority');
  const decide = (documentNumber: string) => ({
    mrn: '23NO00000000000003',
    transportDocumentHouseLevel: { documentNumber, type: 'N740' as const },
    routing: 'TO_CONTROL' as const,
  });
  async function* decisions() {
    yield decide('HC001');
    yield decide('UNKNOWN');
  }
  const statuses: string[] = [];
  for await (const { status } of await authority.postRoutingDecisions(decisions())) {
    statuses.push(status);
  }
  assert.deepEqual(statuses, ['DECIDED', 'REFUSED']);
  const again = await authority.postRoutingDecisions([decide('HC001')]);
  assert.deepEqual(
    (await again.toArray()).map(({ status }) => status),
    ['UNCHANGED'],
  );
});

test('an upload ends with the error of its source', async () => {
  const authority = await playground.client('authority');
  async function* broken() {
    yield { mrn: '23NO00000000000009', houseConsignment: houseConsignment() };
    throw new RangeError('the disk is gone');
  }
  const upload = async () => (await authority.postEntrySummaryDeclarations(broken())).toArray();
  await assert.rejects(upload(), new RangeError('the disk is gone'));
});
