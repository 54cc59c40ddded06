// The control address that inspects tokens. As of all control addresses, its exchanges are not recorded.
import { ValidationFailedError } from '@landfall/service/assembly';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { inspectToken, type Verifiers } from '../inspection/inspect-token.js';
import { makeGrant } from '../inspection/make-grant.js';
import { MAX_TOKEN_LENGTH } from '../inspection/read-jwt.js';
import { addControlOperation } from './control-operation.js';

const InspectionBody = Type.Object(
  {
    token: Type.Optional(Type.String({ maxLength: MAX_TOKEN_LENGTH, format: 'lines' })),
    identity: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  { additionalProperties: false },
);
type InspectionBody = Static<typeof InspectionBody>;

/**
 * Adds `POST /playground/token-inspections`: of a token, or of a new grant of an identity. The response does not contain
 * the grant, so nobody gets a token with it.
 */
export function addTokenRoutes(
  app: FastifyInstance,
  verifiers: Verifiers,
  { clock, newId }: { clock: () => Date; newId: () => string },
): void {
  addControlOperation<InspectionBody>(
    app,
    { method: 'POST', path: '/token-inspections', body: InspectionBody },
    async ({ body: { token, identity } }) => {
      const now = clock();
      if (token !== undefined && identity === undefined) return inspectToken(token, verifiers, now);
      if (token !== undefined) {
        const error = 'must not be given together with token';
        throw new ValidationFailedError([{ field: 'identity', error, code: 'FORMAT' }]);
      }
      if (identity === undefined) {
        const error = 'must not be null without identity';
        throw new ValidationFailedError([{ field: 'token', error, code: 'REQUIRED' }]);
      }
      const found = verifiers.identities.find(({ name }) => name === identity);
      if (found === undefined) {
        const names = verifiers.identities.map(({ name }) => name).join(', ');
        const error = `must be an identity: ${names}`;
        throw new ValidationFailedError([{ field: 'identity', error, code: 'UNKNOWN_CODE' }]);
      }
      return inspectToken(await makeGrant(found, now, newId()), verifiers, now);
    },
  );
}
