// A playground that is reached at several addresses: tokens hold at each, and what it hands out names that of the request.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import type { PlaygroundCredentials } from '@landfall/contract';
import { decodeJwt } from 'jose';
import { Landfall } from '../../client/dist/index.js';
import { findPort } from './find-port.js';
import { startPlayground } from './index.js';
import { PublicAddresses } from './public-addresses.js';

const TEST_AUTH = '/api/movement/road/v2/test-auth';
const port = await findPort('127.0.0.1', 0);
const controlSecret = 'a-secret-of-this-test';
const playground = await startPlayground({
  port,
  controlSecret,
  publicUrl: ['http://playground:8080', 'https://customs.test/', 'http://Mapped.test:*'],
});
after(() => playground.close());

const addresses = [
  `http://localhost:${port}`,
  'http://playground:8080',
  'https://customs.test',
  'http://mapped.test:31000',
  'http://mapped.test:31001',
];

/** Like `fetch`, at the address of the playground on this machine, with the host of the given one. */
const send: typeof fetch = async (address, init = {}) => {
  const { url, method, headers, body } = new Request(String(address), {
    ...init,
    duplex: 'half',
  } as RequestInit);
  const { host, pathname, search } = new URL(url);
  const bytes = body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer());
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: pathname + search,
        headers: { ...Object.fromEntries(headers), host },
      },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const pairs = Object.entries(response.headers).map(([name, value]) => [
          name,
          String(value),
        ]);
        const { statusCode: status = 0 } = response;
        const text = Buffer.concat(chunks);
        resolve(
          new Response(status === 204 ? null : text, {
            status,
            headers: pairs as [string, string][],
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });
};

async function control(address: string, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${controlSecret}`, 'content-type': 'application/json' };
  const response = await send(`${address}/playground${path}`, { ...init, headers });
  assert(response.ok, `${response.status} of ${address}${path}`);
  return JSON.parse(await response.text());
}

/** The metadata of the identity provider at an address. */
async function metadataAt(address: string) {
  const response = await send(`${address}/.well-known/oauth-authorization-server/idp`);
  return JSON.parse(await response.text());
}

/** A client with what the control address of an address hands out, and the tokens that it sends. */
function clientOf(identities: PlaygroundCredentials[]) {
  const identity = identities.find(({ name }) => name === 'carrier');
  assert(identity);
  const tokens = { access: '', customs: '' };
  const { base_url: baseUrl, idp_url: url, client_id: clientId } = identity;
  const landfall = new Landfall({
    baseUrl,
    allowHttp: true,
    credentials: {
      kind: identity.kind,
      clientId,
      key: identity.private_key,
      certificates: [...identity.x5c],
      scopes: [...identity.scopes],
      identityProvider: { url },
    },
    fetch: async (address, init) => {
      const response = await send(address, init);
      const { headers } = new Request(String(address), init as RequestInit);
      const bearer = headers.get('authorization')?.replace('Bearer ', '');
      if (bearer !== undefined) tokens.customs = bearer;
      if (String(address).endsWith('/idp/token')) {
        tokens.access = JSON.parse(await response.clone().text()).access_token;
      }
      return response;
    },
  });
  return { landfall, tokens, identity };
}

test('at each address clients get what names it, and their tokens hold at all of them', async () => {
  const all = await Promise.all(
    addresses.map(async (address) => {
      const { baseUrl, idpUrl, identities } = await control(address, '/credentials');
      assert.deepEqual([baseUrl, idpUrl], [address, `${address}/idp`]);
      const metadata = await metadataAt(address);
      assert.equal(metadata.issuer, idpUrl);
      assert.equal(metadata.token_endpoint, `${idpUrl}/token`);
      const { landfall, tokens } = clientOf(identities);
      await landfall.testAuth();
      const access = decodeJwt(tokens.access);
      assert.deepEqual([access.iss, access.aud], [idpUrl, address]);
      const customs = decodeJwt(tokens.customs);
      assert.deepEqual([customs.iss, customs.aud], [`${address}/api/access`, address]);
      return tokens;
    }),
  );
  for (const tokens of all) {
    for (const address of addresses) {
      const headers = { authorization: `Bearer ${tokens.customs}` };
      const used = await send(`${address}${TEST_AUTH}`, { headers });
      assert.equal(used.status, 200, address);
      const exchanged = await send(`${address}/api/access/external/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          subject_token: tokens.access,
          resource: address,
        }),
      });
      assert.equal(exchanged.status, 200, await exchanged.clone().text());
      for (const token of [tokens.access, tokens.customs]) {
        const { claims, findings } = await control(address, '/token-inspections', {
          method: 'POST',
          body: JSON.stringify({ token }),
        });
        assert(
          findings.every(({ holds }: { holds: boolean }) => holds),
          JSON.stringify(findings),
        );
        const audience = claims.find(({ name }: { name: string }) => name === 'aud');
        assert.deepEqual(audience.parties, [{ kind: 'service' }]);
      }
    }
  }
});

test('headers of responses name the address of the request', async () => {
  for (const address of addresses) {
    const { identities } = await control(address, '/credentials');
    const { landfall, tokens } = clientOf(identities);
    await landfall.testAuth();
    const presented = await send(`${address}/api/movement/presentation/v1/house-consignment`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.customs}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        requestId: crypto.randomUUID(),
        customsOfficeOfPresentation: 'NO351001',
        transportDocumentHouseLevel: { documentNumber: 'NO100000001MU', type: 'N750' },
      }),
    });
    assert.equal(presented.status, 202, await presented.clone().text());
    assert(presented.headers.get('location')?.startsWith(`${address}/api/`));
    const page = await send(`${address}/api/movement/routing/v1/house-consignment?limit=1`, {
      headers: { authorization: `Bearer ${tokens.customs}` },
    });
    assert(page.headers.get('link')?.startsWith(`<${address}/api/`), address);
  }
});

test('spaces have each address too, and their tokens hold there alone', async () => {
  const made = await control(addresses[1] ?? '', '/spaces', {
    method: 'POST',
    body: '{"name":"team"}',
  });
  assert.equal(made.baseUrl, 'http://playground:8080/spaces/team');
  for (const address of addresses) {
    const { baseUrl, identities } = await control(address, '/spaces/team');
    assert.equal(baseUrl, `${address}/spaces/team`);
    assert.deepEqual(await control(`${address}/spaces/team`, '/credentials'), {
      baseUrl,
      idpUrl: `${baseUrl}/idp`,
      identities,
    });
    const { landfall, tokens } = clientOf(identities);
    await landfall.testAuth();
    for (const other of addresses) {
      const headers = { authorization: `Bearer ${tokens.customs}` };
      assert.equal((await send(`${other}/spaces/team${TEST_AUTH}`, { headers })).status, 200);
      assert.equal((await send(`${other}${TEST_AUTH}`, { headers })).status, 401);
    }
  }
  await playground.spaces()[0]?.close();
});

test('at an address that is not configured, the first is handed out, and its tokens are refused', async () => {
  for (const host of ['other.test', 'playground', 'playground:8081', 'mapped.test.evil:1']) {
    const { issuer } = await metadataAt(`http://${host}`);
    assert.equal(issuer, 'http://playground:8080/idp', host);
  }
  const { identities } = await control(addresses[1] ?? '', '/credentials');
  const foreign = identities.map((each: PlaygroundCredentials) => ({
    ...each,
    base_url: 'http://other.test',
    idp_url: 'http://other.test/idp',
  }));
  await assert.rejects(
    clientOf(foreign).landfall.testAuth(),
    /MP-110.*http:\/\/playground:8080\/idp/s,
  );
});

test('hosts with any port have a limit of ports: the one that was used last is known, the others make place', () => {
  const many = new PublicAddresses(
    ['http://mapped.test:*', 'http://[::1]:*'],
    'http://localhost:1',
  );
  for (let at = 1; at <= 150; at++) many.of({ host: `mapped.test:${at}` });
  assert.equal(many.all.length, 101);
  assert.equal(many.first, 'http://localhost:1');
  assert.equal(many.of({ host: 'MAPPED.test:60' }), 'http://mapped.test:60');
  // Whoever names ports that nobody has takes none from those who come later, or from who goes on.
  for (let at = 1000; at < 1099; at++) many.of({ host: `mapped.test:${at}` });
  assert.equal(many.of({ host: 'mapped.test:2000' }), 'http://mapped.test:2000');
  assert.equal(many.of({ host: 'mapped.test:60' }), 'http://mapped.test:60');
  assert.equal(many.all.length, 101);
  assert(many.all.includes('http://mapped.test:2000'));
  assert(!many.all.includes('http://mapped.test:61'));
  const other = new PublicAddresses(['http://[::1]:*'], 'http://localhost:1');
  assert.equal(other.of({ host: '[::1]:32000' }), 'http://[::1]:32000');
  for (const host of [
    '',
    'x'.repeat(10_000),
    '[',
    'a b',
    '[::1]:99999',
    '[::1]:1/x',
    '[::1]:1?x',
    'a@[::1]:1',
  ]) {
    assert.equal(other.of({ host }), 'http://localhost:1', host.slice(0, 20));
  }
  assert.equal(other.of({}), 'http://localhost:1');
});

test('an address that cannot be one is refused by its rule, and the secret is not shown', async () => {
  const wrong: unknown[] = [
    'localhost',
    'ftp://a',
    'http://a/path',
    'http://a?x',
    'http://a#x',
    'http://*:80',
    'http://a.*',
    'http://*',
    'http://a:*/x',
    'http://',
    'http://a:99999',
    ['http://a', 5],
    [''],
    Array(21).fill('http://a'),
    'http://a b',
    'http://a,,http://b',
    ', http://a',
    'http://a, ',
  ];
  for (const publicUrl of wrong) {
    // The cast is for values that no program with types gives.
    const options = { publicUrl: publicUrl as string };
    await assert.rejects(
      startPlayground(options),
      /^PlaygroundOptionError: publicUrl \(LANDFALL_PUBLIC_URL\) must/,
      String(publicUrl),
    );
  }
  await assert.rejects(startPlayground({ publicUrl: 'http://user:hidden@a' }), (error: Error) => {
    assert(!error.message.includes('hidden'));
    return true;
  });
  for (const secret of ['short-secret', 'with a blank in it', 'x'.repeat(300)]) {
    await assert.rejects(startPlayground({ controlSecret: secret }), (error: Error) => {
      assert.match(error.message, /controlSecret \(LANDFALL_CONTROL_SECRET\) must have 16/);
      assert(!error.message.includes(secret));
      return true;
    });
  }
});
