// Subscriptions over HTTP: what an organisation creates, changes and reads, and what its receiver gets.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import {
  compileCheck,
  MAX_SUBSCRIPTIONS,
  type RoutingSignal,
  type SubscriptionAttempt,
  SubscriptionDelivery,
  SubscriptionVerification,
  type SubscriptionWithSecret,
} from '@landfall/contract';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { declarationId, makeMessage, toLines } from '../testing/goods-item-messages.js';
import { CertificateMaker, opensslMissing } from '../testing/openssl-chain.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';
import { confirm, TestReceiver, verifyPublicKey, verifySecret } from '../testing/receiver.js';
import { appendSignals, readSignalIds } from '../testing/signal-writer.js';
import { until } from '../testing/until.js';

const PATH = '/api/notification/v1/subscriptions';
const isDelivery = compileCheck(SubscriptionDelivery);
const isVerification = compileCheck(SubscriptionVerification);

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`subscriptions on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let receiver: TestReceiver;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      receiver = await TestReceiver.start();
    });
    after(async () => {
      await playground.close();
      await receiver.close();
    });

    const create = async (
      path: string,
      given: Record<string, unknown> = {},
      as = 'carrier',
    ): Promise<SubscriptionWithSecret> => {
      const body = { feed: 'routing', url: receiver.url(path), ...given };
      const response = await playground.post(PATH, as, body);
      assert.equal(response.status, 201, response.text);
      return response.body as SubscriptionWithSecret;
    };
    const read = async (id: string, as = 'carrier') =>
      (await playground.get(`${PATH}/${id}`, as)).body as SubscriptionWithSecret;
    const untilState = (id: string, state: string, as = 'carrier') =>
      until(async () => (await read(id, as)).state === state);
    const patch = (id: string, body: object, as = 'carrier') =>
      playground.call(`${PATH}/${id}`, {
        as,
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body,
      });
    const ownerOf = (as: string) =>
      organisationOf(database, playground.credentials(as).organisation);
    const append = async (count: number, as = 'carrier') =>
      appendSignals(database, await ownerOf(as), count);
    const end = (id: string, as = 'carrier') =>
      playground.call(`${PATH}/${id}`, { as, method: 'DELETE' });

    test('a receiver repeats a challenge, and then gets the entries as reading returns them', async () => {
      const created = await create('/first');
      assert.equal(created.state, 'VERIFYING');
      assert.match(created.secret ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/);
      await untilState(created.id, 'ACTIVE');
      const [verification] = receiver.received.filter(({ path }) => path === '/first');
      assert(verification);
      assert.equal(isVerification(verification.body).valid, true);
      verifySecret(created.secret ?? '', verification);
      assert.equal(
        (await playground.present('container', 'carrier', { containerId: 'JARU0000010' })).status,
        202,
      );
      await until(() => receiver.entriesAt('/first').length > 0);
      const [delivery] = receiver.deliveriesTo('/first');
      assert(delivery);
      assert.deepEqual(isDelivery(delivery.body), { valid: true, value: delivery.body });
      verifySecret(created.secret ?? '', delivery);
      assert.equal(delivery.body.type, 'routing.signals');
      const signals = (
        await playground.get('/api/movement/routing/v1/house-consignment', 'carrier')
      ).body as RoutingSignal[];
      assert.deepEqual(receiver.entriesAt('/first'), signals);
      assert.equal(delivery.body.marker, signals.at(-1)?.routingResult.id);
      await until(async () => (await read(created.id)).pending === 0);
      const shown = await read(created.id);
      assert.equal(shown.marker, delivery.body.marker);
      assert.equal(shown.secret, undefined);
      assert.equal('secret' in shown, false);
      const attempts = (await playground.get(`${PATH}/${created.id}/attempts`, 'carrier'))
        .body as SubscriptionAttempt[];
      assert.deepEqual(
        attempts.map(({ number, kind, outcome, status, entries, webhookId }) => [
          number,
          kind,
          outcome,
          status,
          entries,
          webhookId,
        ]),
        [
          [2, 'ENTRIES', 'CONFIRMED', 200, signals.length, delivery.id],
          [1, 'VERIFICATION', 'CONFIRMED', 200, 0, verification.id],
        ],
      );
      const before = await playground.get(`${PATH}/${created.id}/attempts?before=2`, 'carrier');
      assert.equal((before.body as SubscriptionAttempt[]).length, 1);
      await end(created.id);
    });

    test('attempts say what is wrong with the certificate of a receiver', {
      skip: opensslMissing,
    }, async () => {
      const make = new CertificateMaker();
      const { pem, key } = make.seal('own', undefined, {
        extensions: 'subjectAltName=IP:127.0.0.1\n',
      });
      const server = https.createServer({
        cert: pem,
        key: key.export({ type: 'pkcs8', format: 'pem' }),
      });
      server.on('request', () => assert.fail('the receiver was sent something'));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      // The cast is true because the server listens on a port.
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const { id } = await create('/self-signed', { url });
      const attempts = async (query = '') =>
        (await playground.get(`${PATH}/${id}/attempts${query}`, 'carrier'))
          .body as SubscriptionAttempt[];
      await until(async () => (await attempts()).length > 0);
      const [first] = await attempts('?outcome=CERTIFICATE_UNTRUSTED');
      assert.deepEqual([first?.kind, first?.status], ['VERIFICATION', undefined]);
      assert.deepEqual(await attempts('?outcome=UNREACHABLE'), []);
      await end(id);
      server.close();
      make.remove();
    });

    test('entries come in their order, at most 100 at once, and none before those before it are confirmed', async () => {
      const { id } = await create('/ordered');
      await untilState(id, 'ACTIVE');
      let refused = 0;
      receiver.answer = (received, response) => {
        if (received.path === '/ordered' && received.body.data !== undefined && refused++ === 1) {
          return response.writeHead(500).end();
        }
        return confirm(received, response);
      };
      await append(250);
      const owner = await ownerOf('carrier');
      await until(async () => (await read(id)).pending === 0);
      receiver.answer = confirm;
      const deliveries = receiver.deliveriesTo('/ordered');
      assert.deepEqual(
        deliveries.map(({ body }) => body.data?.length),
        [100, 100, 100, 50],
      );
      const [, second, again] = deliveries;
      assert.deepEqual([again?.id, again?.text], [second?.id, second?.text]);
      const ids = await readSignalIds(database, owner);
      assert.deepEqual(
        [deliveries[0], second, deliveries[3]].map((one) => one?.body.marker),
        [150, 50, 0].map((left) => ids.at(-1 - left)),
      );
      await end(id);
    });

    test('deliveries begin after a marker, at a time, or with what comes', async () => {
      await append(3);
      const owner = await ownerOf('carrier');
      const ids = await readSignalIds(database, owner);
      const marker = ids.at(-3);
      const after = await create('/after', { marker });
      assert.equal(after.marker, marker);
      await playground.present('container', 'forwarder', { containerId: 'JARU0000010' });
      const since = await create('/since', { since: '2020-01-01T00:00:00Z' }, 'forwarder');
      const now = await create('/now');
      assert.equal(now.pending, 0);
      await until(async () => (await read(after.id)).pending === 0);
      await append(1);
      await until(() => receiver.entriesAt('/now').length === 1);
      await until(() => receiver.entriesAt('/after').length === 3);
      const signals = (
        await playground.get('/api/movement/routing/v1/house-consignment', 'forwarder')
      ).body as RoutingSignal[];
      await until(() => receiver.entriesAt('/since').length === signals.length);
      for (const { id } of [after, now]) await end(id);
      await end(since.id, 'forwarder');
    });

    test('a secret is replaced without a gap, and an Ed25519 key too', async () => {
      const one = await create('/rotated');
      const other = await create('/keys', { signature: 'v1a' });
      assert.equal(other.secret, undefined);
      await untilState(one.id, 'ACTIVE');
      await untilState(other.id, 'ACTIVE');
      const rotate = async (id: string) =>
        playground.call(`${PATH}/${id}/secret`, { as: 'carrier', method: 'POST' });
      const secret = ((await rotate(one.id)).body as SubscriptionWithSecret).secret ?? '';
      const { publicKeys = [] } = (await rotate(other.id)).body as SubscriptionWithSecret;
      assert.equal(publicKeys.length, 2);
      await append(1);
      await until(() => receiver.deliveriesTo('/rotated').length > 0);
      await until(() => receiver.deliveriesTo('/keys').length > 0);
      const [rotated] = receiver.deliveriesTo('/rotated');
      assert(rotated);
      for (const key of [secret, one.secret ?? '']) verifySecret(key, rotated);
      assert.throws(() => verifySecret(`whsec_${Buffer.alloc(32).toString('base64')}`, rotated));
      const [signed] = receiver.deliveriesTo('/keys');
      assert(signed);
      for (const key of publicKeys) verifyPublicKey(key, signed);
      const statuses: number[] = [];
      for (let count = 0; count < 5; count++) statuses.push((await rotate(one.id)).status);
      assert.deepEqual(statuses, [200, 200, 200, 400, 400]);
      for (const { id } of [one, other]) await end(id);
    });

    test('a subscription is paused and resumed, and another address is verified first', async () => {
      const { id } = await create('/paused');
      await untilState(id, 'ACTIVE');
      assert.equal((await patch(id, { state: 'PAUSED' })).status, 200);
      await append(2);
      const moved = await patch(id, { url: receiver.url('/moved') });
      assert.equal((moved.body as SubscriptionWithSecret).state, 'PAUSED');
      await new Promise((resolve) => setTimeout(resolve, 1500));
      assert.equal(receiver.received.filter(({ path }) => path === '/moved').length, 0);
      assert.equal(receiver.deliveriesTo('/paused').length, 0);
      const resumed = await patch(id, { state: 'ACTIVE' });
      assert.equal((resumed.body as SubscriptionWithSecret).state, 'VERIFYING');
      await until(() => receiver.entriesAt('/moved').length === 2);
      assert.equal(receiver.received.find(({ path }) => path === '/moved')?.body.data, undefined);
      await end(id);
    });

    test('messages that a view does not show are pending until they are passed over, without a delivery', async () => {
      const organisation = encodeURIComponent(playground.credentials('statistics').organisation);
      const view = `/api/authority/v1/goods-item-views/${organisation}`;
      const set = { as: 'authority', method: 'PUT', body: { procedures: ['99'] } };
      assert.equal((await playground.call(view, set)).status, 200);
      const { id } = await create('/viewed', { feed: 'goods-items' }, 'statistics');
      await untilState(id, 'ACTIVE', 'statistics');
      await patch(id, { state: 'PAUSED' }, 'statistics');
      const { pending: before } = await read(id, 'statistics');
      const messages = [1, 2, 3].map((number) =>
        makeMessage({ declaration: declarationId(950), number }),
      );
      const published = await playground.call('/api/declaration/feed/v1/goods-items', {
        as: 'authority',
        method: 'POST',
        raw: toLines(messages),
        headers: { 'content-type': 'application/x-ndjson' },
      });
      assert.equal(published.status, 202, published.text);
      assert.equal((await read(id, 'statistics')).pending, before + 3);
      await patch(id, { state: 'ACTIVE' }, 'statistics');
      await until(async () => (await read(id, 'statistics')).pending === 0);
      assert.deepEqual(receiver.deliveriesTo('/viewed'), []);
      await end(id, 'statistics');
      await playground.call(view, { as: 'authority', method: 'DELETE' });
    });

    test('a test event is sent at once, and not to a receiver that is not verified', async () => {
      receiver.answer = (received, response) =>
        received.path === '/never' ? response.end('no') : confirm(received, response);
      const [verified, never] = [await create('/tested'), await create('/never')];
      await untilState(verified.id, 'ACTIVE');
      const tested = await playground.call(`${PATH}/${verified.id}/test`, {
        as: 'carrier',
        method: 'POST',
      });
      assert.equal(tested.status, 200, tested.text);
      assert.equal((tested.body as SubscriptionAttempt).outcome, 'CONFIRMED');
      assert.equal(receiver.deliveriesTo('/tested')[0]?.body.type, 'subscription.test');
      const refused = await playground.call(`${PATH}/${never.id}/test`, {
        as: 'carrier',
        method: 'POST',
      });
      assert.equal(refused.status, 400);
      await until(async () => (await read(never.id)).failures !== undefined);
      const attempts = (await playground.get(`${PATH}/${never.id}/attempts`, 'carrier'))
        .body as SubscriptionAttempt[];
      assert.equal(attempts.at(-1)?.outcome, 'WRONG_CHALLENGE');
      receiver.answer = confirm;
      for (const { id } of [verified, never]) await end(id);
    });

    test('410 suspends a subscription until it is resumed', async () => {
      const { id } = await create('/gone');
      await untilState(id, 'ACTIVE');
      receiver.answer = (received, response) =>
        received.path === '/gone' ? response.writeHead(410).end() : confirm(received, response);
      await append(1);
      await untilState(id, 'SUSPENDED');
      assert.equal((await read(id)).reason, 'RECEIVER_GONE');
      receiver.answer = confirm;
      await patch(id, { state: 'ACTIVE' });
      await until(async () => (await read(id)).pending === 0);
      assert.equal((await read(id)).reason, undefined);
      await end(id);
    });

    test('bad input names the field and the rule, and stores nothing', async () => {
      const url = receiver.url('/bad');
      const cases: [object, string, string][] = [
        [{ url }, 'feed', 'REQUIRED'],
        [{ feed: 'prices', url }, 'feed', 'UNKNOWN_CODE'],
        [{ feed: 'routing' }, 'url', 'REQUIRED'],
        [{ feed: 'routing', url: 'ftp://receiver.example' }, 'url', 'FORMAT'],
        [{ feed: 'routing', url: 'http://user@receiver.example/' }, 'url', 'FORMAT'],
        [{ feed: 'routing', url: `${url}#fragment` }, 'url', 'FORMAT'],
        [{ feed: 'routing', url: `${url}?${'a'.repeat(2000)}` }, 'url', 'SIZE'],
        [{ feed: 'routing', url, markre: randomUUID() }, 'markre', 'UNKNOWN_MEMBER'],
        [{ feed: 'routing', url, marker: randomUUID() }, 'marker', 'UNKNOWN_MARKER'],
        [{ feed: 'routing', url, marker: 'x' }, 'marker', 'FORMAT'],
        [{ feed: 'routing', url, since: '2999-01-01T00:00:00Z' }, 'since', 'TIME_OUT_OF_RANGE'],
        [
          { feed: 'routing', url, marker: randomUUID(), since: '2020-01-01T00:00:00Z' },
          'since',
          'INCOMPATIBLE',
        ],
        [{ feed: 'routing', url, signature: 'v2' }, 'signature', 'UNKNOWN_CODE'],
      ];
      for (const [body, field, code] of cases) {
        const { status, body: problem, text } = await playground.post(PATH, 'carrier', body);
        assert.equal(status, 400, text);
        const { validationErrors } = problem as { validationErrors: Record<string, string>[] };
        assert.deepEqual(
          validationErrors.map((error) => [error.field, error.code]),
          [[field, code]],
          text,
        );
      }
      assert.deepEqual((await playground.get(PATH, 'carrier')).body, []);
    });

    test('nobody learns of what is not theirs, and the scope of the feed is needed', async () => {
      const { id } = await create('/mine');
      for (const path of [id, randomUUID(), 'x']) {
        for (const method of ['GET', 'DELETE']) {
          const { status } = await playground.call(`${PATH}/${path}`, { as: 'forwarder', method });
          assert.equal(status, 404);
        }
      }
      assert.deepEqual((await playground.get(PATH, 'forwarder')).body, []);
      const refused = await playground.post(PATH, 'carrier', {
        feed: 'goods-items',
        url: receiver.url('/goods'),
      });
      assert.equal(refused.status, 403);
      assert.match(refused.headers.get('www-authenticate') ?? '', /declaration\.feed/);
      assert.equal((await end(id)).status, 204);
      assert.equal((await end(id)).status, 404);
    });

    test('an organisation has a limited number of subscriptions', async () => {
      const bodies = Array.from({ length: MAX_SUBSCRIPTIONS + 5 }, (_, number) => ({
        feed: 'routing',
        url: receiver.url(`/many/${number}`),
      }));
      const responses = await Promise.all(
        bodies.map((body) => playground.post(PATH, 'forwarder', body)),
      );
      assert.equal(responses.filter(({ status }) => status === 201).length, MAX_SUBSCRIPTIONS);
      const refused = responses.find(({ status }) => status !== 201);
      assert.equal(refused?.status, 400, refused?.text);
      for (const { status, body } of responses) {
        if (status === 201) await end((body as SubscriptionWithSecret).id, 'forwarder');
      }
    });
  });
}
