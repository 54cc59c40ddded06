// Who gives a grant: an eSeal, or a client with a registered or an unregistered certificate.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused } from '../../../service/dist/testing/refused-grant.js';
import {
  goodGrant,
  type Running,
  sendGrant,
  startAccess,
  type UnsignedGrant,
} from '../../../service/dist/testing/running-access.js';

let running: Running;
before(async () => {
  running = await startAccess();
});
after(() => running.close());

function grantOf(name: string): UnsignedGrant {
  return goodGrant(running.credentials(name));
}

test('an eSeal is identified by its certificate, and its iss is ignored', async () => {
  const grant = grantOf('express');
  grant.claims.iss = 'playground-carrier';
  assert.equal((await sendGrant(running, grant)).status, 200);
});

test('an eSeal may have the test scope, and no scope in its plain form', async () => {
  const grant = grantOf('express');
  grant.claims.scope = 'customs:eu/test';
  assert.equal((await sendGrant(running, grant)).status, 200);
  const plain = grantOf('express');
  plain.claims.scope = 'customs:movement/entry';
  assertRefused(running, await sendGrant(running, plain), 'MP-200');
});

test('an eSeal whose organisation is not granted the scope is refused with MP-250', async () => {
  const grant = grantOf('express');
  grant.claims.scope = 'customs:eu/movement/rail';
  assertRefused(running, await sendGrant(running, grant), 'MP-250');
});

test('a domestic client may send only the leaf of a registered certificate; an eSeal needs the chain', async () => {
  const domestic = grantOf('carrier');
  domestic.header.x5c = domestic.header.x5c?.slice(0, 1) ?? [];
  assert.equal((await sendGrant(running, domestic)).status, 200);
  const foreign = grantOf('express');
  foreign.header.x5c = foreign.header.x5c?.slice(0, 1) ?? [];
  assertRefused(running, await sendGrant(running, foreign), 'MP-120');
});

test('an unregistered certificate of the organisation is accepted with its chain', async () => {
  const id = '0192:310000019';
  const existing = await running.access.getOrganisation(id);
  assert.ok(existing);
  const clients = existing.clients.map((client) => ({ ...client, certificates: [] }));
  await running.access.putOrganisation(id, { ...existing, clients });
  assert.equal((await sendGrant(running, grantOf('carrier'))).status, 200);
  const alone = grantOf('carrier');
  alone.header.x5c = alone.header.x5c?.slice(0, 1) ?? [];
  assertRefused(running, await sendGrant(running, alone), 'MP-120');
  await running.access.putOrganisation(id, existing);
});
