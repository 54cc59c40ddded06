// The client library meets the scenarios around movement declarations.
import assert from 'node:assert/strict';
import type { MovementMessage } from '../../../client/dist/index.js';
import {
  houseMessage,
  inHours,
  transportMessage,
} from '../../../service/dist/testing/movement-client.js';
import { until } from '../../../service/dist/testing/until.js';
import type { Playground } from '../playground.js';
import { type ClientCases, clientOf, countRequests, PRESENT_PATH, parcel } from './client-case.js';

/** The samples are messages of the contract, with wider types. */
const message = (sample: object) => sample as MovementMessage;

/** Lodges a transport as the carrier; gives its MRN. */
async function lodgeTransport(playground: Playground, means: string): Promise<string> {
  const transport = message(transportMessage(means));
  const { status, mrn } = await clientOf(playground, 'carrier').lodgeMovement('road', transport);
  assert.equal(status, 'SUCCESS');
  return mrn ?? assert.fail('there is no MRN');
}

export const movementCases = {
  'late-status': {
    'a message is lodged once, and its status is read when it is found': async (playground) => {
      playground.scenarios.add({ kind: 'late-status', foundAfter: 2 });
      const forwarder = clientOf(playground, 'forwarder');
      const { status, mrn } = await forwarder.lodgeMovement('road', message(houseMessage('LATE')));
      assert.equal(status, 'SUCCESS');
      assert.deepEqual(
        (await forwarder.listMovementStatuses()).entries.map((entry) => entry.mrn),
        [mrn],
      );
      const reads = playground
        .requests()
        .filter(({ url }) => url.includes('/validation-status/'))
        .map(({ response }) => response?.status);
      assert.ok(reads.length > 1 && reads.slice(0, -1).every((code) => code === 404), `${reads}`);
      assert.equal(reads.at(-1), 200);
    },
    'so is an arrival': async (playground) => {
      const mrn = await lodgeTransport(playground, 'LATE1');
      playground.scenarios.add({ kind: 'late-status', foundAfter: 2 });
      const { status } = await clientOf(playground, 'carrier').reportArrival({
        mrn,
        dateAndTimeOfArrival: inHours(-0.1),
        customsOfficeOfArrival: { referenceNumber: 'NO371001' },
      });
      assert.equal(status, 'SUCCESS');
    },
    'a presentation whose response was lost is settled, and presents once': async (playground) => {
      playground.scenarios.add({ kind: 'late-status', foundAfter: 2 });
      playground.scenarios.add({
        kind: 'lost-response',
        operation: 'presentHouseConsignment',
        times: 1,
      });
      const carrier = clientOf(playground, 'carrier');
      await carrier.presentHouseConsignment(parcel);
      assert.ok(countRequests(playground, 'POST', PRESENT_PATH) > 0);
      assert.equal((await carrier.listValidationStatuses()).entries.length, 1);
      assert.equal((await carrier.readRoutingSignals()).entries.length, 1);
    },
    'a read that waits has it when the clock is there': async (playground) => {
      await playground.setClock({ running: false });
      const carrier = clientOf(playground, 'carrier');
      const { requestId } = await carrier.presentHouseConsignment(parcel);
      playground.scenarios.add({ kind: 'late-status', foundAfter: 3600 });
      await assert.rejects(carrier.getValidationStatus(requestId), { status: 404 });
      await assert.rejects(carrier.getValidationStatus(requestId, {}, { waitSeconds: 1 }), {
        status: 404,
      });
      const applied = () => playground.scenarios.list()[0]?.applied;
      assert.equal(applied(), 2);
      const waiting = carrier.getValidationStatus(requestId, {}, { waitSeconds: 30 });
      await until(() => applied() === 3);
      await playground.setClock({ advance: 3600 });
      const status = await waiting;
      assert.ok(!Array.isArray(status) && status.status === 'SUCCESS');
      // A status that is found anyway counts for nothing.
      const before = applied();
      assert.deepEqual(await carrier.getValidationStatus(requestId), status);
      assert.equal(applied(), before);
    },
  },
} satisfies Partial<ClientCases>;
