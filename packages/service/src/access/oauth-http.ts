// How the token endpoints speak HTTP: forms in, and errors out in OAuth's own form (RFC 6749, section 5).
import type { OAuthError } from '@landfall/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError, makeProblem } from '../http/problem.js';
import { GrantRefusedError } from './identity-provider/grant-refusal.js';
import { OAuthRefusalError } from './oauth-refusal.js';
import type { PublishedKey } from './signing-keys/key-ring.js';

const FORM = 'application/x-www-form-urlencoded';

/** How long others may keep a key set, in seconds: shorter than a key is published before it signs. */
const KEY_SET_AGE = 60;

/**
 * The form of a request.
 *
 * @throws HttpError when the body is something else
 */
export function readForm(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== FORM) throw new HttpError(415, `The body must be ${FORM}`);
  // The cast is true because the parser for this media type gives an object.
  return (request.body ?? {}) as Readonly<Record<string, unknown>>;
}

/** No answer with a token, or with why there is none, is kept by anyone (RFC 6749, section 5.1). */
export function forbidCaching(reply: FastifyReply): FastifyReply {
  return reply.header('Cache-Control', 'no-store').header('Pragma', 'no-cache');
}

/** Sends a key set (RFC 7517). */
export function sendKeySet(reply: FastifyReply, keys: readonly PublishedKey[]): FastifyReply {
  return reply.header('Cache-Control', `public, max-age=${KEY_SET_AGE}`).send({ keys });
}

/**
 * Makes the function that answers what is wrong with a request in OAuth's form. What is wrong with us is left to
 * the server.
 *
 * An invalid client gets no WWW-Authenticate header: it did not use HTTP authentication (RFC 6749, section 5.2),
 * and generic clients take one for a challenge and do not read the error.
 *
 * @param refuse how a request is refused that HTTP itself does not take
 */
export function answerOAuthErrors(refuse: (detail: string) => OAuthRefusalError) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = error instanceof OAuthRefusalError ? error : refuse(detailOf(error));
    const answer: OAuthError = {
      error: refusal.error,
      error_description:
        refusal instanceof GrantRefusedError
          ? `${refusal.message} (correlation id: ${request.id})`
          : refusal.message,
    };
    request.log.warn(
      { id: request.id, code: refusal.code, error: refusal.error },
      answer.error_description,
    );
    return forbidCaching(reply)
      .code(refusal.error === 'invalid_client' ? 401 : 400)
      .send(answer);
  };
}

/** Of what HTTP refuses the kind alone is told: the rest may quote what was sent. */
function detailOf(error: unknown): string {
  const { problem } = makeProblem(error, '');
  if (problem.status >= 500) throw error;
  return `${problem.title}: a small body of the type ${FORM} is expected`;
}
