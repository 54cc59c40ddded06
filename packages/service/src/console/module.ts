// What the console adds to a service: its pages, the sign-in, and the authentication of requests by session.
import type { Access } from '../access/access.js';
import type { Authenticate } from '../http/operation.js';
import { RateLimit } from '../http/rate-limit.js';
import type { ServerContext } from '../service-context.js';
import type { ConsoleSettings } from './console-settings.js';
import { DatabaseSessions } from './database-sessions.js';
import { MemorySessions } from './memory-sessions.js';
import { makeOpenIdConsole } from './openid/openid-console.js';
import { deriveSessionKey, type OpenIdSettings } from './openid/settings.js';
import { makeConsole } from './routes.js';
import { SessionCleanup } from './session-cleanup.js';
import type { Sessions } from './sessions.js';

/** How people sign in: as an assembled service decides, or at an OpenID provider. */
export type SignIn = ConsoleSettings | { openIdConnect: OpenIdSettings };

/** The console of a service. */
export type WebConsole = {
  /** Authenticates a request by session or by token. */
  authenticate: Authenticate;
  /** Adds the pages, after all operations. */
  addPages: () => Promise<void>;
};

export function addConsole(
  context: ServerContext,
  signIn: SignIn,
  access: Pick<Access, 'authenticate' | 'findCaller'>,
): WebConsole {
  const { http, config, audit, addresses } = context;
  const { settings, sessions } =
    'openIdConnect' in signIn
      ? openIdSignIn(context, signIn.openIdConnect)
      : { settings: signIn, sessions: new MemorySessions() };
  const { authenticate, addRoutes } = makeConsole({
    ...settings,
    baseUrl: http.baseUrl,
    routingResults: config.routingResults,
    sessions,
    audit,
    addresses,
    // Not the limit of token requests: whoever shares an address can still sign in.
    cookieAddresses: new RateLimit(config.rateLimit, 'address'),
    findCaller: access.findCaller,
    authenticateByToken: access.authenticate,
    clock: http.clock,
  });
  return { authenticate, addPages: () => addRoutes(http.app) };
}

/** Sessions are in the database, shared by all servers, and what has ended is deleted. */
function openIdSignIn(
  { database, http, jobs, measures, removalClock }: ServerContext,
  openIdConnect: OpenIdSettings,
): { settings: ConsoleSettings; sessions: Sessions } {
  const settings = makeOpenIdConsole(
    openIdConnect,
    http.baseUrl,
    jobs.failures.reporter(
      'console-sign-in',
      'people may be unable to sign in to the console; who has signed in stays so',
    ),
  );
  const cleanup = jobs.add('console-sessions', {
    sentence: 'ended sessions of the console are not deleted yet; the next run deletes them',
    work: (report) => new SessionCleanup(database, removalClock, report),
    start: (deletion) => deletion.start(),
    catchUp: (deletion) => deletion.run(),
    close: (deletion) => deletion.close(),
  });
  measures.push(...cleanup.measures);
  const sessions = new DatabaseSessions(database, {
    key: deriveSessionKey(openIdConnect),
    confirm: settings.confirm,
  });
  return { settings, sessions };
}
