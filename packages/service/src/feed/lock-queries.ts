// SQL of the organisation locks, under which feeds are appended.
import type { Statement } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';

/** Organisations to lock, and which of them are locked. */
export type LockedRow = { organisations: number[]; locked: number[] };

/** Locks organisations in order, as far as they are free within the timeout; returns all, and the `locked` ones. */
export function lockFeeds(
  organisations: readonly number[],
  timeoutMs: number,
): Statement<LockedRow> {
  return {
    name: 'lock-feeds',
    text: `select $1::integer[] as organisations, lock_in_order(${FEED_LOCK}, $1::integer[], $2::integer) as locked`,
    values: [organisations, timeoutMs],
  };
}

/** Which of these organisations are not locked. */
export function selectFree(organisations: readonly number[]): Statement<{ key: number }> {
  return {
    name: 'select-free-organisations',
    text: `
      select organisation as key from unnest($1::integer[]) as organisation
      where pg_try_advisory_xact_lock(${FEED_LOCK}, organisation)`,
    values: [organisations],
  };
}
