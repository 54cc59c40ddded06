// Scenarios of single requests: late, lost, refused, or overloaded.
import { Type } from 'typebox';
import { validationErrorCodes } from '../errors.js';
import { keysOf } from '../keys-of.js';
import { operations } from '../operations/operations.js';
import {
  anyOperation,
  callsWithToken,
  defineScenarioKind,
  presentOperations,
} from './scenario-kind.js';

/** The maximum delay of a request, in milliseconds: 10 minutes. */
const MAX_DELAY_MS = 600_000;

/** The maximum `Retry-After`, in seconds: one hour. */
const MAX_RETRY_AFTER = 3600;

const retryAfter = (ofDefault: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_RETRY_AFTER,
      description: `The seconds in the header \`Retry-After\`; default: ${ofDefault}`,
    }),
  );

/** The calls that change data. */
const changes = callsWithToken.filter((operationId) => operations[operationId].method !== 'GET');

/** Scenarios of single requests. */
export const requestScenarios = {
  delay: defineScenarioKind({
    parameters: {
      milliseconds: Type.Integer({
        minimum: 1,
        maximum: MAX_DELAY_MS,
        description: 'How long the request is held back, in real time',
      }),
      jitter: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_DELAY_MS,
          description: 'Up to so many milliseconds more, by chance; default: none',
        }),
      ),
    },
    addsUp: true,
    effect:
      'The request is held back before it is handled; several delays add up. A request that changes data is handled even if the client has closed the connection meanwhile.',
    client:
      'Limit the time of each request. When the identity provider is slow, use the current token as long as it is valid. After a timeout the outcome of a request that changes data is unknown: find it out, as after a lost response.',
    operations: anyOperation,
    defaultOperations: callsWithToken,
  }),
  'lost-response': defineScenarioKind({
    parameters: {
      committed: Type.Optional(
        Type.Boolean({
          description:
            'Whether the request is carried out before the connection is lost; default: true',
        }),
      ),
    },
    effect: 'The connection is closed without a response.',
    client:
      'The outcome is unknown. Read the validation status of the requestId; if there is none, send the same request with the same requestId again. Requests that change nothing, or are idempotent, are simply repeated.',
    operations: anyOperation,
    defaultOperations: changes,
    decides: 'outcome',
  }),
  'too-many-requests': defineScenarioKind({
    parameters: { retryAfter: retryAfter(1) },
    effect: 'The response is 429 with `Retry-After`. The request is not carried out.',
    client: 'Wait for the seconds in `Retry-After`, then send the same request again.',
    operations: anyOperation,
    defaultOperations: callsWithToken,
    decides: 'outcome',
  }),
  'service-unavailable': defineScenarioKind({
    parameters: { retryAfter: retryAfter(1) },
    effect: 'The response is 503 with `Retry-After`. The request is not carried out.',
    client:
      'Wait for the seconds in `Retry-After`. After a 503 a presentation may have been carried out, for example if the database failed after the commit: read its validation status before it is sent again.',
    operations: anyOperation,
    defaultOperations: callsWithToken,
    decides: 'outcome',
  }),
  'internal-error': defineScenarioKind({
    parameters: {},
    effect: 'The response is 500. The request is not carried out.',
    client:
      'Report the id of the request (`instance`) to the operator. A request for a token is repeated after a pause. The outcome of a presentation is unknown: find it out by its requestId. Do not repeat other requests without a pause.',
    operations: anyOperation,
    defaultOperations: callsWithToken,
    decides: 'outcome',
  }),
  refusal: defineScenarioKind({
    parameters: {
      code: Type.Enum(keysOf(validationErrorCodes), {
        description: 'The code of the validation error',
      }),
      field: Type.Optional(
        Type.String({
          maxLength: 200,
          description:
            'The member that is reported; default: the one that this code is about in a presentation',
        }),
      ),
    },
    effect:
      'The request is refused with 400 and a validation error of this code. A presentation that is refused has the validation status `FAILURE`, as every other.',
    client:
      'Do not send the same request again. Show the code and the member, correct the data, and present with a new requestId.',
    operations: callsWithToken,
    defaultOperations: presentOperations,
    decides: 'outcome',
  }),
};
