// What scenarios change within the service and the identity provider, for the request that is being handled.

import type { PresentationPath, Registers, ValidationError } from '@landfall/contract';
import type { TokenFault } from '../identity-provider/request-access-token.js';
import type { LaterEvents } from '../movements/later-events.js';
import type { ScenarioRunner } from './apply-scenarios.js';
import { holdsBack, silence } from './movement-effects.js';
import { makeRefusal } from './refusal.js';

/** A service that does not exist. */
const OTHER_AUDIENCE = 'https://other.example';

type Scenarios = Pick<ScenarioRunner, 'find'>;

/**
 * The parts of the service that scenarios change.
 *
 * @param config has the values without a scenario
 */
export function makeServiceParts(
  scenarios: Scenarios,
  config: { tokenLifetime: number },
  clock: () => Date,
  later: Pick<LaterEvents, 'hasRoom'>,
) {
  return {
    /** The lifetime of the next customs token, in seconds. */
    tokenLifetime: () => scenarios.find('short-lived-token')?.lifetime ?? config.tokenLifetime,
    /** The error of a presentation that is refused. */
    checkPresentation: (path: PresentationPath): ValidationError[] => {
      const refusal = scenarios.find('refusal');
      return refusal === undefined ? [] : [makeRefusal(refusal, path)];
    },
    /** What registers say of documents. */
    changeRegisters: (registers: Pick<Registers, 'documentState'>) => {
      const silent = later.hasRoom ? scenarios.find('silent-register') : undefined;
      return silent === undefined ? registers : silence(silent, registers);
    },
    /** Which statuses are not to be found yet by a read. */
    findLateStatuses: () => {
      const late = scenarios.find('late-status');
      return late && ((recordedAt: Date) => holdsBack(late, recordedAt, clock()));
    },
  };
}

/** What is wrong with the next token of the identity provider. */
export function findTokenFault(scenarios: Scenarios): TokenFault {
  return {
    ...(scenarios.find('wrong-audience') && { audience: OTHER_AUDIENCE }),
    skew: scenarios.find('clock-skew')?.skew ?? 0,
    unpublishedKey: scenarios.find('rotated-key') !== undefined,
  };
}
