// For entries that a test or a measurement has inserted by itself: the states of their feeds, as appending would have left them.
import { feedKinds } from '../feed-kinds.js';

/** A script of SQL. */
export const setFeedStates = feedKinds
  .map(
    ({ number, table }) => `
  insert into feed_state (kind, owner, position) select ${number}, owner, max(position) from ${table} group by owner
    on conflict (kind, owner) do update set position = excluded.position;`,
  )
  .join('');
