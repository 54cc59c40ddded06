// A revoked eSeal: the authority blocks it by its serial number, and its business uses another.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OrganisationEntry } from '@landfall/contract';
import { decodeJwt } from 'jose';
import { CertificateMaker, type Made, opensslMissing } from '../testing/openssl-chain.js';
import {
  call,
  exchange,
  goodGrant,
  type Running,
  sendGrant,
  startAccess,
} from '../testing/running-access.js';

const ORGANISATION = 'NTRDE-WITHDRAWN';

describe('an eSeal that is blocked', { skip: opensslMissing }, () => {
  const make = new CertificateMaker();
  let running: Running;
  let issuer: Made;
  before(async () => {
    const root = make.root('Block Root');
    issuer = make.authority('Block Issuer', root);
    running = await startAccess({ trustedIssuers: [root.pem] });
    await running.access.putOrganisation(ORGANISATION, entry);
  });
  after(async () => {
    await running?.close();
    make.remove();
  });

  const entry: OrganisationEntry = {
    name: 'Withdrawn',
    kind: 'foreign',
    grantedScopes: ['movement/entry'],
  };

  function send(seal: Made) {
    const grant = goodGrant(running.credentials('express'), running.clock());
    grant.key = seal.key;
    grant.header.x5c = [seal.x5c, issuer.x5c];
    return sendGrant(running, grant);
  }

  test('gets no tokens, and its existing tokens are refused; another eSeal of the same business is accepted', async () => {
    const subject = `/C=DE/O=Withdrawn/organizationIdentifier=${ORGANISATION}`;
    const withdrawn = make.seal('WITHDRAWN', issuer, { subject });
    const other = make.seal('OTHER', issuer, { subject });
    const token = String((await send(withdrawn)).body.access_token);
    const customs = String((await exchange(running, token)).body.access_token);
    const ofOther = String((await send(other)).body.access_token);
    const customsOfOther = String((await exchange(running, ofOther)).body.access_token);
    assert.equal((await call(running, customs)).status, 200);

    const clientId = String(decodeJwt(token).client_id);
    assert.match(clientId, /^eidas-[0-9a-f]+$/);
    const clients = [{ client_id: clientId, blocked: true }];
    const put = await running.access.putOrganisation(ORGANISATION, { ...entry, clients });
    assert.ok('organisation' in put);

    const refused = await send(withdrawn);
    assert.match(
      String(refused.body.error_description),
      /^MP-100 .* its eSeal with the serial number [0-9a-f]+ is blocked/,
    );
    assert.equal((await exchange(running, token)).body.error, 'invalid_request');
    assert.equal((await call(running, customs)).status, 401);

    assert.equal((await send(other)).status, 200);
    assert.equal((await exchange(running, ofOther)).status, 200);
    assert.equal((await call(running, customsOfOther)).status, 200);
  });
});
