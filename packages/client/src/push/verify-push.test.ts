// What a playground sends to a receiver is verified, and what somebody else sends is refused with a code.
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { SubscriptionWithSecret } from '../contract/types.js';
import { ConfigurationError } from '../errors/landfall-error.js';
import { PushError } from '../errors/push-error.js';
import type { Landfall } from '../landfall.js';
import { startTestPlayground } from '../testing/playground.js';
import type { VerifiedPush } from './verified-push.js';
import { verifyPush } from './verify-push.js';

type Came = { path: string; headers: IncomingHttpHeaders; body: Buffer };

const playground = await startTestPlayground();
let landfall: Landfall;
/** Everything that came. */
const came: Came[] = [];
/** What verifies at each path; without an entry, nothing is verified and everything is confirmed. */
const secretsOf = new Map<string, string[]>();
const pushed: { path: string; push: VerifiedPush }[] = [];
let url: string;

/** A receiver as the documentation has it. */
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const path = request.url ?? '';
  came.push({ path, headers: request.headers, body });
  try {
    const push = await verifyPush({ headers: request.headers, body }, secretsOf.get(path) ?? []);
    if (push.type === 'subscription.verification') return response.end(push.challenge);
    pushed.push({ path, push });
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
});

before(async () => {
  landfall = await playground.client('carrier');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast is true because the server listens on a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

async function subscribe(
  path: string,
  signature: 'v1' | 'v1a',
): Promise<SubscriptionWithSecret & { keys: string[] }> {
  const created = await landfall.createSubscription({
    feed: 'routing',
    url: `${url}${path}`,
    signature,
  });
  const keys = created.publicKeys ?? [created.secret ?? ''];
  secretsOf.set(path, keys);
  await until(async () => (await landfall.getSubscription(created.id)).state === 'ACTIVE');
  return { ...created, keys };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await condition())) {
    assert(performance.now() < end, 'it took too long');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const codeOf = (error: unknown) => (error instanceof PushError ? error.code : error);
const refused = (run: Promise<unknown>) => run.then(() => undefined, codeOf);

for (const signature of ['v1', 'v1a'] as const) {
  test(`a subscription with ${signature} is verified, before and after a rotation`, async () => {
    const path = `/${signature}`;
    const { id, keys } = await subscribe(path, signature);
    const containerId = signature === 'v1' ? 'JARU0000010' : 'JARU0000026';
    await landfall.presentContainer({ customsOfficeOfPresentation: 'NO351001', containerId });
    await until(() => pushed.some((one) => one.path === path));
    const first = pushed.find((one) => one.path === path)?.push;
    assert(first?.type === 'routing.signals');
    assert.equal(first.data.at(-1)?.routingResult.id, first.marker);
    assert(Math.abs(first.sentAt.getTime() - Date.now()) < 60_000);

    const rotated = await landfall.rotateSubscriptionSecret(id);
    const added = rotated.publicKeys?.[0] ?? rotated.secret ?? '';
    assert.notEqual(added, keys[0]);
    await landfall.testSubscription(id);
    const { headers, body } = came.findLast((one) => one.path === path) ?? assert.fail();
    const ofPlatform = new Headers(
      Object.entries(headers).map(([name, value = '']) => [name, String(value)]),
    );
    for (const secrets of [keys, added, [added, ...keys]]) {
      const push = await verifyPush({ headers: ofPlatform, body: body.toString() }, secrets);
      assert.equal(push.type, 'subscription.test');
    }
    assert.equal(await refused(verifyPush({ headers, body }, otherSecret)), 'PUSH_SIGNATURE');
    await landfall.deleteSubscription(id);
  });
}

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const otherSecret = `whsec_${randomBytes(32).toString('base64')}`;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const x = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
const publicText = `whpk_${x.toString('base64')}`;
const now = new Date('2026-05-04T07:00:00Z');
const entry = { type: 'routing.signals', timestamp: now, data: [{ a: 1 }], marker: 'm' };

/** What a sender makes, signed as the package that Standard Webhooks publishes does. */
function make(body: unknown, { id = 'msg_1', at = now, by = secret } = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers: Record<string, string> = {
    'webhook-id': id,
    'webhook-timestamp': String(at.getTime() / 1000),
    'webhook-signature': new Webhook(by).sign(id, at, text),
  };
  return { headers, body: text };
}
const verify = (request: ReturnType<typeof make>, secrets: string | string[] = secret) =>
  refused(verifyPush(request, secrets, { now }));
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);

test('what was changed, is from another time, or has other signatures is refused', async () => {
  const request = make(entry);
  assert.equal(await verify(request), undefined);
  assert.equal(await verify(request, [otherSecret, secret]), undefined);
  const headersAsLists = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  const bytes = new TextEncoder().encode(request.body).buffer;
  const { webhookId } = await verifyPush({ headers: headersAsLists, body: bytes }, secret, { now });
  assert.equal(webhookId, 'msg_1');
  const [changed, renamed] = [
    { ...request, body: `${request.body} ` },
    { ...request, headers: { ...request.headers, 'webhook-id': 'msg_2' } },
  ];
  for (const other of [changed, renamed, make(entry, { by: otherSecret })]) {
    assert.equal(await verify(other), 'PUSH_SIGNATURE');
  }
  for (const signature of ['v1,', 'v1', 'v1,%', 'v1,AAAA', `v2,${'A'.repeat(44)}`, 'v1,é']) {
    const headers = { ...request.headers, 'webhook-signature': signature };
    assert.equal(await verify({ ...request, headers }), 'PUSH_SIGNATURE', signature);
  }
  // The signature of one version is none of another.
  const content = `${request.headers['webhook-id']}.${request.headers['webhook-timestamp']}.${request.body}`;
  const value = sign(null, Buffer.from(content), privateKey).toString('base64');
  const asymmetric = (version: string) => {
    const signed = `v1,AAAA ${version},${value}`;
    return { ...request, headers: { ...request.headers, 'webhook-signature': signed } };
  };
  assert.equal(await verify(asymmetric('v1a'), [secret, publicText]), undefined);
  assert.equal(await verify(asymmetric('v1'), publicText), 'PUSH_SIGNATURE');

  assert.equal(await verify(make(entry, { at: inSeconds(-300) })), undefined);
  assert.equal(await verify(make(entry, { at: inSeconds(-301) })), 'PUSH_TOO_OLD');
  assert.equal(await verify(make(entry, { at: inSeconds(301) })), 'PUSH_IN_FUTURE');
  const old = make(entry, { at: inSeconds(-301) });
  assert.equal((await verifyPush(old, secret, { now, toleranceS: 400 })).webhookId, 'msg_1');
  for (const name of Object.keys(request.headers)) {
    for (const value of [undefined, '', 'x'.repeat(5000)]) {
      const headers = { ...request.headers, [name]: value };
      assert.equal(await refused(verifyPush({ ...request, headers }, secret)), 'PUSH_HEADER', name);
    }
  }
  const headers = { ...request.headers, 'webhook-timestamp': '1e9' };
  assert.equal(await verify({ ...request, headers }), 'PUSH_HEADER');
  const twice = { ...request.headers, 'webhook-id': ['msg_1', 'msg_2'] };
  await assert.rejects(verifyPush({ ...request, headers: twice }, secret), /more than once/);

  // What is in the body does not take the place of what was verified.
  const odd = make({ ...entry, webhookId: 'msg_9', sentAt: 'never' });
  const verified = await verifyPush(odd, secret, { now });
  assert.equal(verified.webhookId, 'msg_1');
  assert(verified.sentAt instanceof Date);
});

test('a signed body that is no delivery is refused', async () => {
  const bodies = [
    '',
    '{',
    'null',
    [entry],
    {},
    { ...entry, type: 'toString' },
    { ...entry, data: [] },
    { ...entry, data: [null] },
    { ...entry, data: {} },
    { ...entry, marker: undefined },
    { type: 'subscription.verification', challenge: '' },
  ];
  for (const body of bodies) {
    assert.equal(await verify(make(body)), 'PUSH_BODY', JSON.stringify(body));
  }
});

test('a secret that is none, and a body that was parsed, are errors of the program', async () => {
  const request = make(entry);
  for (const wrong of ['', 'secret', 'whsec_', 'whsec_AAAA', 'whsec_%', 'whpk_AAAA', []]) {
    await assert.rejects(verifyPush(request, wrong, { now }), ConfigurationError);
  }
  // The cast is what a framework that parses bodies amounts to.
  const parsed = { ...request, body: JSON.parse(request.body) as string };
  await assert.rejects(verifyPush(parsed, secret, { now }), /as they came/);
  await assert.rejects(verifyPush(request, secret, { toleranceS: Number.NaN }), /toleranceS/);
  // Every comparison with such a time is false: nothing would be too old.
  const old = make(entry, { at: inSeconds(-1e8) });
  const nonsense = { now: new Date('nonsense') };
  await assert.rejects(verifyPush(old, secret, nonsense), ConfigurationError);
  const without = { body: request.body } as typeof request;
  await assert.rejects(verifyPush(without, secret, { now }), ConfigurationError);
});
