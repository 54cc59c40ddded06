// Who decides, when, and by which request.

/** Who decides, by which request and when; `profile` where a routing profile decided for them. */
export type DecidedBy = {
  at: Date;
  organisationId: number;
  /** As tokens name it. */
  organisation: string;
  clientId: string;
  requestId: string;
  profile?: { name: string; version: number };
};

/** Whose registration a profile decides for, when, by which request; no organisation where it is Landfall itself. */
export type DecidedFor = {
  at: Date;
  organisationId: number | undefined;
  client: string | undefined;
  requestId: string;
};
