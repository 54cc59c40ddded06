// Generic OAuth clients get a token and exchange it with their own grant requests.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { JWT_BEARER_GRANT, TOKEN_EXCHANGE_GRANTS } from '@landfall/contract';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import {
  call,
  goodGrant,
  type Running,
  sendGrant,
  signGrant,
  startAccess,
} from '../testing/running-access.js';

const EXCHANGE = TOKEN_EXCHANGE_GRANTS[1];
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const insecure = { [oauth.allowInsecureRequests]: true };

let running: Running;
let assertion: string;
before(async () => {
  running = await startAccess();
  assertion = await signGrant(goodGrant(running.credentials('carrier')));
});
after(() => running.close());

test('openid-client finds the identity provider, gets a token and exchanges it', async () => {
  const { idpUrl, baseUrl } = running;
  const provider = await openid.discovery(
    new URL(idpUrl),
    'playground-carrier',
    undefined,
    openid.None(),
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  );
  const grant = await signGrant(goodGrant(running.credentials('carrier')));
  const token = await openid.genericGrantRequest(provider, JWT_BEARER_GRANT, { assertion: grant });

  const customs = new openid.Configuration(
    { issuer: baseUrl, token_endpoint: `${baseUrl}/api/access/external/oauth/token` },
    'playground-carrier',
    undefined,
    openid.None(),
  );
  openid.allowInsecureRequests(customs);
  const exchanged = await openid.genericGrantRequest(customs, EXCHANGE, {
    subject_token: token.access_token,
    subject_token_type: ACCESS_TOKEN,
  });
  assert.equal(exchanged.expires_in, 970);
  assert.equal((await call(running, exchanged.access_token)).status, 200);
});

test('oauth4webapi finds the identity provider, gets a token and exchanges it', async () => {
  const issuer = new URL(running.idpUrl);
  const client: oauth.Client = { client_id: 'playground-carrier' };
  const send = async (
    server: oauth.AuthorizationServer,
    type: string,
    form: Record<string, string>,
  ) => {
    const parameters = new URLSearchParams(form);
    const response = await oauth.genericTokenEndpointRequest(
      server,
      client,
      oauth.None(),
      type,
      parameters,
      insecure,
    );
    return oauth.processGenericTokenEndpointResponse(server, client, response);
  };
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  const provider = await oauth.processDiscoveryResponse(issuer, found);
  const token = await send(provider, JWT_BEARER_GRANT, { assertion });
  const customs = {
    issuer: running.baseUrl,
    token_endpoint: `${running.baseUrl}/api/access/external/oauth/token`,
  };
  const exchanged = await send(customs, EXCHANGE, {
    subject_token: token.access_token,
    subject_token_type: ACCESS_TOKEN,
  });
  assert.equal((await call(running, exchanged.access_token)).status, 200);
});

test("a generic verifier accepts the identity provider's token as an access token (RFC 9068)", async () => {
  const { idpUrl, baseUrl } = running;
  const grant = goodGrant(running.credentials('express'));
  const { body } = await sendGrant(running, grant);
  const request = new Request(baseUrl, {
    headers: { authorization: `Bearer ${body.access_token}` },
  });
  const claims = await oauth.validateJwtAccessToken(
    { issuer: idpUrl, jwks_uri: `${idpUrl}/jwks` },
    request,
    baseUrl,
    insecure,
  );
  assert.equal(claims.sub, claims.client_id);
});

test('a generic client reads the reason of a refusal', async () => {
  const server = { issuer: running.idpUrl, token_endpoint: `${running.idpUrl}/token` };
  const configuration = new openid.Configuration(server, 'x', undefined, openid.None());
  openid.allowInsecureRequests(configuration);
  const unknown = goodGrant(running.credentials('carrier'));
  unknown.claims.iss = 'nobody';
  await assert.rejects(
    openid.genericGrantRequest(configuration, JWT_BEARER_GRANT, {
      assertion: await signGrant(unknown),
    }),
    (error) => {
      assert.ok(error instanceof openid.WWWAuthenticateChallengeError);
      assert.equal(error.status, 401);
      const [challenge] = error.cause;
      assert.equal(challenge?.parameters.error, 'invalid_client');
      assert.match(challenge?.parameters.error_description ?? '', /^MP-100/);
      return true;
    },
  );
});
