// Retention: events whose time is over leave the stream, in small steps. Current items are not affected.
import type { Database } from '../database/database.js';
import { digestContent } from './content-digest.js';
import { type ExpiredRow, expireEvents, lockStream, selectExpired } from './queries.js';
import { Turns } from './turns.js';

/** Events of one step: publishers wait a few milliseconds for it. */
const STEP = 500;

/**
 * Takes the oldest events out of the stream, as far as they were published before a time.
 *
 * @param before what was published from then on stays
 * @param upTo later positions stay, whatever their age: what the relay has not passed on yet
 * @returns how many were taken out, and whether more may be due
 */
export async function expireStep(
  database: Database,
  before: Date,
  upTo: number = Number.MAX_SAFE_INTEGER,
): Promise<{ expired: number; more: boolean }> {
  const rows = await database.query<ExpiredRow>(selectExpired(before, upTo, STEP));
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
