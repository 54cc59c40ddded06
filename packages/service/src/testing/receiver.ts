// A receiver of subscriptions in tests: it records what it gets, and answers as a test wants.
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request to a receiver. */
export type Received = {
  path: string;
  id: string;
  headers: http.IncomingHttpHeaders;
  text: string;
  body: {
    type: string;
    challenge?: string;
    data?: Record<string, unknown>[];
    marker?: string;
    timestamp: string;
    subscription?: string;
  };
};

/** Answers a request. By default, challenges are repeated and everything is confirmed. */
export type Answer = (received: Received, response: http.ServerResponse) => unknown;

export const confirm: Answer = ({ body }, response) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify(body.challenge === undefined ? {} : { challenge: body.challenge }));

/** A receiver on a free port of this machine. */
export class TestReceiver {
  readonly received: Received[] = [];
  answer: Answer = confirm;
  readonly #server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const received = {
        path: request.url ?? '',
        id: String(request.headers['webhook-id']),
        headers: request.headers,
        text,
        body: JSON.parse(text),
      };
      this.received.push(received);
      this.answer(received, response);
    });
  });

  static async start(): Promise<TestReceiver> {
    const receiver = new TestReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    // The cast is true because the server listens on a port.
    return (this.#server.address() as AddressInfo).port;
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** What came to a path, without challenges. */
  deliveriesTo(path = '/hook'): Received[] {
    return this.received.filter(
      (one) => one.path === path && one.body.type !== 'subscription.verification',
    );
  }

  /** The entries of these, in the order in which they came. */
  entriesAt(path = '/hook'): Record<string, unknown>[] {
    return this.deliveriesTo(path).flatMap(({ body }) => body.data ?? []);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Verifies a signature by a secret, as the package that Standard Webhooks publishes does. */
export function verifySecret(secret: string, { text, headers }: Received): void {
  new Webhook(secret).verify(text, headers as Record<string, string>);
}

/** Verifies an Ed25519 signature by a public key. */
export function verifyPublicKey(publicKey: string, { text, headers }: Received): void {
  const x = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`);
  const signatures = String(headers['webhook-signature']).split(' ');
  assert(
    signatures.some((signature) => {
      const [version, value = ''] = signature.split(',');
      return version === 'v1a' && verify(null, content, key, Buffer.from(value, 'base64'));
    }),
    'the signature is not of this key',
  );
}
