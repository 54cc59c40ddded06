// The environment variables of a production server, for tests that start one.
import type { ExternalIdentityProvider } from './external-identity-provider.js';
import type { TestPostgresql } from './postgresql.js';

/** A complete configuration with a database, an identity provider and a key folder. */
export function productionEnvironment(
  database: Pick<TestPostgresql, 'url'>,
  provider: Pick<ExternalIdentityProvider, 'issuer' | 'keysUrl'>,
  keys: string,
): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: database.url,
    LANDFALL_BASE_URL: 'https://customs.example',
    LANDFALL_IDP_ISSUER: provider.issuer,
    LANDFALL_IDP_JWKS_URL: provider.keysUrl,
    LANDFALL_KEYS: keys,
    LANDFALL_DRAIN_TIME: '0',
    PORT: '0',
  };
}
