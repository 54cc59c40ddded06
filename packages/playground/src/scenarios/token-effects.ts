// The effects of the scenarios of tokens. Most change a token when it is issued (`service-parts.ts`).
import { HttpError } from '@landfall/service/assembly';
import { OAuthRefusalError } from '@landfall/service/tokens';
import type { FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { GrantRefusedError } from '../identity-provider/grant-errors.js';
import type { AfterHandling, EffectContext, Effects } from './effect.js';

export const tokenEffects = {
  'short-lived-token': { before: whenIssued },
  'revoked-access': {
    before: (_scenario, { request }) => {
      if (request.caller === null) {
        throw new OAuthRefusalError(
          'invalid_scope',
          `not authorized to request scope ${requestedScope(request)}`,
        );
      }
      throw new HttpError(401, 'The scenario revoked-access refuses this token', {
        'WWW-Authenticate': 'Bearer error="invalid_token"',
      });
    },
  },
  'refused-grant': {
    before: ({ code }) => {
      throw new GrantRefusedError(code, 'the scenario refused-grant');
    },
  },
  'wrong-audience': { before: whenIssued },
  'clock-skew': { before: whenIssued },
  'rotated-key': { before: whenIssued },
} satisfies Partial<Effects>;

/** It takes effect on a token that is issued. */
function whenIssued(_scenario: unknown, { reply }: EffectContext): AfterHandling {
  return async () => reply.statusCode < 400;
}

/** The scope of the token that is exchanged. */
function requestedScope({ body }: FastifyRequest): string {
  try {
    // The cast is true because the body of an exchange is parsed as a form.
    const { subject_token: token } = body as Record<string, unknown>;
    return String(decodeJwt(String(token)).scope);
  } catch {
    return '';
  }
}
