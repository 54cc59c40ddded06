// oidc-provider with its store in memory: a client authenticates with a signed assertion (RFC 7523), whose `jti` is
// consumed, and gets a JWT signed with ES256. A custom grant type exchanges tokens, because it has no token exchange.
import { exportJWK, generateKeyPair, importJWK, jwtVerify } from 'jose';
import Provider from 'oidc-provider';

const [port, issuer, jwk] = process.argv.slice(2);
const publicJwk = JSON.parse(jwk);
const publicKey = await importJWK(publicJwk, 'ES256');
const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const signing = { ...(await exportJWK(privateKey)), kid: 'bench', alg: 'ES256', use: 'sig' };

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const audience = 'https://customs.example';
const scope = 'customs:movement/entry';
const resourceServer = {
  audience,
  scope,
  accessTokenTTL: 120,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'ES256', kid: 'bench' } },
};

const client = (more) => ({
  redirect_uris: [],
  response_types: [],
  id_token_signed_response_alg: 'ES256',
  scope,
  ...more,
});
const provider = new Provider(issuer, {
  jwks: { keys: [signing] },
  scopes: [scope],
  clientAuthMethods: ['private_key_jwt', 'none'],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      getResourceServerInfo: () => resourceServer,
    },
  },
  clients: [
    client({
      client_id: 'bench',
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks: { keys: [publicJwk] },
    }),
    client({
      client_id: 'exchanger',
      grant_types: [EXCHANGE],
      token_endpoint_auth_method: 'none',
    }),
  ],
});
provider.registerGrantType(
  EXCHANGE,
  async (ctx) => {
    const { payload } = await jwtVerify(ctx.oidc.params.subject_token, publicKey, {
      algorithms: ['ES256'],
      requiredClaims: ['exp', 'iat', 'scope'],
    });
    const token = new provider.ClientCredentials({ client: ctx.oidc.client, scope: payload.scope });
    token.resourceServer = new provider.ResourceServer(audience, resourceServer);
    ctx.body = {
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      access_token: await token.save(),
      token_type: 'Bearer',
      expires_in: 120,
    };
  },
  ['subject_token', 'subject_token_type', 'scope'],
);
provider.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
