// Faults of subscriptions. What is delivered does not pass the proxy, so a fault puts a relay between the service and the
// receiver of the suite, which changes what comes and signs it again.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { operations } from '@landfall/contract';
import {
  type Behaviour,
  changeJson,
  type Fault,
  firstCode,
  type Json,
  jsonOf,
  type ProxiedRequest,
  replace,
  respond,
} from './fault.js';

const CREATE_PATH = operations.createSubscription.path;

/** What is delivered, as a fault changes it. */
type Delivery = { headers: Record<string, string>; body: Json };

/** Sends on to the receiver of the suite: the status and the body of its response. */
type SendOn = (delivery: Delivery) => Promise<{ status: number; body: string }>;

/** What a wrong server does with a delivery, a challenge or a test event. */
type Relay = (
  delivery: Delivery,
  sendOn: SendOn,
) => Promise<{ status: number; body: string } | undefined>;

const isCreate = ({ method, url }: ProxiedRequest) =>
  method === 'POST' && url.pathname === CREATE_PATH;
const isOf = ({ url }: ProxiedRequest) => url.pathname.startsWith(CREATE_PATH);

/** A server whose deliveries are changed. By default they are signed again, with the first secret. */
function relayed(relay: Relay, { signsAgain = true } = {}): Behaviour {
  const targets = new Map<string, string>();
  return {
    onRequest: async (request) => {
      const body = isCreate(request) ? jsonOf(request) : undefined;
      if (body?.url === undefined || !body.url.startsWith('http://127.0.0.1')) return undefined;
      const target = { secret: '' };
      const server = createServer(async (incoming, outgoing) => {
        const sent = { ...incoming.headers } as Record<string, string>;
        const sendOn: SendOn = async ({ headers, body: changed }) => {
          const content = JSON.stringify(changed);
          const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${content}`;
          const key = Buffer.from(target.secret.replace(/^whsec_/, ''), 'base64');
          const signature = createHmac('sha256', key).update(signed).digest('base64');
          const isSigned = signsAgain && target.secret !== '';
          const response = await fetch(body.url, {
            method: 'POST',
            headers: {
              'webhook-id': headers['webhook-id'] ?? '',
              'webhook-timestamp': headers['webhook-timestamp'] ?? '',
              'webhook-signature': isSigned
                ? `v1,${signature}`
                : (headers['webhook-signature'] ?? ''),
              'content-type': 'application/json',
            },
            body: content,
          });
          return { status: response.status, body: await response.text() };
        };
        const delivery = { headers: sent, body: JSON.parse(await readText(incoming)) };
        const answer =
          (await relay(delivery, sendOn).catch(() => undefined)) ?? (await sendOn(delivery));
        outgoing.writeHead(answer.status).end(answer.body);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      server.unref();
      // The cast is true because the server listens on a port.
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/`;
      targets.set(url, body.url);
      secrets.set(url, target);
      request.body = JSON.stringify({ ...body, url });
      return undefined;
    },
    onResponse: (response, request) => {
      if (!isOf(request)) return;
      const { url, secret } = jsonOf(response) ?? {};
      const target = secrets.get(url);
      if (target !== undefined && typeof secret === 'string' && isCreate(request))
        target.secret = secret;
    },
  };
}

/** The first secret of the subscription to a relay. */
const secrets = new Map<string, { secret: string }>();

const hasEntries = ({ body }: Delivery) => Array.isArray(body.data);
const isChallenge = ({ body }: Delivery) => body.challenge !== undefined;

export const pushFaults: readonly Fault[] = [
  {
    name: 'delivers to a receiver that did not repeat the challenge',
    caughtBy: ['PUSH-001'],
    make: () =>
      relayed(async (delivery, sendOn) => {
        if (!isChallenge(delivery)) return undefined;
        await sendOn(delivery);
        return { status: 200, body: delivery.body.challenge };
      }),
  },
  {
    name: 'signs deliveries with another secret',
    caughtBy: ['PUSH-002'],
    make: () =>
      relayed(
        async (delivery, sendOn) => {
          const signature = `v1,${Buffer.alloc(32).toString('base64')}`;
          return sendOn({
            ...delivery,
            headers: { ...delivery.headers, 'webhook-signature': signature },
          });
        },
        { signsAgain: false },
      ),
  },
  {
    name: 'signs the body without the time',
    caughtBy: ['PUSH-002'],
    make: () =>
      relayed(
        async (delivery, sendOn) =>
          sendOn({ ...delivery, headers: { ...delivery.headers, 'webhook-timestamp': '1' } }),
        { signsAgain: false },
      ),
  },
  {
    name: 'delivers entries in another order',
    caughtBy: ['PUSH-003'],
    make: () =>
      relayed(async (delivery, sendOn) => {
        if (!hasEntries(delivery) || delivery.body.data.length < 2) return undefined;
        return sendOn({
          ...delivery,
          body: { ...delivery.body, data: delivery.body.data.toReversed() },
        });
      }),
  },
  {
    name: 'leaves out an entry of a delivery',
    caughtBy: ['PUSH-003'],
    make: () =>
      relayed(async (delivery, sendOn) => {
        if (!hasEntries(delivery) || delivery.body.data.length < 2) return undefined;
        return sendOn({
          ...delivery,
          body: { ...delivery.body, data: delivery.body.data.slice(1) },
        });
      }),
  },
  {
    name: 'delivers without the marker',
    caughtBy: ['PUSH-003'],
    make: () =>
      relayed(async (delivery, sendOn) => {
        if (!hasEntries(delivery)) return undefined;
        const { marker: _, ...body } = delivery.body;
        return sendOn({ ...delivery, body });
      }),
  },
  {
    name: 'delivers again what was confirmed',
    caughtBy: ['PUSH-004'],
    make: () =>
      relayed(async (delivery, sendOn) => {
        const answer = await sendOn(delivery);
        if (hasEntries(delivery) && answer.status === 200) await sendOn(delivery);
        return answer;
      }),
  },
  {
    name: 'takes a delivery for confirmed that was refused',
    caughtBy: ['PUSH-004'],
    make: () =>
      relayed(async (delivery, sendOn) => {
        const { body } = await sendOn(delivery);
        return { status: 200, body };
      }),
  },
  {
    name: 'sends again with another id',
    caughtBy: ['PUSH-004'],
    make: () =>
      relayed(async (delivery, sendOn) => {
        const id = `msg_${crypto.randomUUID()}`;
        return sendOn({ ...delivery, headers: { ...delivery.headers, 'webhook-id': id } });
      }),
  },
  {
    name: 'begins with what comes, whatever the marker says',
    caughtBy: ['PUSH-005'],
    make: () => ({
      onRequest: (request) => {
        const body = isCreate(request) ? jsonOf(request) : undefined;
        if (body !== undefined) request.body = JSON.stringify({ ...body, marker: undefined });
        return undefined;
      },
    }),
  },
  {
    name: 'goes on while a subscription is paused',
    caughtBy: ['PUSH-006'],
    make: () => ({
      onRequest: (request) => {
        if (request.method === 'PATCH' && isOf(request) && jsonOf(request)?.state === 'PAUSED') {
          request.body = JSON.stringify({ state: 'ACTIVE' });
        }
        return undefined;
      },
      onResponse: (response, request) => {
        if (request.method === 'PATCH' && isOf(request)) {
          changeJson(response, (body) => ({ ...body, state: 'PAUSED' }));
        }
      },
    }),
  },
  {
    name: 'signs with one secret after it was replaced',
    caughtBy: ['PUSH-007'],
    make: () => relayed(async (delivery, sendOn) => sendOn(delivery)),
  },
  {
    name: 'shows the secret again',
    caughtBy: ['PUSH-007'],
    make: () => {
      const known = new Map<string, string>();
      return {
        onResponse: (response, request) => {
          if (!isOf(request)) return;
          const body = jsonOf(response);
          if (typeof body?.secret === 'string') known.set(body.id, body.secret);
          else if (known.has(body?.id)) {
            changeJson(response, (shown) => ({ ...shown, secret: known.get(shown.id) }));
          }
        },
      };
    },
  },
  {
    name: 'says of the subscription of somebody else that it exists',
    caughtBy: ['PUSH-008'],
    make: () => ({
      onResponse: (response, request) => {
        if (request.method === 'DELETE' && isOf(request) && response.status === 404) {
          replace(response, respond(403, jsonOf(response), 'application/problem+json'));
        }
      },
    }),
  },
  {
    name: 'takes a subscription to a feed that the caller may not read',
    caughtBy: ['PUSH-009'],
    make: () => ({
      onRequest: (request) => {
        const body = isCreate(request) ? jsonOf(request) : undefined;
        if (body?.feed === 'goods-items')
          request.body = JSON.stringify({ ...body, feed: 'prices' });
        return undefined;
      },
    }),
  },
  {
    name: 'ignores a misspelt member of a subscription',
    caughtBy: ['PUSH-010'],
    make: () => ({
      onResponse: (response, request) => {
        if (isCreate(request) && firstCode(response) === 'UNKNOWN_MEMBER') {
          replace(response, respond(201, {}));
        }
      },
    }),
  },
  {
    name: 'sends no test event',
    caughtBy: ['PUSH-011'],
    make: () =>
      relayed(async ({ body }) =>
        body.type === 'subscription.test' ? { status: 200, body: '' } : undefined,
      ),
  },
  {
    name: 'sends on to a receiver that is gone',
    caughtBy: ['PUSH-012'],
    make: () =>
      relayed(async (delivery, sendOn) => {
        const answer = await sendOn(delivery);
        return answer.status === 410 ? { ...answer, status: 500 } : answer;
      }),
  },
];
