// No error of the client has a token, a password or a key in it, wherever the platform quotes what it was given.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { Landfall } from '../landfall.js';
import { fixedToken } from '../tokens/token-source.js';
import { ConnectionError } from './connection-error.js';
import {
  ConfigurationError,
  type LandfallError,
  UnexpectedResponseError,
} from './landfall-error.js';
import { MovementUnknownError, PresentationUnknownError } from './outcome-unknown-error.js';
import { TokenError } from './token-error.js';

const SECRET = 'sEcReT0123456789';
const JWT = `eyJhbGciOiJSUzI1NiJ9.${SECRET}.x`;

/** Errors as a platform makes them, with a secret. */
const platformErrors = [
  new TypeError(`Headers.set: "Bearer ${SECRET}\u0000" is an invalid header value.`),
  new TypeError(`Headers.append: "Bearer ${JWT}" is an invalid header value.`),
  new TypeError(
    `Request cannot be constructed from a URL that includes credentials: http://u:${SECRET}@x/y`,
  ),
  new TypeError('fetch failed', { cause: new Error(`connect http://${SECRET}@127.0.0.1 failed`) }),
  new Error(`-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`),
];

/** Every error that is made from another one. */
const makers: Record<string, (cause: Error) => LandfallError> = {
  ConnectionError: (cause) => new ConnectionError(cause.message, { cause }),
  ConfigurationError: (cause) => new ConfigurationError(cause.message, { cause }),
  UnexpectedResponseError: (cause) => new UnexpectedResponseError(cause.message, { cause }),
  PresentationUnknownError: (cause) => new PresentationUnknownError('id', cause),
  MovementUnknownError: (cause) => new MovementUnknownError('id', cause),
  TokenError: (cause) => new TokenError('exchange', { cause }),
};

for (const [name, make] of Object.entries(makers)) {
  test(`a ${name} has no secret of its cause`, () => {
    for (const cause of platformErrors) {
      assert.ok(inspect(cause).includes(SECRET));
      assertWithoutSecret(make(cause));
    }
  });
}

test('a cause without a secret stays the error that it is', () => {
  const cause = new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });
  assert.equal(new ConnectionError('lost', { cause }).cause, cause);
});

const server = createServer((_, response) => response.end('OK'));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
// The cast is true because the server listens on a port, not on a pipe.
const { port } = server.address() as AddressInfo;

test('a token that no header can have is refused, without a word of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('\n', '\u0000', '\u2028', '🚢', '\r\n x: y'),
      async (wrong) => {
        const tokens = fixedToken(`${SECRET}${wrong}${SECRET}`);
        const client = new Landfall({ baseUrl: `http://127.0.0.1:${port}`, tokens, retry: false });
        const error = await failureOf(() => client.testAuth());
        assert(error instanceof ConfigurationError, inspect(error));
        assert.match(error.message, /^the header authorization/);
        assertWithoutSecret(error);
      },
    ),
    { numRuns: 10 },
  );
});

test('an address with a password is refused, without a word of it', async () => {
  const error = await failureOf(async () =>
    new Landfall({ baseUrl: `http://user:${SECRET}@127.0.0.1:${port}` }).testAuth(),
  );
  assert(error instanceof ConfigurationError, inspect(error));
  assertWithoutSecret(error);
});

async function failureOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return assert.fail('it did not fail');
}

/** As a program prints or stores an error. */
function assertWithoutSecret(error: LandfallError): void {
  for (const text of [
    error.message,
    String(error),
    error.stack ?? '',
    inspect(error, { depth: 9 }),
  ]) {
    assert.ok(!text.includes(SECRET), text);
  }
}
