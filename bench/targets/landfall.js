// Landfall as in production, on the given database: an address of PostgreSQL, or a folder of an embedded database.

import { openIdentityProvider } from '../../packages/playground/dist/identity-provider/identity-provider.js';
import { serveIdentityProvider } from '../../packages/playground/dist/identity-provider/routes.js';
import { oneAddress } from '../../packages/service/dist/access/addresses.js';
import { makeApp } from '../../packages/service/dist/app.js';
import { readConfig } from '../../packages/service/dist/config.js';
import { openEmbedded } from '../../packages/service/dist/database/embedded/embedded.js';
import { openPostgresql } from '../../packages/service/dist/database/postgresql.js';
import { measureLongestTurn } from '../../packages/service/dist/testing/longest-turn.js';

const [port, location, keysFolder, issuer, baseUrl, natsUrl = '', standbys = ''] =
  process.argv.slice(2);
const database = location.startsWith('postgresql:')
  ? openPostgresql(location, { standbys })
  : await openEmbedded(location);
const config = readConfig(
  {},
  // One organisation, and one address, sends the load of a whole country, so their limits are disabled.
  {
    tokenLifetime: 86_400,
    logLevel: 'error',
    port: Number(port),
    natsUrl,
    rateLimit: 0,
    maxConnections: 100_000,
    maxAddressConnections: 0,
    // Receivers of pushed entries are on this machine.
    pushReceivers: 'any',
  },
);
const { app } = await makeApp({
  config,
  database,
  baseUrl,
  keysFolder,
  ...(issuer === `${baseUrl}/idp`
    ? await playgroundProvider()
    : { identityProvider: { issuer, jwksUrl: `${issuer}/jwks` } }),
});

/** The playground's identity provider, on this server. */
async function playgroundProvider() {
  const { scopePrefix } = config;
  const keys = { folder: keysFolder };
  const addresses = oneAddress(baseUrl);
  const settings = { database, addresses, scopePrefix, trustedIssuers: [], keys };
  const identityProvider = await openIdentityProvider(settings);
  return {
    identityProvider,
    addIdentityProvider: (context) => serveIdentityProvider(context, identityProvider),
  };
}

await app.listen({ host: '127.0.0.1', port: config.port });
process.on('SIGTERM', async () => {
  await app.close();
  await database.close();
  process.exit();
});
// Measured from the first question on, so that others are not measured together with the measuring.
let longestTurn;
process.on('message', () => {
  longestTurn ??= measureLongestTurn();
  process.send({ longest: longestTurn() });
});
process.send?.('ready');
