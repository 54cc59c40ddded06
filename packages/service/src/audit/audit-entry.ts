// An entry of the audit trail, and the text that is stored of it.

/** Who did it. */
export type Actor = {
  /** As tokens name it, such as `0192:974760673`. */
  organisation: string;
  client: string;
};

/** When something happened, who did it and in which request. */
export type AuditContext = {
  at: Date;
  /** `undefined` for Landfall itself. */
  actor: Actor | undefined;
  /** `undefined` when no request caused it. */
  requestId: string | undefined;
};

/** A change or a read that is recorded. */
export type AuditEntry = AuditContext & {
  /** What was done, such as `organisation.put`. */
  action: string;
  /** Further members, as JSON. */
  details: Record<string, unknown>;
};

/** The begin of the id under which events of all house consignments of a declaration are; then its number, in 12 digits. */
export const DECLARATION_EVENTS = '00000000-0000-8000-8000-';

/** What happened to one house consignment as part of an entry. */
export type ConsignmentEvent = {
  houseConsignmentId: string;
  /** Such as `changed` or `withdrawn`. */
  action: string;
  details?: Record<string, unknown>;
};

/** The text of an entry; without a time, the database adds it at the begin. */
export function renderEntry({
  at,
  actor,
  requestId,
  action,
  details,
}: Omit<AuditEntry, 'at'> & { at: Date | undefined }): string {
  return JSON.stringify({ at, action, actor, requestId, details });
}

/** The text of an entry without the two braces at its end, so that a statement can add members to its details. */
export function openRecord(entry: AuditEntry): string {
  return renderEntry(entry).slice(0, -'}}'.length);
}

/** The text of an event: the text of its entry with the event's action and details. */
export function renderEvent(
  { at, actor, requestId }: AuditEntry,
  { action, details = {} }: ConsignmentEvent,
): string {
  return renderEntry({ at, actor, requestId, action, details });
}
