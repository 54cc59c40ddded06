// Every method that an address of the contract does not have is refused with those that it has.
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, test } from 'node:test';
import { operations } from '@landfall/contract';
import { makeServer } from './server.js';

const { app } = await makeServer({ logLevel: 'silent' });
const methodsOf = new Map<string, Set<string>>();
for (const { method, path } of Object.values(operations)) {
  const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const methods = methodsOf.get(url) ?? new Set();
  methodsOf.set(url, methods.add(method.toUpperCase()));
}
for (const [url, methods] of methodsOf) {
  for (const method of methods) app.route({ method, url, handler: async () => 'handled' });
  // As Fastify adds it.
  if (methods.has('GET')) methods.add('HEAD');
}
await app.ready();
after(() => app.close());

test('each address and each method', async () => {
  for (const [url, methods] of methodsOf) {
    const address = url.replaceAll(/:\w+/g, 'some%2Fthing');
    for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
      // The cast is true of every method that Node.js reads.
      const sent = { method: method as 'GET', url: `${address}?a=/b` };
      const { statusCode, headers } = await app.inject(sent);
      assert.equal(statusCode, methods.has(method) ? 200 : 405, `${method} ${address}`);
      if (statusCode === 405) assert.equal(headers.allow, [...methods].sort().join(', '));
    }
    for (const unknown of [`${address}/more`, `${address}x`, `/x${address}`]) {
      const { statusCode } = await app.inject({ method: 'OPTIONS', url: unknown });
      assert.equal(statusCode, isKnown(unknown) ? 405 : 404, unknown);
    }
  }
});

test('no address is also that of another with parameters, whose methods it would get', () => {
  const urls = [...methodsOf.keys()].map((url) => url.split('/'));
  for (const one of urls) {
    const alike = urls.filter(
      (other) =>
        other.length === one.length &&
        other.every((part, index) => part.startsWith(':') || part === one[index]),
    );
    assert.deepEqual(alike, [one]);
  }
});

function isKnown(address: string): boolean {
  return [...methodsOf.keys()].some((url) =>
    new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`).test(address),
  );
}
