// SQL of the locks that feeds are appended under.
import type { Statement } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';

/** Locks the feeds of organisations as far as they are free; gives the `locked` ones. */
export function lockFeeds(organisations: readonly number[], patience: number): Statement {
  return {
    name: 'lock-feeds',
    text: `select lock_in_order(${FEED_LOCK}, $1::integer[], $2::integer) as locked`,
    values: [organisations, patience],
  };
}

/** Which of these organisations nobody holds. */
export function selectFree(organisations: readonly number[]): Statement {
  return {
    name: 'select-free-organisations',
    text: `
      select organisation from unnest($1::integer[]) as organisation
      where pg_try_advisory_xact_lock(${FEED_LOCK}, organisation)`,
    values: [organisations],
  };
}
