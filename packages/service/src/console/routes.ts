// The HTTP interface of the console: its files, its session, and the operations of the contract by session.
import { isObject, type ScopeName, type ValidationError } from '@landfall/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FindCaller } from '../access/find-caller.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Statement } from '../database/database.js';
import type { Authenticate } from '../http/operation.js';
import { HttpError, ValidationFailedError } from '../http/problem.js';
import type { RateLimit } from '../http/rate-limit.js';
import { codeOf } from '../native-error.js';
import { makeSessionAuthentication } from './authenticate-session.js';
import type { ConsoleSettings, SignInContext } from './console-settings.js';
import { servePages } from './serve-pages.js';
import { makeSessionCookie } from './session-cookie.js';
import type { RoleAssignment, Session, Sessions, SignedIn } from './sessions.js';

/** The longest body that a session takes, in bytes: it is read before anybody is asked who sends it. */
const MAX_BODY_BYTES = 1024;

/** What the console is assembled from. */
export type ConsoleParts = ConsoleSettings & {
  baseUrl: string;
  sessions: Sessions;
  /** Limits the requests of an address. */
  /** Which decisions officers can make. */
  routingResults: 'standard' | 'extended';
  addresses: RateLimit;
  /** Limits the requests of an address whose cookie is of no session. */
  cookieAddresses: RateLimit;
  findCaller: FindCaller;
  audit: AuditTrail;
  authenticateByToken: Authenticate;
  clock: () => Date;
};

/** What pages read about themselves before anybody has signed in. */
type Configuration = Pick<ConsoleSettings, 'signIn' | 'timeZone' | 'space' | 'dataFolder'> &
  Pick<ConsoleParts, 'routingResults'>;

/** What pages read about their session. */
type SessionView = {
  kind: SignedIn['kind'];
  /** Who it is in the audit trail. */
  subject: string;
  name: string;
  organisation: string;
  /** `undefined` for an identity. */
  role?: string | undefined;
  /** What the person may act as now, the narrowest first; empty for an identity. */
  assignments: { organisation: string; role?: string | undefined }[];
  /** What is granted to the organisation and the session now. */
  scopes: ScopeName[];
  csrfToken: string;
  /** ISO 8601. */
  endsAt: string;
};

/** Makes the console. `authenticate` authenticates every operation, by session or by token. */
export function makeConsole(parts: ConsoleParts) {
  const { signIn, timeZone, space, dataFolder, routingResults, sessions, addresses } = parts;
  const cookie = makeSessionCookie(parts.baseUrl);
  const authentication = makeSessionAuthentication({ ...parts, cookie });

  const readSession: SignInContext['readSession'] = ({ headers }) => cookie.read(headers.cookie);

  const start: SignInContext['start'] = async (reply, signedIn, signIn) => {
    for (const id of new Set([signIn?.before, readSession(reply.request)])) {
      if (id !== undefined) await sessions.end(id);
    }
    const record = recordOf(reply.request, 'session.start', signedIn);
    sendCookie(reply, await sessions.start(signedIn, record, signIn?.begunAt));
  };

  const sendCookie = (reply: FastifyReply, { id, endsAt }: Session) => {
    const maxAge = Math.floor((endsAt - Date.now()) / 1000);
    reply.header('Set-Cookie', cookie.write(id, maxAge)).header('Cache-Control', 'no-store');
  };

  /** The statements that record it in the audit trail. */
  const recordOf = (
    { id: requestId }: FastifyRequest,
    action: string,
    { subject, organisation, role }: Pick<SignedIn, 'subject' | 'organisation' | 'role'>,
  ): Statement[] =>
    parts.audit.statements({
      at: parts.clock(),
      actor: { organisation, client: subject },
      requestId,
      action,
      details: { role },
    });

  const findScopes: SignInContext['findScopes'] = async (subject, { organisation, scopes }) => {
    const caller = await parts.findCaller({
      organisation,
      clientId: subject,
      scopes,
      expiresAt: 0,
      isCurrent: async () => true,
    });
    return caller.scopes.map(({ name }) => name);
  };

  /** What the person may act as now: assignments of which nothing is granted are left out. */
  const findCurrent = async ({ subject, assignments }: SignedIn): Promise<RoleAssignment[]> => {
    const found = await Promise.all(
      assignments.map((one) => findScopes(subject, one).catch(ignoreInvalidToken)),
    );
    return assignments.filter((_, index) => (found[index]?.length ?? 0) > 0);
  };

  const addRoutes = async (app: FastifyInstance): Promise<void> => {
    const configuration: Configuration = {
      signIn,
      timeZone,
      routingResults,
      space,
      ...(dataFolder !== undefined && { dataFolder }),
    };
    app.get('/console/configuration', async (_request, reply) =>
      reply.header('Cache-Control', 'no-store').send(configuration),
    );
    app.get('/console/session', async (request, reply) => {
      reply.header('Cache-Control', 'no-store');
      const session = await authentication.findSession(request);
      // Nobody has signed in yet: no error for a page that finds out.
      if (session === undefined) return reply.code(204).send();
      const { csrfToken, endsAt, signedIn } = session;
      const caller = await authentication.findCaller(session);
      const view: SessionView = {
        kind: signedIn.kind,
        subject: signedIn.subject,
        name: signedIn.name,
        organisation: signedIn.organisation,
        role: signedIn.role,
        assignments: (await findCurrent(signedIn)).map(({ organisation, role }) => ({
          organisation,
          role,
        })),
        scopes: caller.scopes.map(({ name }) => name),
        csrfToken,
        endsAt: new Date(endsAt).toISOString(),
      };
      return reply.send(view);
    });
    app.put('/console/session', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const session = await authentication.requireSession(request);
      const { organisation, role } = readChoice(request.body);
      const chosen = (await findCurrent(session.signedIn)).find(
        (one) => one.organisation === organisation && one.role === role,
      );
      if (chosen === undefined) {
        throw new HttpError(403, 'You may not act in this role for this organisation now');
      }
      const record = recordOf(request, 'session.choose-role', { ...session.signedIn, ...chosen });
      const reassigned = await sessions.reassign?.(session, chosen, record);
      if (reassigned === undefined) throw new HttpError(401, 'The session has ended. Sign in.');
      sendCookie(reply, reassigned);
      return reply.code(204).send();
    });
    app.delete('/console/session', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const session = await authentication.requireSessionToEnd(request);
      await sessions.end(session.id);
      reply.header('Set-Cookie', cookie.remove()).header('Cache-Control', 'no-store');
      const continueAt = await parts.signOutAddress?.(session.signedIn);
      return continueAt === undefined ? reply.code(204).send() : reply.send({ continueAt });
    });

    const endByProvider: SignInContext['endByProvider'] = async (logout) =>
      sessions.endByProvider?.(logout);
    const signInTime: SignInContext['signInTime'] = async () =>
      (await sessions.signInTime?.()) ?? new Date();
    const context = { app, readSession, start, signInTime, findScopes, endByProvider, addresses };
    parts.addSignIn(context);
    await servePages(app);
  };
  return { authenticate: authentication.authenticate, addRoutes };
}

/**
 * What a person has chosen to act as.
 *
 * @throws ValidationFailedError
 */
function readChoice(body: unknown): Record<'organisation' | 'role', unknown> {
  const { organisation, role } = isObject(body) ? body : {};
  const errors: ValidationError[] = Object.entries({ organisation, role })
    .filter(([, value]) => typeof value !== 'string')
    .map(([field]) => ({ field, error: 'must be a text', code: 'REQUIRED' }));
  if (errors.length > 0) throw new ValidationFailedError(errors);
  return { organisation, role };
}

/** An organisation that is blocked or not registered grants nothing. */
function ignoreInvalidToken(error: unknown): ScopeName[] {
  if (codeOf(error) !== 'INVALID_TOKEN') throw error;
  return [];
}
