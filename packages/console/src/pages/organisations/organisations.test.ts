import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import type { Organisation } from '@landfall/client';
import {
  addCertificate,
  addKey,
  differences,
  grant,
  numbersIn,
  removeCertificate,
  removeKey,
  scopesFor,
  setBlocked,
  setClientBlocked,
  setNumbers,
} from './change-organisation.js';
import { describeCertificate } from './describe-certificate.js';
import { algorithmOf, validityAt } from './describe-credential.js';
import { filterOrganisations } from './filter-organisations.js';
import { readCredential } from './read-credential.js';

const organisation: Organisation = {
  id: '0192:310000019',
  name: 'Carrier',
  kind: 'domestic',
  grantedScopes: ['movement/entry'],
  identificationNumbers: ['DE1', 'SE2'],
  clients: [{ client_id: 'one', keys: [{ kty: 'EC', kid: 'a' }] }, { client_id: 'two' }],
  blocked: false,
  etag: '"one"',
};

test('each change changes one thing, and keeps the rest', () => {
  const granted = grant(['movement/entry', 'declaration.feed'])(organisation);
  assert.deepEqual(granted, {
    ...organisation,
    grantedScopes: ['declaration.feed', 'movement/entry'],
  });
  const numbered = setNumbers(numbersIn('se 2, fr3;SE2\n,'))(organisation);
  assert.deepEqual(numbered, { ...organisation, identificationNumbers: ['FR3', 'SE2'] });
  assert.deepEqual(differences(organisation, numbered), [
    { part: 'identificationNumbers', before: 'DE1, SE2', after: 'FR3, SE2' },
  ]);
  assert.deepEqual(setBlocked(true)(organisation), { ...organisation, blocked: true });
  const replaced = addKey('one', { kty: 'RSA', kid: 'a' })(organisation);
  assert.deepEqual(replaced.clients[0]?.keys, [{ kty: 'RSA', kid: 'a' }]);
  assert.deepEqual(replaced.clients[1], { client_id: 'two' });
  assert.deepEqual(removeKey('one', 'a')(organisation).clients[0]?.keys, []);
  const added = addCertificate('three', 'MII')(organisation);
  assert.deepEqual(added.clients[2], { client_id: 'three', certificates: ['MII'] });
  assert.deepEqual(addCertificate('three', 'MII')(added), added);
  assert.deepEqual(removeCertificate('three', 'MII')(added).clients[2]?.certificates, []);
  assert.equal(setClientBlocked('two', true)(organisation).clients[1]?.blocked, true);
  assert.deepEqual(differences(organisation, organisation), []);
});

test('what another officer has changed is named', () => {
  const other = setBlocked(true)(grant([])(addKey('two', { kty: 'EC', kid: 'b' })(organisation)));
  assert.deepEqual(differences(organisation, { ...other, name: 'New name' }), [
    { part: 'name', before: 'Carrier', after: 'New name' },
    { part: 'grantedScopes', before: 'movement/entry', after: '' },
    { part: 'blocked', before: 'false', after: 'true' },
    { part: 'clients', before: 'two', after: 'two' },
  ]);
  const [one, two] = organisation.clients;
  assert(one && two);
  const reordered = { ...organisation, clients: [two, { keys: one.keys ?? [], client_id: 'one' }] };
  assert.deepEqual(differences(organisation, reordered), []);
  const removed = { ...organisation, clients: [one] };
  assert.deepEqual(differences(organisation, removed), [
    { part: 'clients', before: 'two', after: '' },
  ]);
});

test('a foreign organisation has fewer scopes', () => {
  assert(scopesFor('domestic').includes('declaration.feed'));
  assert(!scopesFor('foreign').includes('declaration.feed'));
  assert(scopesFor('foreign').includes('movement/entry'));
});

test('keys and certificates are recognised, and private ones are refused', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'a' };
  assert.deepEqual(readCredential(JSON.stringify(jwk)), { kind: 'keys', keys: [jwk] });
  assert.deepEqual(readCredential(JSON.stringify({ keys: [jwk] })), { kind: 'keys', keys: [jwk] });
  const reasonOf = (text: string) => {
    const read = readCredential(text);
    return read.kind === 'refused' ? read.reason : read.kind;
  };
  const pem = (key: typeof privateKey, type: 'pkcs8' | 'spki') =>
    String(key.export({ format: 'pem', type }));
  assert.equal(reasonOf(JSON.stringify(privateKey.export({ format: 'jwk' }))), 'private');
  assert.equal(reasonOf(pem(privateKey, 'pkcs8')), 'private');
  assert.equal(reasonOf(pem(publicKey, 'spki')), 'publicPem');
  assert.equal(reasonOf(JSON.stringify({ ...jwk, kid: '' })), 'noKid');
  for (const text of ['', '{', '[]', '1', '{"keys":[]}', '{"kid":"a"}']) {
    assert.equal(reasonOf(text), 'unreadable', text);
  }
  const certificate = '-----BEGIN CERTIFICATE-----\nMII\nA==\n-----END CERTIFICATE-----\n';
  assert.deepEqual(readCredential(`text\n${certificate}`), {
    kind: 'certificate',
    certificate: 'MIIA==',
  });
});

test('the algorithm of a key is named', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  assert.equal(algorithmOf({ ...rsa.export({ format: 'jwk' }), alg: 'PS256' }), 'RSA 2048, PS256');
  assert.equal(algorithmOf({ kty: 'EC', crv: 'P-384' }), 'EC P-384');
  assert.equal(describeCertificate('MII'), undefined);
});

test('what ends within 30 days is warned of', () => {
  const now = new Date('2026-06-01T00:00:00Z');
  const at = (days: number) => new Date(now.getTime() + days * 86_400_000);
  assert.equal(validityAt(now, {}), 'valid');
  assert.equal(validityAt(now, { from: at(1), to: at(99) }), 'early');
  assert.equal(validityAt(now, { from: at(-1), to: at(31) }), 'valid');
  assert.equal(validityAt(now, { to: at(29) }), 'ending');
  assert.equal(validityAt(now, { to: now }), 'ended');
});

test('organisations are found by words of their name, identifier or numbers', () => {
  const { clients: _, ...summary } = organisation;
  const list = [
    summary,
    { ...summary, id: 'NTRDE-HRB1', name: 'Bremer Haven', identificationNumbers: ['DE77'] },
  ];
  const found = (text: string) => filterOrganisations(list, text).map(({ id }) => id);
  assert.deepEqual(found('haven ntrde'), ['NTRDE-HRB1']);
  assert.deepEqual(found('3100000'), ['0192:310000019']);
  assert.deepEqual(found('de77'), ['NTRDE-HRB1']);
  assert.equal(found(' ').length, 2);
  assert.deepEqual(found('nobody'), []);
});
