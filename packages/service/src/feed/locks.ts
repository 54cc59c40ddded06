// The advisory locks that feeds are appended under: the first of the two numbers that PostgreSQL knows a lock by; the
// second is the organisation, or the chain. They are held until the end of the transaction that takes them.
//
// An advisory lock rather than a row of the feed's own: a row that counts positions is written in every transaction,
// for every organisation of a batch, and cost as much as the entries themselves.

/** Held by whoever appends to a feed of the organisation. Taken in the order of the organisations. */
export const FEED_LOCK = 1;

/** Held alone by a large presentation, shared by small ones; taken before FEED_LOCK. */
export const LARGE_LOCK = 2;

/** Held by whoever appends to a chain of the audit trail, by the chain's number; the last that is taken. */
export const AUDIT_LOCK = 3;
