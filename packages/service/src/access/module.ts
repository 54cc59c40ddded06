// What access adds to a service: the exchange of tokens, their verification, and organisations.
import { RateLimit } from '../http/rate-limit.js';
import type { ServerContext } from '../service-context.js';
import { type Access, type AccessSettings, createAccess } from './access.js';

/** What the program that assembles the service decides. */
export type AccessParts = Pick<
  AccessSettings,
  'identityProvider' | 'keysFolder' | 'keysPassphrase' | 'readKeysPassphrase' | 'tokenLifetime'
>;

/** Opens access. Its routes are added by `addAccessRoutes`, once requests can be authenticated. */
export async function openAccess(
  { config, database, audit, http, jobs }: ServerContext,
  parts: AccessParts,
): Promise<{ access: Access; admitClient: (clientId: string) => void }> {
  const clients = new RateLimit(config.rateLimit, 'client');
  const admitClient = (clientId: string) => clients.count(clientId, Date.now());
  const access = await createAccess({
    database,
    audit,
    addresses: http.ownAddresses,
    scopePrefix: config.scopePrefix,
    keysFolder: parts.keysFolder,
    keysPassphrase: parts.keysPassphrase,
    readKeysPassphrase: parts.readKeysPassphrase,
    warn: (sentence) => http.app.log.warn(sentence),
    tokenLifetime: parts.tokenLifetime ?? (() => config.tokenLifetime),
    identityProvider: parts.identityProvider,
    reportKeySetFailure: jobs.failures.reporter(
      'identity-provider-keys',
      "the identity provider's keys could not be read; the last ones stay in use for 4 hours",
    ),
    acceptsTrials: config.trial === 'on',
    admitClient,
    clock: http.clock,
  });
  jobs.follow(access, { close: () => access.close() });
  return { access, admitClient };
}
