// The playground's identities: created once, stored privately, renewed in time, and without overwriting changes.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { compileCheck, PlaygroundCredentials, playgroundIdentities } from '@landfall/contract';
import { getOrganisation } from '../../service/dist/access/get-organisation.js';
import { putOrganisation } from '../../service/dist/access/put-organisation.js';
import { AuditTrail } from '../../service/dist/audit/audit-trail.js';
import type { Database } from '../../service/dist/database/database.js';
import { openInMemory } from '../../service/dist/database/embedded/embedded.js';
import { migrate } from '../../service/dist/database/migrate.js';
import { prepareIdentities } from './identities.js';

let database: Database;
let dataFolder: string;
before(async () => {
  database = await openInMemory();
  await migrate(database);
  dataFolder = await mkdtemp(join(tmpdir(), 'landfall-identities-'));
});
after(async () => {
  await database.close();
  await rm(dataFolder, { recursive: true });
});

const prepare = (now = new Date(), baseUrl = 'http://localhost:8080') =>
  prepareIdentities({
    database,
    audit: new AuditTrail(),
    dataFolder,
    baseUrl,
    idpUrl: `${baseUrl}/idp`,
    scopePrefix: 'customs:',
    now,
  });

const days = (count: number) => new Date(Date.now() + count * 24 * 3600_000);

test('each identity has its file, as in the contract, which only its owner may read', async () => {
  const { credentials, trustedIssuers } = await prepare();
  const check = compileCheck(PlaygroundCredentials);
  const folder = join(dataFolder, 'credentials');
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.deepEqual(
    (await readdir(folder)).filter((file) => file.endsWith('.json')).sort(),
    playgroundIdentities.map(({ name }) => `${name}.json`).sort(),
  );
  for (const [index, { name }] of playgroundIdentities.entries()) {
    const file = join(folder, `${name}.json`);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const written = JSON.parse(await readFile(file, 'utf8'));
    assert.deepEqual(written, credentials[index]);
    assert.ok(check(written).valid);
  }
  assert.equal(trustedIssuers.length, 1);
  const express = credentials.find(({ name }) => name === 'express');
  assert.deepEqual(express?.scopes, [
    'customs:eu/movement/entry',
    'customs:eu/movement/air',
    'customs:eu/movement/road/v2',
  ]);
  assert.equal(express?.organisation, 'NTRDE-HRB000001');
});

test('certificates name their organisation, verify with their issuer, and are valid for two years', async () => {
  const { credentials, trustedIssuers } = await prepare();
  const trusted = new X509Certificate(trustedIssuers[0] ?? '');
  for (const { kind, organisation, x5c } of credentials) {
    const [leaf, issuer, root] = x5c.map(
      (text) => new X509Certificate(Buffer.from(text, 'base64')),
    );
    assert.ok(leaf && issuer && root);
    assert.ok(leaf.verify(issuer.publicKey) && leaf.checkIssued(issuer) && !leaf.ca);
    assert.ok(issuer.verify(root.publicKey) && issuer.checkIssued(root) && issuer.ca);
    assert.equal(root.fingerprint256, trusted.fingerprint256);
    const identifier = kind === 'foreign' ? organisation : organisation.replace('0192:', 'NTRNO-');
    assert.match(leaf.subject, new RegExp(`organizationIdentifier=${identifier}`));
    const life = new Date(leaf.validTo).getTime() - new Date(leaf.validFrom).getTime();
    assert.ok(Math.abs(life / 86_400_000 - 730) < 3);
  }
});

test('the next start keeps the keys and writes the current addresses', async () => {
  const before = await prepare();
  const after = await prepare(new Date(), 'http://127.0.0.1:9000');
  assert.deepEqual(after.trustedIssuers, before.trustedIssuers);
  assert.deepEqual(
    after.credentials,
    before.credentials.map((credentials) => ({
      ...credentials,
      base_url: 'http://127.0.0.1:9000',
      idp_url: 'http://127.0.0.1:9000/idp',
    })),
  );
});

test('a certificate with less than thirty days left is renewed, and the client is registered with the new one', async () => {
  const before = await prepare();
  const kept = await prepare(days(2 * 365 - 32));
  assert.deepEqual(kept.credentials, before.credentials);
  const renewed = await prepare(days(2 * 365 - 28));
  assert.deepEqual(renewed.trustedIssuers, before.trustedIssuers);
  for (const [index, { name, x5c, organisation, kind }] of renewed.credentials.entries()) {
    assert.notEqual(x5c[0], before.credentials[index]?.x5c[0], name);
    assert.equal(x5c[1], before.credentials[index]?.x5c[1]);
    if (kind === 'foreign') continue;
    const existing = await getOrganisation(database, organisation);
    assert.deepEqual(existing?.clients[0]?.certificates, [x5c[0]]);
  }
});

test('an organisation has its granted scopes, and a change of them survives the next start', async () => {
  for (const { organisation, granted, organisationName } of playgroundIdentities) {
    const existing = await getOrganisation(database, organisation);
    assert.deepEqual(existing?.grantedScopes, [...granted].sort());
    assert.equal(existing?.name, organisationName);
  }
  const newcomer = await getOrganisation(database, '0192:310000051');
  assert.ok(newcomer);
  await putOrganisation(
    database,
    new AuditTrail(),
    newcomer.id,
    { ...newcomer, grantedScopes: ['movement/entry'] },
    { at: new Date(), actor: undefined, requestId: undefined },
  );
  await prepare();
  const afterwards = await getOrganisation(database, newcomer.id);
  assert.deepEqual(afterwards?.grantedScopes, ['movement/entry']);
});
