// A receiver of subscriptions on this machine, and what cases ask of what it gets.
import { createHmac, createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '@landfall/contract';
import type { CaseContext } from '../suite/case-context.js';
import { expect, expectSchema, expectStatus, readObject } from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';

/** What came. */
export type ReceivedWebhook = {
  headers: IncomingHttpHeaders;
  text: string;
  body: Record<string, unknown>;
  /** Its entries; none of a challenge or a test event. */
  entries: readonly unknown[];
};

/** Answers what came; by default, challenges are repeated and everything is confirmed. */
export type AnswerWebhook = (received: ReceivedWebhook, response: ServerResponse) => void;

export const confirmWebhook: AnswerWebhook = ({ body }, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' }).end(String(body.challenge ?? ''));
};

/** How often what has come is looked at, in milliseconds. */
const POLL_MS = 50;

/** A receiver that listens. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  readonly url: string;
  readonly #signal: AbortSignal;

  constructor(url: string, signal: AbortSignal) {
    this.url = url;
    this.#signal = signal;
  }

  /** What has entries. */
  get deliveries(): ReceivedWebhook[] {
    return this.received.filter(({ entries }) => entries.length > 0);
  }

  /** Waits until something holds. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await holds())) await delay(POLL_MS, undefined, { signal: this.#signal });
  }
}

/** Runs a case with a receiver on this machine, which only a service on this machine reaches. */
export async function withReceiver(
  context: CaseContext,
  answer: AnswerWebhook,
  test: (receiver: WebhookReceiver) => Promise<void>,
): Promise<void> {
  const { hostname } = new URL(context.settings.baseUrl);
  if (!['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    throw new NotTestedError(
      'the service is on another machine, and reaches no receiver on this one',
    );
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const parsed: unknown = JSON.parse(text);
      const body = isObject(parsed) ? parsed : {};
      const entries = Array.isArray(body.data) ? body.data : [];
      const webhook = { headers: request.headers, text, body, entries };
      receiver.received.push(webhook);
      answer(webhook, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast is true because the server listens on a port.
  const { port } = server.address() as AddressInfo;
  const receiver = new WebhookReceiver(`http://127.0.0.1:${port}/hook`, context.signal);
  try {
    await test(receiver);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A subscription of a case. */
export type CaseSubscription = { id: string; secret: string; publicKeys: readonly string[] };

/** Subscribes the presenter to a receiver, and ends the subscription when the test is over. */
export async function withSubscription(
  context: CaseContext,
  receiver: WebhookReceiver,
  members: Record<string, unknown>,
  test: (subscription: CaseSubscription) => Promise<void>,
): Promise<void> {
  const json = { feed: 'routing', url: receiver.url, ...members };
  const response = await context.as('presenter').call('createSubscription', { json });
  if (response.status === 400 && response.text.includes('"url"')) {
    throw new NotTestedError('the service sends nothing to receivers on this machine');
  }
  expectStatus(response, 201);
  expectSchema('createSubscription', response);
  const { id, secret, publicKeys } = readObject(response);
  try {
    await test({
      id: String(id),
      secret: String(secret),
      publicKeys: Array.isArray(publicKeys) ? publicKeys.map(String) : [],
    });
  } finally {
    await context
      .cleanUp()
      .as('presenter')
      .call('deleteSubscription', { path: { id: String(id) } });
  }
}

/** Reads a subscription. */
export async function readSubscription(
  context: CaseContext,
  id: string,
): Promise<Record<string, unknown>> {
  const response = await context.as('presenter').call('getSubscription', { path: { id } });
  expectStatus(response, 200);
  expectSchema('getSubscription', response);
  return readObject(response);
}

/** Waits until a subscription has a state. */
export function untilState(
  context: CaseContext,
  receiver: WebhookReceiver,
  id: string,
  state: string,
): Promise<void> {
  return receiver.until(async () => (await readSubscription(context, id)).state === state);
}

/** Expects that something is signed with a secret of HMAC-SHA256. */
export function expectSignature(webhook: ReceivedWebhook, secret: string): void {
  expect(
    isSignedWith(webhook, secret),
    'webhook-signature has no HMAC-SHA256 of the id, the time and the body with the secret',
  );
}

/** Whether one of the signatures is of a secret. */
export function isSignedWith(webhook: ReceivedWebhook, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const value = createHmac('sha256', key).update(signedContent(webhook)).digest('base64');
  return signaturesOf(webhook).includes(`v1,${value}`);
}

/** Expects that something is signed with an Ed25519 key. */
export function expectPublicKey(webhook: ReceivedWebhook, publicKey: string): void {
  const x = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const content = Buffer.from(signedContent(webhook));
  const isSigned = signaturesOf(webhook).some((signature) => {
    const [version, value = ''] = signature.split(',');
    return version === 'v1a' && verify(null, content, key, Buffer.from(value, 'base64'));
  });
  expect(isSigned, 'webhook-signature has no Ed25519 signature by the public key');
}

function signaturesOf({ headers }: ReceivedWebhook): string[] {
  return String(headers['webhook-signature']).split(' ');
}

function signedContent({ headers, text }: ReceivedWebhook): string {
  return `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
}
