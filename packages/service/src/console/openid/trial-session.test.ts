// A session that began with a trial provider ends when trials are accepted no longer.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { ChangingSecret } from '../../files/changing-secret.js';
import { TRIAL_CLAIM } from '../../trial-claim.js';
import { OpenIdProvider } from './provider.js';
import type { OpenIdSettings } from './settings.js';

const { privateKey, publicKey } = await generateKeyPair('RS256');
const key = { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig' };
let issuer = '';
/** The ID token of the next refresh; `undefined`: the provider sends none. */
let refreshed: string | undefined;

const server = createServer(({ url }, response) => {
  response.setHeader('content-type', 'application/json');
  if (url === '/jwks') {
    response.end(JSON.stringify({ keys: [key] }));
    return;
  }
  response.end(
    JSON.stringify(
      url === '/token'
        ? { access_token: 'a', token_type: 'bearer', ...(refreshed && { id_token: refreshed }) }
        : {
            issuer,
            authorization_endpoint: `${issuer}/auth`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/jwks`,
          },
    ),
  );
}).listen(0, '127.0.0.1');
await once(server, 'listening');
// The cast is true because it listens on a port.
issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(() => {
  server.closeAllConnections();
  server.close();
});

const idToken = (claims: JWTPayload) =>
  new SignJWT({ sub: 'officer', ...claims })
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(issuer)
    .setAudience('console')
    .setIssuedAt()
    .setExpirationTime('2 min')
    .sign(privateKey);

for (const acceptsTrials of [true, false]) {
  for (const isTrial of [true, false]) {
    for (const sendsIdToken of [true, false]) {
      const name = `${isTrial ? 'a trial' : 'another'} session, trials ${acceptsTrials ? '' : 'not '}accepted, ${sendsIdToken ? 'with' : 'without'} a new ID token`;
      test(name, async () => {
        const settings = { issuer, clientId: 'console', clientSecret: 's', acceptsTrials };
        const provider = new OpenIdProvider(
          // The cast is true for what a refresh reads.
          settings as unknown as OpenIdSettings,
          new ChangingSecret('s', async () => 's', assert.fail),
          (error) => assert.fail(String(error)),
        );
        const own = await idToken(isTrial ? { [TRIAL_CLAIM]: true } : {});
        refreshed = sendsIdToken ? own : undefined;
        const result = await provider.refresh({ idToken: own, refreshToken: 'r' });
        assert.equal(result !== undefined, acceptsTrials || !isTrial);
      });
    }
  }
}
