// What the audit trail says of one thing that happened, and the text that is kept of it.

/** Who did it; `undefined` where it was Landfall itself. */
export type Actor = {
  /** As tokens name it, such as `0192:974760673`. */
  organisation: string;
  client: string;
};

/** When something happened, who did it and in which request. */
export type Occasion = {
  at: Date;
  actor: Actor | undefined;
  /** The id of the request that asked for it; `undefined` where none did. */
  requestId: string | undefined;
};

/** One thing that happened. */
export type AuditEntry = Occasion & {
  /** What was done, such as `organisation.put`. */
  action: string;
  /** What else there is to tell, as JSON. */
  details: Record<string, unknown>;
};

/** What happened to one house consignment, by an entry that may concern very many. */
export type ConsignmentEvent = {
  houseConsignmentId: string;
  /** What became of it, such as `changed` or `withdrawn`. */
  action: string;
  details?: Record<string, unknown>;
};

/** The text of an entry. */
export function renderEntry({ at, actor, requestId, action, details }: AuditEntry): string {
  return JSON.stringify({ at, action, actor, requestId, details });
}

/** The text of an event: that of the entry, with its own action and details. */
export function renderEvent(
  { at, actor, requestId }: AuditEntry,
  { action, details = {} }: ConsignmentEvent,
): string {
  return renderEntry({ at, actor, requestId, action, details });
}
