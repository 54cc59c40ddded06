// Who makes a decision, when, and in which request.

export type DecisionContext = {
  at: Date;
  organisationId: number;
  /** The organisation's identifier, as in tokens. */
  organisation: string;
  clientId: string;
  requestId: string;
  /** The routing profile that made the decisions, if one did. */
  profile?: { name: string; version: number };
};

/** Who registers, when, and in which request. The live routing profile may decide what is registered. */
export type RegistrationContext = {
  at: Date;
  /** `undefined` if Landfall itself registers. */
  actor: { organisationId: number; organisation: string; client: string } | undefined;
  requestId: string;
};
