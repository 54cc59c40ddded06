// Who makes a decision, when, and in which request.

import type { Caller } from '../http/caller.js';
import type { Origin } from './decision-rules.js';

export type DecisionContext = Origin & {
  /** The time of a clock that may have been moved; without it, the database's, when the decision is made. */
  at: Date | undefined;
  organisationId: number;
  /** The organisation's identifier, as in tokens. */
  organisation: string;
  clientId: string;
  requestId: string;
  /** The routing profile that made the decisions, if one did. */
  profile?: { name: string; version: number };
  /** The routing run that made the decisions, if one did. */
  run?: string;
};

/** Who registers, when, and in which request. The live routing profile may decide what is registered. */
export type RegistrationContext = {
  /** The time of a clock that may have been moved; without it, the database's, when it is registered. */
  at: Date | undefined;
  /** `undefined` if Landfall itself registers. */
  actor: { organisationId: number; organisation: string; client: string } | undefined;
  requestId: string;
};

/** The text by which clients and people are compared: the serial number of a seal is written in capitals or not. */
export function clientKey(clientId: string): string {
  return clientId.toLowerCase();
}

/** A context with the time at which it is recorded. */
export type Recorded<Context> = Context & { at: Date };

/** Makes the context of what a caller decides in a request. */
export type MakeDecisionContext = <At extends Date | undefined>(
  caller: Caller,
  requestId: string,
  at: At,
) => DecisionContext & { at: At };

/**
 * People decide in the console, or with clients that are configured for them; everything else is a system.
 *
 * @param officerClients separated by commas
 */
export function makeDecisionContexts(
  officerClients: string,
  isAboveOfficers: boolean,
  needsSecondOfficer: boolean,
): MakeDecisionContext {
  const clients = new Set(officerClients.split(',').map((client) => clientKey(client.trim())));
  return ({ organisationId, organisation, clientId, isPerson }, requestId, at) => {
    const isOfficer = isPerson || clients.has(clientKey(clientId));
    return {
      at,
      origin: isOfficer ? 'OFFICER' : 'ENGINE',
      isAboveOfficers,
      needsSecondOfficer,
      organisationId,
      organisation,
      clientId,
      requestId,
    };
  };
}
