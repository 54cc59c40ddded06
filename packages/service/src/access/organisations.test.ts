// Organisations over HTTP: changing them, reading them, and their errors.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  call,
  exchange,
  getCustomsToken,
  goodGrant,
  type Running,
  readResponse,
  sendGrant,
  startAccess,
  type TokenResponse,
} from '../testing/running-access.js';

let running: Running;
let token: string;
before(async () => {
  running = await startAccess();
  token = await getCustomsToken(running, 'authority');
});
after(() => running.close());

const pathOf = (id: string) => `/api/authority/v1/organisations/${encodeURIComponent(id)}`;

async function put(
  id: string,
  entry: unknown,
  precondition: Record<string, string> = {},
): Promise<TokenResponse> {
  const body = JSON.stringify(entry);
  const headers = { 'content-type': 'application/json', ...precondition };
  return readResponse(await call(running, token, pathOf(id), { method: 'PUT', body, headers }));
}

/** Replaces what is stored, whatever it is. */
async function replace(id: string, entry: object): Promise<TokenResponse> {
  return put(id, { ...entry, etag: (await get(id)).body.etag });
}

async function get(id: string): Promise<TokenResponse> {
  return readResponse(await call(running, token, pathOf(id)));
}

/** The fields and codes of what is wrong. */
function errorsOf({ status, body }: TokenResponse): Record<string, string> {
  assert.equal(status, 400);
  // The cast is true because the contract says so of a 400 here; a test that meets another one fails.
  const errors = body.validationErrors as { field: string; code: string }[];
  return Object.fromEntries(errors.map(({ field, code }) => [field, code]));
}

const keyPair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicJwk = { ...keyPair.publicKey.export({ format: 'jwk' }), kid: 'one' };

test('a stored organisation can be read, and repeating the request changes nothing', async () => {
  const id = '0192:974760673';
  const entry = {
    name: 'Example',
    kind: 'domestic',
    grantedScopes: ['movement/air', 'movement/entry'],
    identificationNumbers: ['DE1234567890', 'SE5560000001'],
    clients: [
      {
        client_id: 'example-client',
        scopes: ['movement/entry'],
        certificates: [],
        keys: [publicJwk],
        blocked: false,
      },
    ],
    blocked: false,
  };
  const first = await put(id, entry);
  assert.equal(first.status, 200);
  assert.deepEqual(first.body, { id, ...entry, etag: first.headers.get('etag') });
  assert.deepEqual((await put(id, first.body)).body, first.body);
  assert.deepEqual((await get(id)).body, first.body);
});

test('with If-Match, only the state that was read is replaced', async () => {
  const id = '0192:974760681';
  const entry = { name: 'One', kind: 'domestic' };
  assert.equal((await put(id, entry, { 'if-match': '*' })).status, 412);
  const { body: one } = await put(id, entry);
  const { headers } = await get(id);
  assert.equal(headers.get('etag'), one.etag);
  const changed = { ...entry, name: 'Two' };
  const { status, body: two } = await put(id, changed, { 'if-match': String(one.etag) });
  assert.equal(status, 200);
  assert.notEqual(two.etag, one.etag);
  // The same request again, as after a lost response.
  assert.deepEqual((await put(id, changed, { 'if-match': String(one.etag) })).body, two);
  for (const ifMatch of [one.etag, '"unknown"', `W/${two.etag}`]) {
    const refused = await put(id, { ...entry, name: 'Three' }, { 'if-match': String(ifMatch) });
    assert.equal(refused.status, 412, String(ifMatch));
    assert.match(String(refused.body.detail), /0192:974760681 has changed .*: read it again/);
  }
  assert.deepEqual((await get(id)).body, two);
  const three = await put(
    id,
    { ...entry, name: 'Three' },
    { 'if-match': `"unknown", ${two.etag}` },
  );
  assert.equal(three.body.name, 'Three');
  assert.equal((await put(id, entry, { 'if-match': '*' })).body.etag, one.etag);
  for (const ifMatch of ['', 'one', '"one', '"one" "two"', '*, "one"']) {
    const refused = await put(id, entry, { 'if-match': ifMatch });
    assert.deepEqual(errorsOf(refused), { 'If-Match': 'FORMAT' }, ifMatch);
  }
});

async function patch(
  id: string,
  change: unknown,
  headers: Record<string, string> = {},
): Promise<TokenResponse> {
  const body = JSON.stringify(change);
  const type = { 'content-type': 'application/merge-patch+json' };
  return readResponse(
    await call(running, token, pathOf(id), {
      method: 'PATCH',
      body,
      headers: { ...type, ...headers },
    }),
  );
}

test('a registered organisation is replaced only as it was read', async () => {
  const id = '0192:974760703';
  const entry = { name: 'One', kind: 'domestic', grantedScopes: ['movement/entry'] };
  const { body: one } = await put(id, entry);
  const refused = await put(id, { name: 'One', kind: 'domestic', blocked: true });
  assert.equal(refused.status, 428);
  assert.match(String(refused.body.detail), /send the etag of what was read.*or .* with PATCH/);
  assert.deepEqual((await get(id)).body, one);
  // The same data again, as after a lost response.
  assert.equal((await put(id, entry)).status, 200);
  const { status, body: two } = await put(id, { ...one, blocked: true });
  assert.equal(status, 200);
  assert.equal((await put(id, { ...one, name: 'Late' })).status, 412);
  const byHeader = await put(id, { ...one, blocked: false }, { 'if-match': String(two.etag) });
  assert.deepEqual(byHeader.body, one);
});

test('an organisation that only declarations have named is registered without a precondition', async () => {
  const id = 'VATDE-NAMED';
  await put(id, { name: id, kind: 'foreign' });
  assert.equal((await put(id, { name: 'Named', kind: 'foreign' })).status, 200);
});

test('PATCH changes what it names, and leaves the rest', async () => {
  const id = '0192:974760746';
  const clients = [
    { client_id: 'patched', scopes: [], certificates: [], keys: [publicJwk], blocked: false },
  ];
  const entry = { name: 'One', kind: 'domestic', grantedScopes: ['movement/entry'], clients };
  const { etag: first, ...stored } = (await put(id, entry)).body;
  const { status, body: blocked } = await patch(id, { blocked: true });
  assert.equal(status, 200);
  assert.deepEqual(blocked, { ...stored, blocked: true, etag: blocked.etag });
  assert.notEqual(blocked.etag, first);
  assert.deepEqual((await patch(id, { blocked: true })).body, blocked);
  // `null` is what an absent member of PUT is.
  const { etag: _, ...free } = (await patch(id, { blocked: null, grantedScopes: null })).body;
  assert.deepEqual(free, { ...stored, grantedScopes: [] });
  const late = { 'if-match': String(blocked.etag) };
  assert.equal((await patch(id, { name: 'Late' }, late)).status, 412);
  assert.equal((await patch(id, { name: 'Late', etag: blocked.etag })).status, 412);
  assert.equal((await get(id)).body.name, 'One');
});

test('PATCH is refused by the rules of PUT, and changes nothing', async () => {
  const id = '0192:974760754';
  await put(id, { name: 'One', kind: 'domestic', clients: [{ client_id: 'kept', blocked: true }] });
  const { body: before } = await get(id);
  assert.deepEqual(errorsOf(await patch(id, { block: true })), { block: 'UNKNOWN_MEMBER' });
  assert.deepEqual(errorsOf(await patch(id, { name: null })), { name: 'REQUIRED' });
  assert.deepEqual(errorsOf(await patch(id, { clients: [] })), { clients: 'REQUIRED' });
  assert.equal((await patch(id, { id: '0192:974760762' })).status, 400);
  assert.deepEqual((await get(id)).body, before);
  assert.equal((await patch('0192:974760770', { blocked: true })).status, 404);
  const json = { 'content-type': 'application/json' };
  assert.equal((await patch(id, { blocked: true }, json)).status, 415);
});

test('with If-None-Match, an organisation is created and none is replaced', async () => {
  const id = '0192:974760282';
  const entry = { name: 'One', kind: 'domestic' };
  const onlyNew = { 'if-none-match': '*' };
  const { status, body: created } = await put(id, entry, onlyNew);
  assert.equal(status, 200);
  // The same request again, as after a lost response.
  assert.deepEqual((await put(id, entry, onlyNew)).body, created);
  const refused = await put(id, { ...entry, name: 'Two' }, onlyNew);
  assert.equal(refused.status, 412);
  assert.match(String(refused.body.detail), /There is an organisation 0192:974760282 already: /);
  assert.deepEqual((await get(id)).body, created);
  const etag = String(created.etag);
  for (const ifNoneMatch of ['', etag, `W/${etag}`, '"*"', '*, *']) {
    const refused = await put(id, entry, { 'if-none-match': ifNoneMatch });
    assert.deepEqual(errorsOf(refused), { 'If-None-Match': 'FORMAT' }, ifNoneMatch);
  }
  const both = await put(id, entry, { ...onlyNew, 'if-match': etag });
  assert.deepEqual(errorsOf(both), { 'If-None-Match': 'FORMAT' });
});

test('a registered client gets tokens with its key, for the scopes of its organisation', async () => {
  const id = '0192:974761076';
  await put(id, {
    name: 'By key',
    kind: 'domestic',
    grantedScopes: ['movement/entry'],
    clients: [{ client_id: 'by-key', keys: [publicJwk] }],
  });
  const grant = goodGrant(running.credentials('carrier'));
  grant.key = keyPair.privateKey;
  grant.header = { alg: 'ES256', kid: 'one' };
  grant.claims.iss = 'by-key';
  const { status, body } = await sendGrant(running, grant);
  assert.equal(status, 200, String(body.error_description));
  assert.equal((await exchange(running, String(body.access_token))).status, 200);

  const refused = async (scope: string) => {
    const { body } = await sendGrant(running, {
      ...grant,
      claims: { ...grant.claims, scope, jti: undefined },
    });
    return String(body.error_description).slice(0, 6);
  };
  assert.equal(await refused('customs:movement/air'), 'MP-250');
  await replace(id, {
    name: 'By key',
    kind: 'domestic',
    grantedScopes: ['movement/entry'],
    clients: [{ client_id: 'by-key', keys: [{ ...publicJwk, exp: 1_700_000_000 }] }],
  });
  assert.equal(await refused('customs:movement/entry'), 'MP-121');
  await replace(id, { name: 'By key', kind: 'domestic' });
  assert.equal(await refused('customs:movement/entry'), 'MP-100');
});

test('a key that is registered for an algorithm signs only with it', async () => {
  const id = '0192:974761076';
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', use: 'sig' };
  const putKeys = (...keys: object[]) =>
    replace(id, {
      name: 'By algorithm',
      kind: 'domestic',
      grantedScopes: ['movement/entry'],
      clients: [{ client_id: 'by-algorithm', keys }],
    });
  const send = (alg: string) => {
    const grant = goodGrant(running.credentials('carrier'));
    grant.key = rsa.privateKey;
    grant.header = { alg, kid: 'rsa' };
    grant.claims.iss = 'by-algorithm';
    return sendGrant(running, grant);
  };
  assert.equal((await putKeys({ ...key, alg: 'PS256' })).status, 200);
  assert.equal((await send('PS256')).status, 200);
  for (const alg of ['RS256', 'PS384', 'PS512']) {
    const { body } = await send(alg);
    assert.match(String(body.error_description), /^MP-124 .* registered for 'PS256' alone/);
  }
  assert.equal((await putKeys(key)).status, 200);
  assert.equal((await send('RS256')).status, 200);
  const refused = await putKeys(
    { ...key, alg: 'ES256' },
    { ...key, kid: 'two', alg: 'RSA-OAEP' },
    { ...key, kid: 'three', use: 'enc' },
    { ...publicJwk, kid: 'four', alg: 'ES384' },
  );
  assert.deepEqual(errorsOf(refused), {
    'clients.0.keys.0.alg': 'FORMAT',
    'clients.0.keys.1.alg': 'FORMAT',
    'clients.0.keys.2.use': 'FORMAT',
    'clients.0.keys.3.alg': 'FORMAT',
  });
});

test('all errors of an organisation are reported together', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
  const [carrier = ''] = running.credentials('carrier').x5c;
  const response = await put('0192:974760673', {
    name: ' ',
    kind: 'domestic',
    grantedScopes: ['movement/entry', 'everything'],
    clients: [{ certificates: [7, ''] }, { client_id: 'x', keys: 'none' }],
    blocked: 'no',
  });
  assert.deepEqual(errorsOf(response), {
    name: 'REQUIRED',
    'grantedScopes.1': 'UNKNOWN_CODE',
    'clients.0.client_id': 'REQUIRED',
    'clients.0.certificates.0': 'FORMAT',
    'clients.0.certificates.1': 'REQUIRED',
    'clients.1.keys': 'FORMAT',
    blocked: 'FORMAT',
  });
  const deeper = await put('0192:974760673', {
    id: '0192:000000000',
    name: 'Example',
    kind: 'foreign',
    grantedScopes: ['movement/entry', 'declaration.feed'],
    clients: [
      {
        client_id: 'twice',
        keys: [
          { ...privateKey.export({ format: 'jwk' }), kid: 'private' },
          { ...weak.export({ format: 'jwk' }), kid: 'weak' },
          { kty: 'oct', k: 'AAAA', kid: 'symmetric' },
          publicJwk,
          publicJwk,
          { ...publicJwk, kid: undefined },
        ],
      },
      { client_id: 'twice', certificates: ['AAAA'] },
    ],
  });
  assert.deepEqual(errorsOf(deeper), {
    id: 'FORMAT',
    kind: 'FORMAT',
    'grantedScopes.1': 'UNKNOWN_CODE',
    'clients.0.keys.0': 'FORMAT',
    'clients.0.keys.1': 'FORMAT',
    'clients.0.keys.2': 'FORMAT',
    'clients.0.keys.4.kid': 'FORMAT',
    'clients.0.keys.5.kid': 'REQUIRED',
    'clients.1.client_id': 'FORMAT',
    'clients.1.certificates.0': 'FORMAT',
  });
  const another = await put('0192:974760673', {
    name: 'Example',
    kind: 'domestic',
    clients: [{ client_id: 'example-client', certificates: [carrier] }],
  });
  assert.deepEqual(errorsOf(another), { 'clients.0.certificates.0': 'FORMAT' });
});

test('a private key is neither stored nor quoted, also among other members', async () => {
  const id = 'NTRSE-556000-0001';
  const secret = keyPair.privateKey.export({ format: 'jwk' });
  const entry = { name: 'Foreign', kind: 'foreign' };
  const refused = await put(id, {
    ...entry,
    clients: [{ client_id: 'f', keys: [{ ...secret, kid: '1' }] }],
  });
  assert.deepEqual(errorsOf(refused), { 'clients.0.keys.0': 'FORMAT' });
  assert.doesNotMatch(JSON.stringify(refused.body), new RegExp(String(secret.d)));
  assert.equal((await get(id)).status, 404);
  const hidden = { ...publicJwk, D: secret.d, note: secret.d };
  const kept = await put(id, { ...entry, clients: [{ client_id: 'f', keys: [hidden] }] });
  assert.equal(kept.status, 200);
  assert.doesNotMatch(JSON.stringify(kept.body), new RegExp(String(secret.d)));
});

test('a client of another organisation cannot be registered', async () => {
  const entry = { name: 'Thief', kind: 'domestic', clients: [{ client_id: 'playground-carrier' }] };
  assert.deepEqual(errorsOf(await put('0192:974760990', entry)), {
    'clients.0.client_id': 'TAKEN',
  });
  assert.equal((await get('0192:974760990')).status, 404);
});

test('an identification number of another organisation is refused, and so is one that names somebody by itself', async () => {
  const entry = { name: 'Example', kind: 'domestic' };
  const first = { ...entry, identificationNumbers: ['FR 123'] };
  assert.equal((await put('0192:974761092', first)).status, 200);
  const identificationNumbers = ['GB1', 'fr123', 'NO974761092', 'x'.repeat(18), 'Å'];
  assert.deepEqual(errorsOf(await put('0192:974761106', { ...entry, identificationNumbers })), {
    'identificationNumbers.3': 'SIZE',
    'identificationNumbers.4': 'FORMAT',
  });
  const some = identificationNumbers.slice(0, 3);
  assert.deepEqual(
    errorsOf(await put('0192:974761106', { ...entry, identificationNumbers: some })),
    { 'identificationNumbers.2': 'FORMAT' },
  );
  assert.deepEqual(
    errorsOf(await put('0192:974761106', { ...entry, identificationNumbers: ['GB1', 'fr123'] })),
    { 'identificationNumbers.1': 'TAKEN' },
  );
  assert.equal((await get('0192:974761106')).status, 404);
  const many = Array.from({ length: 21 }, (_, index) => `IT${index}`);
  assert.deepEqual(
    errorsOf(await put('0192:974761106', { ...entry, identificationNumbers: many })),
    { identificationNumbers: 'SIZE' },
  );
  assert.deepEqual((await patch('0192:974761092', { identificationNumbers: null })).status, 200);
  assert.deepEqual((await get('0192:974761092')).body.identificationNumbers, []);
});

test('an invalid or unknown identifier is refused', async () => {
  assert.equal((await get('0192:123456789')).status, 404);
  assert.equal((await get('a\0b')).status, 404);
  const entry = { name: 'Example', kind: 'domestic' };
  assert.deepEqual(errorsOf(await put('0192:12', entry)), { id: 'FORMAT' });
  assert.deepEqual(errorsOf(await put('NTRSE-5/6', entry)), { kind: 'FORMAT' });
  assert.equal((await put('NTRSE-5/6', { ...entry, kind: 'foreign' })).body.id, 'NTRSE-5/6');
  assert.deepEqual(errorsOf(await put('NTRSE-\n', { ...entry, kind: 'foreign' })), {
    id: 'FORMAT',
  });
});

test('only the authority may read or change organisations', async () => {
  const carrier = await getCustomsToken(running, 'carrier');
  assert.equal((await call(running, carrier, pathOf('0192:310000019'))).status, 403);
  assert.equal((await call(running, 'x', pathOf('0192:310000019'))).status, 401);
});

test('two concurrent changes of an organisation do not mix', async () => {
  const id = '0192:310000078';
  const entries = [1, 2].map((number) => ({
    name: `Version ${number}`,
    kind: 'domestic',
    grantedScopes: number === 1 ? ['movement/air'] : ['movement/entry', 'movement/rail'],
    identificationNumbers: [],
    clients: [
      { client_id: `client-${number}`, scopes: [], certificates: [], keys: [], blocked: false },
    ],
    blocked: false,
  }));
  await Promise.all(entries.map((entry) => put(id, entry)));
  const { body } = await get(id);
  const expected = entries.find(({ name }) => name === body.name);
  assert.deepEqual(body, { id, ...expected, etag: body.etag });
});
