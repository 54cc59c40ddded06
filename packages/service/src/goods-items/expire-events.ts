// Retention: removes expired events from the stream in small steps. Current items are not affected.
import type { Database } from '../database/database.js';
import { Turns } from '../turns.js';
import { digestContent } from './content-digest.js';
import { expireEvents, selectExpired } from './expiry-queries.js';
import { lockStream } from './publication-queries.js';

/** Maximum number of events of one step, for which publishers wait a few milliseconds. */
const MAX_STEP_EVENTS = 500;

/**
 * Removes the events that were published before a time, one step after the other.
 *
 * @param findUpTo the last position that may be removed: events that are not relayed yet would be missing in NATS
 * @param reportWaiting is called with 1 if more have expired than may be removed
 * @param late what has waited so long that it is removed up to another position
 * @returns how many each step has removed
 */
export async function* expireGoodsItems(
  database: Database,
  before: Date,
  findUpTo: () => Promise<number>,
  reportWaiting: (feeds: number) => void = () => undefined,
  late?: { before: Date; findUpTo: () => Promise<number> },
): AsyncGenerator<number> {
  for (const due of [{ before, findUpTo }, ...(late === undefined ? [] : [late])]) {
    for (let more = true; more; ) {
      const step = await expireStep(database, due.before, await due.findUpTo());
      more = step.more;
      yield step.expired;
    }
  }
  const kept = await database.query(selectExpired(before, Number.MAX_SAFE_INTEGER, 1));
  reportWaiting(kept.length);
}

/**
 * Removes the oldest events that were published before a time from the stream.
 *
 * @param before events published at this time or later are kept
 * @param upTo events after this position are kept: the relay has not stored them yet
 * @returns how many were removed, and whether more may have expired
 */
export async function expireStep(
  database: Database,
  before: Date,
  upTo: number = Number.MAX_SAFE_INTEGER,
): Promise<{ expired: number; more: boolean }> {
  const rows = await database.query(selectExpired(before, upTo, MAX_STEP_EVENTS));
  if (rows.length === 0) return { expired: 0, more: false };
  const turns = new Turns();
  const past: { position: number; digest: Buffer }[] = [];
  for (const { position, entry } of rows) {
    past.push({ position, digest: digestContent(entry) });
    if (turns.over) await turns.next();
  }
  await database.commit([lockStream, expireEvents(past)], 'stream');
  return { expired: rows.length, more: true };
}
