// What a registration does to single house consignments, for the audit trail: in parts, so that any number needs no memory.
import type { ConsignmentEvent } from '../audit/audit-entry.js';
import { DECLARATION_EVENTS } from '../audit/audit-entry.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { Transaction } from '../database/database.js';
import type { Recorded, RegistrationContext } from '../routing/decision-context.js';
import type { ExistingDeclaration } from './declaration-queries.js';

/** The most events of one record. */
const EVENTS_OF_A_RECORD = 1000;

/** The old and the new values of members, for the details of an event. */
export function valuesOf<Member extends string>(
  members: readonly Member[],
  before: Partial<Record<Member, unknown>>,
  after: Partial<Record<Member, unknown>>,
): { from: Record<string, unknown>; to: Record<string, unknown> } {
  const pick = (object: Partial<Record<Member, unknown>>) =>
    Object.fromEntries(members.map((member) => [member, object[member]]));
  return { from: pick(before), to: pick(after) };
}

/**
 * The event of all house consignments of a declaration, which is stored once, under an id that no house consignment has. It
 * is in the history of those that its declaration had at that registration.
 */
export function changedDeclaration(
  { id, members: { mrn } }: Pick<ExistingDeclaration, 'id' | 'members'>,
  details: { registration: number } & Record<string, unknown>,
): ConsignmentEvent {
  const houseConsignmentId = `${DECLARATION_EVENTS}${id.toString(16).padStart(12, '0')}`;
  return { houseConsignmentId, action: 'changed', details: { mrn, ...details } };
}

/** Collects the events of one registration; those beyond one record get records of their own before it. */
export class RegistrationEvents {
  readonly #audit: AuditTrail;
  readonly #transaction: Transaction;
  readonly #context: Recorded<RegistrationContext>;
  /** The number of the registration. */
  readonly registration: number;
  readonly #takeLocks: () => Promise<void>;
  #events: ConsignmentEvent[] = [];

  /** @param takeLocks takes the locks that the transaction still needs: that of the audit trail is the last one */
  constructor(
    audit: AuditTrail,
    transaction: Transaction,
    context: Recorded<RegistrationContext>,
    registration: number,
    takeLocks: () => Promise<void> = async () => {},
  ) {
    this.#audit = audit;
    this.#transaction = transaction;
    this.#context = context;
    this.registration = registration;
    this.#takeLocks = takeLocks;
  }

  async add(events: readonly ConsignmentEvent[]): Promise<void> {
    for (const event of events) this.#events.push(event);
    if (this.#events.length < EVENTS_OF_A_RECORD) return;
    await this.#takeLocks();
    await this.record('house-consignments.registered', {});
  }

  /** Records the events that are not recorded yet. The registration itself is the last record. */
  async record(action: string, details: Record<string, unknown>): Promise<void> {
    const events = this.#events;
    this.#events = [];
    await this.#audit.record(
      this.#transaction,
      { ...this.#context, action, details: { registration: this.registration, ...details } },
      events,
    );
  }
}
