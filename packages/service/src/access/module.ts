// What access adds to a service: the exchange of tokens, their verification, and organisations.
import { RateLimit } from '../http/rate-limit.js';
import { type ReadinessCondition, UnmetConditionError } from '../http/readiness-conditions.js';
import type { ServerContext } from '../service-context.js';
import { type Access, type AccessSettings, createAccess } from './access.js';
import { IdentityProviderUnavailableError } from './remote-keys.js';

/** What the program that assembles the service decides. */
export type AccessParts = Pick<
  AccessSettings,
  'identityProvider' | 'keysFolder' | 'keysPassphrase' | 'readKeysPassphrase' | 'tokenLifetime'
>;

/** Opens access. Its routes are added by `addAccessRoutes`, once requests can be authenticated. */
export async function openAccess(
  { config, database, audit, http, jobs, conditions }: ServerContext,
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
    acceptsTrials: config.trial === 'on',
    admitClient,
    clock: http.clock,
  });
  const { checkKeySet } = access;
  if (checkKeySet !== undefined) conditions.add(keySetCondition(checkKeySet));
  jobs.follow(access, { close: () => access.close() });
  return { access, admitClient };
}

/** The server is ready without the key set, because customs tokens that were exchanged before hold. */
function keySetCondition(check: () => Promise<void>): ReadinessCondition {
  return {
    task: 'identity-provider-keys',
    message: "the identity provider's keys cannot be read",
    runbook: 'IDENTITY_PROVIDER',
    degrades: true,
    check: async () => {
      try {
        await check();
      } catch (error) {
        throw error instanceof IdentityProviderUnavailableError
          ? new UnmetConditionError(error.message, { cause: error.cause })
          : error;
      }
    },
  };
}
