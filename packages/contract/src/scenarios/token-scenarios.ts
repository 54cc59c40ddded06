// Scenarios of tokens: those that end early, access that is revoked, and faults of the identity provider.
import { Type } from 'typebox';
import { identityProviderErrors } from '../errors.js';
import { keysOf } from '../keys-of.js';
import { callsWithToken, defineScenarioKind, type OperationId } from './scenario-kind.js';

/** The operation of the identity provider. */
const tokenRequest = ['requestAccessToken'] as const satisfies OperationId[];

/** The exchange, which accepts or refuses tokens of the identity provider. */
const exchange = ['exchangeToken'] as const satisfies OperationId[];

/** What a client does when the exchange refuses a token of the identity provider. */
const REFUSED_AT_EXCHANGE =
  'The exchange responds with `invalid_request`. Request a new token from the identity provider and exchange it, once: the cause may be a key that was rotated. If that is refused too, report it; do not repeat it in a loop.';

/** Scenarios of tokens. */
export const tokenScenarios = {
  'short-lived-token': defineScenarioKind({
    parameters: {
      lifetime: Type.Integer({
        minimum: 1,
        maximum: 3600,
        description: 'The lifetime of the customs token, in seconds by the clock of the playground',
      }),
    },
    effect: 'The exchange issues a customs token that ends after `lifetime` seconds.',
    client:
      'Use `expires_in`, not a fixed lifetime, and renew the token before it ends. After a 401 discard the token, request another one and send the request again, once. A stream ends with its token: connect again with a new one.',
    operations: exchange,
  }),
  'revoked-access': defineScenarioKind({
    parameters: {},
    effect:
      'Tokens of the organisation are refused with 401, open streams end within seconds, and the exchange responds with `invalid_scope`, as if the authority had revoked its access.',
    client:
      'After a 401 request another token, once. If the exchange refuses it, stop and report the reason to a person: repeating does not help.',
    operations: [...callsWithToken, ...exchange],
    neverByChance: true,
    decides: 'outcome',
  }),
  'refused-grant': defineScenarioKind({
    parameters: {
      code: Type.Enum(keysOf(identityProviderErrors), {
        description: 'The code of the identity provider',
      }),
    },
    effect: 'The identity provider refuses the grant with this code.',
    client:
      'Report the code to a person: the key, the certificate, the clock or the registration must be corrected. Do not send the same grant again.',
    operations: tokenRequest,
    decides: 'outcome',
  }),
  'wrong-audience': defineScenarioKind({
    parameters: {},
    effect: 'The identity provider issues a token for another service.',
    client: REFUSED_AT_EXCHANGE,
    operations: tokenRequest,
  }),
  'clock-skew': defineScenarioKind({
    parameters: {
      skew: Type.Integer({
        minimum: -86_400,
        maximum: 86_400,
        description:
          'How far the clock of the identity provider is ahead, in seconds; negative: behind. At -120 and below its tokens have ended when they are issued',
      }),
    },
    effect: 'The clock of the identity provider is wrong, and so are the times of its token.',
    client: REFUSED_AT_EXCHANGE,
    operations: tokenRequest,
  }),
  'rotated-key': defineScenarioKind({
    parameters: {},
    effect:
      'The identity provider signs the token with a key that is not in its key set, as if the key had been rotated meanwhile.',
    client: REFUSED_AT_EXCHANGE,
    operations: tokenRequest,
  }),
};
