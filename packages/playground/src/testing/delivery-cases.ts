// A receiver with the client library meets the scenarios of deliveries: whatever comes, it has each entry once and in order.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PushError, verifyPush } from '../../../client/dist/index.js';
import type { Playground } from '../playground.js';
import { type ClientCase, type ClientCases, clientOf } from './client-case.js';

/** What came to a receiver, and what it made of it. */
type Receiver = {
  /** By `webhook-id`, in the order in which it came; what was refused by its code. */
  came: string[];
  /** The ids of what was processed. */
  entries: string[];
};

const goods = [
  { documentNumber: 'NO100000001MU', type: 'N750' },
  { documentNumber: 'HC001', type: 'N740' },
  { documentNumber: 'HC002', type: 'N740' },
] as const;

/** Presents one house consignment after another, each of whose signals is a delivery, while a receiver does what it must do. */
async function receive(
  playground: Playground,
  isDone: (receiver: Receiver) => boolean,
): Promise<Receiver> {
  const receiver: Receiver = { came: [], entries: [] };
  const processed = new Set<string>();
  let secrets: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    try {
      const push = await verifyPush({ headers: request.headers, body }, secrets);
      if (push.type === 'subscription.verification') return response.end(push.challenge);
      if (push.type === 'routing.signals') {
        receiver.came.push(push.webhookId);
        if (!processed.has(push.webhookId)) {
          receiver.entries.push(...push.data.map(({ routingResult }) => routingResult.id));
          processed.add(push.webhookId);
        }
      }
      response.writeHead(204).end();
    } catch (error) {
      // Before the receiver has the secret, a challenge is refused.
      if (error instanceof PushError && secrets.length > 0) receiver.came.push(error.code);
      response.writeHead(400).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const carrier = clientOf(playground, 'carrier');
    // The cast is true because the server listens on a port.
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    const { id, secret = '' } = await carrier.createSubscription({ feed: 'routing', url });
    secrets = [secret];
    await until(async () => (await carrier.getSubscription(id)).state === 'ACTIVE');
    for (const transportDocumentHouseLevel of goods) {
      const { length: before } = receiver.entries;
      const { length: attempts } = receiver.came;
      await carrier.presentHouseConsignment({
        customsOfficeOfPresentation: 'NO351001',
        transportDocumentHouseLevel,
      });
      await until(() => receiver.came.length > attempts);
      if (receiver.came.at(-1)?.startsWith('PUSH_')) {
        // It comes again after 5 s, or as soon as the subscription is resumed.
        await until(async () => (await carrier.getSubscription(id)).failures === 1);
        await carrier.changeSubscription(id, { state: 'PAUSED' });
        await carrier.changeSubscription(id, { state: 'ACTIVE' });
      }
      await until(() => receiver.entries.length > before);
    }
    await until(() => isDone(receiver));
    const { entries } = await carrier.readRoutingSignals();
    assert.deepEqual(
      receiver.entries,
      entries.map(({ routingResult }) => routingResult.id),
    );
    return receiver;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await condition())) {
    assert(performance.now() < end, 'it took too long');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** An attempt is refused with a code, and comes again. */
const refusedOnce =
  (scenario: Parameters<Playground['scenarios']['add']>[0], code: string): ClientCase =>
  async (playground) => {
    playground.scenarios.add(scenario);
    const { came } = await receive(playground, ({ entries }) => entries.length === 3);
    assert.equal(came[0], code);
    assert.equal(new Set(came.slice(1)).size, 3);
    assert.equal(came.length, 4);
  };

export const deliveryCases = {
  'repeated-delivery': {
    'what comes twice is processed once': async (playground) => {
      playground.scenarios.add({ kind: 'repeated-delivery', identity: 'carrier', times: 2 });
      playground.scenarios.add({ kind: 'repeated-delivery', identity: 'forwarder' });
      const { came } = await receive(playground, (receiver) => receiver.came.length === 5);
      const [first, again, second, twice, third] = came;
      assert.deepEqual([again, twice], [first, second]);
      assert.equal(new Set([first, second, third]).size, 3);
      const applied = playground.scenarios.list().map((scenario) => scenario.applied);
      assert.deepEqual(applied, [2, 0]);
    },
  },
  'out-of-order-delivery': {
    'what comes after a later one is not processed again': async (playground) => {
      playground.scenarios.add({ kind: 'out-of-order-delivery', times: 1 });
      const { came } = await receive(playground, (receiver) => receiver.came.length === 4);
      const [first, second, again, third] = came;
      assert.equal(again, first);
      assert.equal(new Set([first, second, third]).size, 3);
    },
  },
  'late-delivery': {
    'what is too old is refused, and comes again': refusedOnce(
      { kind: 'late-delivery', secondsLate: 301, times: 1 },
      'PUSH_TOO_OLD',
    ),
    'what is tolerated is processed': async (playground) => {
      playground.scenarios.add({ kind: 'late-delivery', secondsLate: 200 });
      const { came } = await receive(playground, ({ entries }) => entries.length === 3);
      assert.equal(came.length, 3);
    },
  },
  'wrong-signature': {
    'what a stranger may have sent is refused, and comes again': refusedOnce(
      { kind: 'wrong-signature', reference: 'NO100000001MU', times: 1 },
      'PUSH_SIGNATURE',
    ),
  },
} satisfies Partial<ClientCases>;
