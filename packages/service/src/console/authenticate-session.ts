// Authenticates requests of the console by their session. A request to `/console/api/<address of an operation>` is a
// request to that operation, so all of its rules apply: scopes, limits, isolation and the audit trail.
import type { FastifyRequest } from 'fastify';
import type { FindCaller } from '../access/find-caller.js';
import type { Caller } from '../http/caller.js';
import type { Authenticate } from '../http/operation.js';
import { HttpError } from '../http/problem.js';
import { addressKey, type RateLimit } from '../http/rate-limit.js';
import { refuseOtherSites } from '../http/refuse-other-sites.js';
import { makeIsOwnOrigin } from './own-origin.js';
import type { SessionCookie } from './session-cookie.js';
import { isSecret, type Session, type Sessions } from './sessions.js';

/** Where the operations are for pages of the console. */
const CONSOLE_API = '/console/api';

/** The header that has the session's CSRF token. */
const CSRF_HEADER = 'landfall-csrf-token';

/** Methods that change nothing. */
const SAFE_METHODS = ['GET', 'HEAD'];

/** The address that the router sees: that of the operation, for a request to an operation through the console. */
export function rewriteConsoleUrl(url: string): string {
  return url.startsWith(`${CONSOLE_API}/api/`) ? url.slice(CONSOLE_API.length) : url;
}

/** Authenticates requests of pages. */
export type SessionAuthentication = {
  /**
   * Finds the session of a request; `undefined` if there is none, or it has ended.
   *
   * @throws HttpError 429 for an address that sends many cookies without a session, and for a person over their limit
   */
  findSession(request: FastifyRequest): Promise<Session | undefined>;
  /**
   * Finds the session of a request that needs one. If it changes data, it must come from a page of the console.
   *
   * @throws HttpError 401 without a session, and 403 for a request of another page
   */
  requireSession(request: FastifyRequest): Promise<Session>;
  /** The same for a request that ends the session, also if that has another id by now. */
  requireSessionToEnd(request: FastifyRequest): Promise<Session>;
  /** What the session may do now. Throws what FindCaller throws. */
  findCaller(session: Session): Caller | Promise<Caller>;
  /** Authenticates a request by its session if it came through the console, else by its token. */
  authenticate: Authenticate;
};

/** What authentication depends on. */
export type SessionAuthenticationParts = {
  sessions: Sessions;
  cookie: SessionCookie;
  /** Limits the requests of an address whose cookie is of no session; those of others at the address go on. */
  cookieAddresses: RateLimit;
  /** The address at which browsers reach the service. */
  baseUrl: string;
  findCaller: FindCaller;
  authenticateByToken: Authenticate;
  clock: () => Date;
};

export function makeSessionAuthentication({
  sessions,
  cookie,
  cookieAddresses,
  baseUrl,
  findCaller,
  authenticateByToken,
  clock,
}: SessionAuthenticationParts): SessionAuthentication {
  const isOwnOrigin = makeIsOwnOrigin(baseUrl);
  const findBy = async ({ headers, ip }: FastifyRequest, find: Sessions['use']) => {
    const id = cookie.read(headers.cookie);
    if (id === undefined) return undefined;
    const session = await find(id);
    if (session === undefined) cookieAddresses.count(addressKey(ip), Date.now());
    return session;
  };
  const findSession = (request: FastifyRequest) => findBy(request, (id) => sessions.use(id));
  const checkSession = async (
    { method, headers }: FastifyRequest,
    found: Promise<Session | undefined>,
  ): Promise<Session> => {
    const session = await found;
    if (session === undefined) {
      throw new HttpError(401, 'There is no session, or it has ended. Sign in.', {
        'WWW-Authenticate': 'Session',
      });
    }
    const given = headers[CSRF_HEADER];
    const isOfSession = isSecret(given, session.csrfToken);
    if (SAFE_METHODS.includes(method)) {
      // A page of another session of this browser does not show what this one may see as if it were its own.
      if (given === undefined || isOfSession) return session;
      throw new HttpError(401, 'The session of this page has ended, and another one has begun.', {
        'WWW-Authenticate': 'Session',
      });
    }
    const isOwn = (origin: string | undefined) => isOwnOrigin(origin, headers.host);
    refuseOtherSites(headers, isOwn, 'the console');
    if (!isOfSession) {
      throw new HttpError(403, `${CSRF_HEADER} must have the csrfToken of the session`);
    }
    return session;
  };
  const requireSession = (request: FastifyRequest) => checkSession(request, findSession(request));
  const requireSessionToEnd = (request: FastifyRequest) =>
    checkSession(
      request,
      findBy(request, (id) => sessions.find(id)),
    );
  const findCallerOf = (session: Session) => {
    const { organisation, subject, scopes } = session.signedIn;
    return findCaller({
      organisation,
      clientId: subject,
      scopes,
      // Sessions end in real time, callers by the clock of the service.
      expiresAt: (clock().getTime() + session.endsAt - Date.now()) / 1000,
      isCurrent: async () => sessions.isCurrent(session),
    });
  };
  return {
    findSession,
    requireSession,
    requireSessionToEnd,
    findCaller: findCallerOf,
    authenticate: (request) =>
      request.originalUrl.startsWith(`${CONSOLE_API}/`)
        ? requireSession(request).then(findCallerOf)
        : authenticateByToken(request),
  };
}
