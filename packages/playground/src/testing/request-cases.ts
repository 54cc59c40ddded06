// The client library meets the scenarios of single requests.
import assert from 'node:assert/strict';
import { ApiError, type Landfall } from '../../../client/dist/index.js';
import type { Playground } from '../playground.js';
import { type ClientCases, clientOf, countRequests, PRESENT_PATH, parcel } from './client-case.js';

/** The goods are presented by one request, and signalled once. */
async function assertPresentedOnce(carrier: Landfall): Promise<void> {
  const statuses = await carrier.listValidationStatuses();
  assert.deepEqual(
    statuses.entries.map(({ status }) => status),
    ['SUCCESS'],
  );
  assert.equal((await carrier.readRoutingSignals()).entries.length, 1);
}

const presentRequests = (playground: Playground) => countRequests(playground, 'POST', PRESENT_PATH);

/** A client that collects the pauses before it repeats a request. */
function pausingClient(playground: Playground): { carrier: Landfall; pauses: number[] } {
  const pauses: number[] = [];
  const carrier = clientOf(playground, 'carrier', {
    hooks: { onRetry: ({ delayMs }) => pauses.push(delayMs) },
  });
  return { carrier, pauses };
}

export const requestCases = {
  delay: {
    'a presentation that takes too long is settled, and presents once': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({
        kind: 'delay',
        milliseconds: 700,
        operation: 'presentHouseConsignment',
        times: 1,
      });
      await carrier.presentHouseConsignment(parcel, { timeoutMs: 300 });
      // The first request is handled after the second one, and is refused.
      await new Promise((resolve) => setTimeout(resolve, 800));
      await assertPresentedOnce(carrier);
    },
    'while the identity provider is slow, the token that is still valid is used': async (
      playground,
    ) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'short-lived-token', lifetime: 8, times: 1 });
      await carrier.readRoutingSignals();
      playground.scenarios.add({
        kind: 'delay',
        milliseconds: 600_000,
        operation: 'requestAccessToken',
      });
      // Half of its lifetime is left: it is time to renew it.
      await new Promise((resolve) => setTimeout(resolve, 4_100));
      await carrier.readRoutingSignals();
    },
  },
  'lost-response': {
    'a presentation that was carried out is not sent again': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'lost-response', times: 1 });
      await carrier.presentHouseConsignment(parcel);
      assert.equal(presentRequests(playground), 1);
      await assertPresentedOnce(carrier);
    },
    'a presentation that was not carried out is sent again': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'lost-response', committed: false, times: 1 });
      await carrier.presentHouseConsignment(parcel);
      assert.equal(presentRequests(playground), 2);
      await assertPresentedOnce(carrier);
    },
    'a read is repeated': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({
        kind: 'lost-response',
        operation: 'readRoutingSignals',
        times: 2,
      });
      assert.deepEqual((await carrier.readRoutingSignals()).entries, []);
    },
  },
  'too-many-requests': {
    'it waits as long as Retry-After says': async (playground) => {
      const { carrier, pauses } = pausingClient(playground);
      playground.scenarios.add({ kind: 'too-many-requests', retryAfter: 1, times: 1 });
      await carrier.presentHouseConsignment(parcel);
      assert.equal(pauses.length, 1);
      assert(pauses.every((pause) => pause >= 1000));
      await assertPresentedOnce(carrier);
    },
    'also for a token': async (playground) => {
      const { carrier, pauses } = pausingClient(playground);
      playground.scenarios.add({
        kind: 'too-many-requests',
        operation: 'exchangeToken',
        retryAfter: 1,
        times: 1,
      });
      await carrier.testAuth();
      assert(pauses.length === 1 && pauses.every((pause) => pause >= 1000));
    },
  },
  'service-unavailable': {
    'it waits as long as Retry-After says, and presents once': async (playground) => {
      const { carrier, pauses } = pausingClient(playground);
      playground.scenarios.add({ kind: 'service-unavailable', retryAfter: 1, times: 1 });
      await carrier.presentHouseConsignment(parcel);
      assert(pauses.some((pause) => pause >= 1000));
      await assertPresentedOnce(carrier);
    },
  },
  'internal-error': {
    'a presentation is settled, and presents once': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'internal-error', times: 1 });
      await carrier.presentHouseConsignment(parcel);
      assert.equal(presentRequests(playground), 2);
      await assertPresentedOnce(carrier);
    },
    'a request for a token is repeated': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({
        kind: 'internal-error',
        operation: 'requestAccessToken',
        times: 2,
      });
      await carrier.readRoutingSignals();
      assert.equal(countRequests(playground, 'POST', '/idp/token'), 3);
    },
    'another request is an error with the id for the operator': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'internal-error' });
      await assert.rejects(carrier.readRoutingSignals(), (error) => {
        assert(error instanceof ApiError);
        assert.equal(error.status, 500);
        assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/);
        return true;
      });
    },
  },
  refusal: {
    'it is reported with its code and member, and not sent again': async (playground) => {
      const carrier = clientOf(playground, 'carrier');
      playground.scenarios.add({ kind: 'refusal', code: 'REFERENCE_NOT_FOUND' });
      await assert.rejects(carrier.presentHouseConsignment(parcel), (error) => {
        assert(error instanceof ApiError && error.has('REFERENCE_NOT_FOUND'));
        assert.equal(error.validationErrors[0]?.field, 'transportDocumentHouseLevel');
        return true;
      });
      assert.equal(presentRequests(playground), 1);
      const { entries } = await carrier.listValidationStatuses();
      assert.deepEqual(
        entries.map(({ status, validationErrorList }) => [status, validationErrorList?.[0]?.code]),
        [['FAILURE', 'REFERENCE_NOT_FOUND']],
      );
    },
  },
} satisfies Partial<ClientCases>;
