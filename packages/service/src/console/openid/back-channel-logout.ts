// The address at which the provider reports that somebody has signed out there: their sessions end on every server
// (OpenID Connect Back-Channel Logout 1.0).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countRequest } from '../../http/count-request.js';
import { addressKey } from '../../http/rate-limit.js';
import { hasOwnLine } from '../../http/request-log.js';
import type { SignInContext } from '../console-settings.js';
import { makePseudonym } from './identify-person.js';
import { LogoutTokenError } from './logout-token.js';
import type { OpenIdProvider } from './provider.js';
import type { OpenIdSettings } from './settings.js';
import { SignInRefusedError } from './sign-in-refusal.js';

/** The operator registers it at the provider. */
const LOGOUT_PATH = '/console/sign-in/back-channel-logout';

/** The maximum length of a logout token, in characters. */
const MAX_LENGTH = 16_384;

/** Adds `POST /console/sign-in/back-channel-logout`. */
export function addBackChannelLogout(
  { app, endByProvider, addresses }: SignInContext,
  provider: OpenIdProvider,
  { subjectKey }: Pick<OpenIdSettings, 'subjectKey'>,
): void {
  // Before its body is read: anybody may send one.
  const onRequest = async (request: FastifyRequest) =>
    countRequest(addresses, addressKey(request.ip), request);
  app.post(LOGOUT_PATH, { onRequest }, async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    try {
      const { issuer, sub, sid, ...report } = await provider.verifyLogoutToken(
        readToken(request.body),
      );
      const subject =
        sub === undefined ? undefined : makePseudonym({ iss: issuer, sub }, subjectKey);
      const ended = await endByProvider({ ...report, subject, providerSession: sid });
      if (ended === undefined) throw new LogoutTokenError('"jti" was used before');
      request.log.info({ subject, ended }, 'the provider has ended sessions of the console');
      return reply.code(200).send();
    } catch (error) {
      if (error instanceof SignInRefusedError) throw error.toHttpError();
      if (!(error instanceof LogoutTokenError)) throw error;
      if (hasOwnLine(request, 400)) request.log.warn({ err: error }, 'a logout token was refused');
      return sendRefusal(reply, error.message);
    }
  });
}

/** The token of a form. */
function readToken(body: unknown): string {
  // The cast is true because a body is an object here; what it contains is checked.
  const token = (body as { logout_token?: unknown } | null | undefined)?.logout_token;
  if (typeof token !== 'string' || token.length > MAX_LENGTH) {
    throw new LogoutTokenError(
      `logout_token is required, once, with at most ${MAX_LENGTH} characters, as application/x-www-form-urlencoded`,
    );
  }
  return token;
}

/** An error as section 2.8 of the specification requires it. */
function sendRefusal(reply: FastifyReply, description: string): FastifyReply {
  return reply.code(400).send({ error: 'invalid_request', error_description: description });
}
