// Every method that an address of the contract does not have is refused with those that it has.
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, test } from 'node:test';
import { type Operation, operations } from '@landfall/contract';
import { type KnownValues, valuesOf } from './known-values.js';
import { makeServer } from './server.js';

const { app } = await makeServer({ logLevel: 'silent' });
/** An address of the contract: its methods, and the values of the parameters that are one of some. */
type Address = { methods: Set<string>; oneOf: KnownValues };

const addresses = new Map<string, Address>();
for (const operation of Object.values<Operation>(operations)) {
  const { method, path, parameters } = operation;
  const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const address = addresses.get(url) ?? { methods: new Set(), oneOf: valuesOf(parameters) };
  address.methods.add(method.toUpperCase());
  addresses.set(url, address);
}
for (const [url, { methods, oneOf }] of addresses) {
  const config = { oneOf };
  for (const method of methods) app.route({ method, url, config, handler: async () => 'handled' });
  // As Fastify adds it.
  if (methods.has('GET')) methods.add('HEAD');
}
await app.ready();
after(() => app.close());

/** An address with each parameter: a value of it, or anything. */
function sampleOf(url: string, { oneOf }: Address): string {
  return url.replaceAll(/:(\w+)/g, (_, name: string) => oneOf[name]?.at(-1) ?? 'some%2Fthing');
}

/** Whether an address is one of a route. */
function isOf(url: string, { oneOf }: Address, address: string): boolean {
  const parts = address.split('/');
  const pattern = url.split('/');
  return (
    parts.length === pattern.length &&
    pattern.every((part, index) => {
      const given = parts[index] ?? '';
      if (!part.startsWith(':')) return part === given;
      return given !== '' && oneOf[part.slice(1)]?.includes(given) !== false;
    })
  );
}

/** The methods of an address: a level may be in the address, and a parameter for other methods. */
function methodsOf(address: string): Set<string> {
  return new Set(
    [...addresses].flatMap(([url, given]) => (isOf(url, given, address) ? [...given.methods] : [])),
  );
}

test('each address and each method', async () => {
  for (const [url, given] of addresses) {
    const address = sampleOf(url, given);
    const methods = methodsOf(address);
    for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
      // The cast is true of every method that Node.js reads.
      const sent = { method: method as 'GET', url: `${address}?a=/b` };
      const { statusCode, headers } = await app.inject(sent);
      assert.equal(statusCode, methods.has(method) ? 200 : 405, `${method} ${address}`);
      if (statusCode === 405) assert.equal(headers.allow, [...methods].sort().join(', '));
    }
    for (const unknown of [`${address}/more`, `${address}x`, `/x${address}`]) {
      const { statusCode } = await app.inject({ method: 'OPTIONS', url: unknown });
      assert.equal(statusCode, methodsOf(unknown).size > 0 ? 405 : 404, unknown);
    }
  }
});

test('a parameter that is one of some values has no other one', async () => {
  for (const [url, { oneOf, methods }] of addresses) {
    if (Object.keys(oneOf).length === 0) continue;
    const address = url.replaceAll(/:(\w+)/g, 'other');
    for (const method of methods) {
      const { statusCode } = await app.inject({ method: method as 'GET', url: address });
      assert.equal(statusCode, methodsOf(address).size > 0 ? 405 : 404, `${method} ${address}`);
    }
  }
});

test('no address is also that of another with parameters, whose methods it would get', () => {
  for (const [url, given] of addresses) {
    const alike = [...addresses].filter(([other, of]) => {
      const isSame = other === url;
      // A level in the address, and all levels as a parameter, are addresses of one thing.
      const isOfOneThing = Object.keys(of.oneOf).length !== Object.keys(given.oneOf).length;
      return isSame || (isOf(other, of, sampleOf(url, given)) && !isOfOneThing);
    });
    assert.deepEqual(
      alike.map(([other]) => other),
      [url],
    );
  }
});
