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
      'After a 202 the request is there: do not send it again with another requestId. Read its status again after a pause, or with `Prefer: wait`, for a limited time, and say then that the outcome is not known yet. The client library waits for two minutes (`settleWithinMs`), and ends with `MovementUnknownError` or `PresentationUnknownError` when the status is found later: `settleMovement` and `settlePresentation` read it then.',
    operations: ['getValidationStatus', 'getMovementStatus', 'getArrivalStatus'],
  }),
  'silent-register': defineScenarioKind({
    parameters: {
      answersAfter: Type.Integer({
        minimum: 1,
        maximum: MAX_AFTER_SECONDS,
        description:
          "When the register answers, in seconds after the request by the playground's clock",
      }),
    },
    effect:
      'The register of customs declarations does not answer while a house consignment is lodged or replaced, which is incomplete then (`INCOMPLETE_CUDE_VALIDATION`). When the register answers, every message that waits for a declaration of the request is completed, and decided if it has arrived. Declarations that are invalid, or registered by the authority, are known without it.',
    client:
      'The message is lodged: do not lodge it again. Read it until it is complete (`getMovement`), because its status says what was known when it was recorded, and do not cross the border before.',
    operations: ['lodgeHouseConsignment', 'replaceHouseConsignment'],
  }),
  'seen-arrival': defineScenarioKind({
    parameters: {
      afterEstimated: Type.Integer({
        minimum: 0,
        maximum: MAX_AFTER_SECONDS,
        description:
          "When the transport is seen, in seconds after its estimated arrival by the playground's clock",
      }),
    },
    effect:
      'When a transport is lodged or replaced, the authority plans to report its arrival, as a camera or the feed of an airport does: then, at its office of first entry, unless it has arrived or ended before. What it reaches is presented, and signals are issued. Replacing the transport on another request leaves the plan as it is.',
    client:
      'Do not rely on an arrival that you report yourself: follow the feed of signals from when the goods are lodged, and take `ALREADY_ARRIVED` for an own report as the answer that customs knows it.',
    operations: ['lodgeTransport', 'replaceTransport'],
  }),
};
