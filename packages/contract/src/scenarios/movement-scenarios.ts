// Scenarios around movement declarations: what comes later than usual.
import { Type } from 'typebox';
import { MAX_AFTER_SECONDS } from './decision-scenarios.js';
import { defineScenarioKind } from './scenario-kind.js';

/** Scenarios around movement declarations. */
export const movementScenarios = {
  'late-status': defineScenarioKind({
    parameters: {
      foundAfter: Type.Integer({
        minimum: 1,
        maximum: MAX_AFTER_SECONDS,
        description:
          "When the status is found, in seconds after its request was recorded by the playground's clock",
      }),
    },
    effect:
      'The status of a request is 404 until then, as where requests are judged later. A read that waits for it (`Prefer: wait`) has it as soon as it is found. Feeds of statuses are not affected.',
    client:
      'After a 202 the request is there: do not send it again with another requestId. Read its status again after a pause, or with `Prefer: wait`, for a limited time, and say then that the outcome is not known yet.',
    operations: ['getValidationStatus', 'getMovementStatus', 'getArrivalStatus'],
  }),
};
