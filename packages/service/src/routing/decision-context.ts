// Who decides, when, and in which request.

export type DecisionContext = {
  at: Date;
  organisationId: number;
  /** As tokens name it. */
  organisation: string;
  clientId: string;
  requestId: string;
  /** The routing profile that decides for them; left out where none does. */
  profile?: { name: string; version: number };
};

/** The registration that a profile decides for; no organisation where Landfall itself registers. */
export type RegistrationContext = {
  at: Date;
  organisationId: number | undefined;
  client: string | undefined;
  requestId: string;
};
