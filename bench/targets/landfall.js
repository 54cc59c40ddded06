// Landfall as in production, on the given database: an address of PostgreSQL, or a folder of an embedded database.
import { makeApp } from '../../packages/service/dist/app.js';
import { readConfig } from '../../packages/service/dist/config.js';
import { openEmbedded } from '../../packages/service/dist/database/embedded/embedded.js';
import { openPostgresql } from '../../packages/service/dist/database/postgresql.js';

const [port, location, keysFolder, issuer, baseUrl, natsUrl = ''] = process.argv.slice(2);
const database = location.startsWith('postgresql:')
  ? openPostgresql(location)
  : await openEmbedded(location);
const config = readConfig(
  {},
  // One organisation sends the load of a whole country, so the rate limit is disabled.
  { tokenLifetime: 86_400, logLevel: 'error', port: Number(port), natsUrl, rateLimit: 0 },
);
const { app } = await makeApp({
  config,
  database,
  baseUrl,
  keysFolder,
  identityProvider:
    issuer === `${baseUrl}/idp`
      ? { kind: 'own', url: issuer, trustedIssuers: [] }
      : { kind: 'external', issuer, jwksUrl: `${issuer}/jwks` },
});
await app.listen({ host: '127.0.0.1', port: config.port });
process.on('SIGTERM', async () => {
  await app.close();
  await database.close();
  process.exit();
});
process.send?.('ready');
