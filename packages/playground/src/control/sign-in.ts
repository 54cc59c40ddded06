// The control address that signs in to the console as an identity.
import { type PlaygroundCredentials, parseScope } from '@landfall/contract';
import { type SignInContext, ValidationFailedError } from '@landfall/service/assembly';
import { Type } from 'typebox';
import { addControlOperation } from './control-operation.js';

const SignInBody = Type.Object(
  { identity: Type.String({ minLength: 1, maxLength: 100 }) },
  { additionalProperties: false },
);

/** Adds `POST /playground/sign-in`. */
export function addSignIn(
  { app, start }: SignInContext,
  identities: readonly PlaygroundCredentials[],
  scopePrefix: string,
): void {
  addControlOperation<{ identity: string }>(
    app,
    { method: 'POST', path: '/sign-in', body: SignInBody },
    async ({ body }, reply) => {
      const identity = identities.find(({ name }) => name === body.identity);
      if (identity === undefined) {
        const error = `must be an identity: ${identities.map(({ name }) => name).join(', ')}`;
        throw new ValidationFailedError([{ field: 'identity', error, code: 'UNKNOWN_CODE' }]);
      }
      await start(reply, {
        kind: 'identity',
        subject: identity.client_id,
        name: identity.name,
        organisation: identity.organisation,
        scopes: identity.scopes.flatMap((text) => parseScope(text, scopePrefix)?.name ?? []),
        assignments: [],
      });
      return reply.code(204).send();
    },
  );
}
