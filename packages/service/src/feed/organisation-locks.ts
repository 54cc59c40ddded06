// The locks that feeds are appended under, and waiting for one without holding another.
//
// A transaction that needs the locks of several organisations takes them by `lock_in_order` (a function of the
// database). Where one is not free it gives up, waits here until that one is, and begins again. So whoever waits long
// holds nothing meanwhile, and nobody waits behind him. An organisation that transactions of other servers take one
// after the other is never seen free, so who has waited in vain takes a turn: it waits in the queue of the database for
// this organisation, before it holds another one.
import type { Database } from '../database/database.js';
import { selectFree } from './lock-queries.js';
import { Releases } from './releases.js';

/** How long a transaction that holds some organisations waits for a further one, in milliseconds. */
export const LOCK_TIMEOUT_MS = 50;

/** How long a transaction that holds no organisation waits for its turn, in milliseconds. */
export const TURN_TIMEOUT_MS = 500;

const releases = new WeakMap<Database, Releases<number>>();

/** Whoever waits for organisations of a database shares its queries. */
export function releasesOf(database: Database): Releases<number> {
  const known = releases.get(database);
  if (known !== undefined) return known;
  const made = new Releases(database.lookUps, selectFree);
  releases.set(database, made);
  return made;
}
