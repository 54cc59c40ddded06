// Every advisory lock that there is. PostgreSQL identifies one by a namespace and a number within it: an organisation,
// a chain of the audit trail, a background job. A new kind of lock gets its namespace here.
//
// Advisory locks rather than rows: a row that counts a feed's positions would be written in every transaction, for
// every organisation of a batch, and cost as much as the entries themselves.
import { createHash } from 'node:crypto';

/**
 * Held until commit by whoever appends to a feed of the organisation. Taken in the order of the organisations, by the
 * database's function `lock_in_order`.
 */
export const FEED_LOCK = 1;

/**
 * Held until commit by whoever presents a reference above the house level, and shared by whoever registers goods that it
 * reaches: one of them sees the other. Taken after the locks of feeds, by the database's function `lock_references`.
 */
export const REFERENCE_LOCK = 5;

/** Held until commit by whoever appends to a chain of the audit trail; the last lock that a transaction takes. */
export const AUDIT_LOCK = 3;

/**
 * Held until commit by whoever starts a session of the console, and by whoever ends sessions because the provider says so:
 * one of them sees the other. The numbers follow from the person and from the session at the provider
 * (`console/sign-in-locks.ts`), and are taken in their order, before any other lock.
 */
export const SIGN_IN_LOCK = 6;

/**
 * Held until commit by whoever has stored a document, while those of its organisation and declaration are counted. The number
 * follows from both (`documents/queries.ts`). Taken before that of the audit trail.
 */
export const DOCUMENT_LOCK = 7;

/**
 * Held until commit by whoever registers reference documents, and shared by whoever lodges messages that wait for them: one
 * of them sees the other. Taken after the locks of feeds, by the database's function `lock_references`.
 */
export const AWAITED_DOCUMENT_LOCK = 8;

/** Held until commit by whoever creates a subscription of the organisation, while those of it are counted. */
export const SUBSCRIPTION_LOCK = 10;

/** Taken by tests alone, which hold a statement inside its transaction. */
export const HELD_IN_TEST_LOCK = 9;

/** Held for the life of a session by the one server that runs a background job (`session-lock.ts`). */
export const SESSION_LOCK = 4;

/** The number within SESSION_LOCK for what one process does at a time in one schema of the database. */
export function numberInSchema(number: number, schema: string): number {
  return createHash('sha256').update(`${number} ${schema}`).digest().readInt32BE();
}

/** What one process does at a time: the numbers within SESSION_LOCK. */
export const SESSION_LOCKS = {
  relay: 1,
  migration: 2,
  retention: 3,
  partitions: 4,
  signalRelay: 5,
  /** Held by a playground as long as it runs: of two, each would reset what the other has. */
  playground: 6,
  routingRuns: 7,
  viewRelay: 8,
} as const;
