// Lists decisions by who made them, when and why.
import { DECISIONS_EXAMINED, PAGE_LIMIT, type RoutingDecisionQuery } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import { UnknownMarkerError } from '../feed/feed.js';
import { type DecisionKey, findDecisions, selectDecisionTime } from './decision-queries.js';

/** Decisions, each as JSON text, and the marker of the next page if more may follow. */
export type DecisionsPage = { decisions: readonly string[]; next: string | undefined };

/**
 * Examines a limited number of decisions after the marker and returns those that match. The page may therefore be short
 * or empty although more follow; then it has `next`.
 *
 * @param examined how many decisions it examines
 */
export async function listRoutingDecisions(
  database: Queryable,
  { marker, limit = PAGE_LIMIT, ...filters }: RoutingDecisionQuery,
  examined: number = DECISIONS_EXAMINED,
): Promise<DecisionsPage> {
  const after = marker === undefined ? undefined : await findMarker(database, marker);
  const [row] = await database.query(findDecisions(filters, after, limit, examined));
  if (row === undefined) throw new Error('a search returned no row');
  const isFull = row.found.length === limit;
  const next = isFull ? row.lastFound : row.examined === examined ? row.lastExamined : null;
  return { decisions: row.found, next: next ?? undefined };
}

async function findMarker(
  database: Queryable,
  marker: string,
): Promise<DecisionKey & { at: string }> {
  const [house = '', number] = marker.split('.');
  const key = { house, number: Number(number) };
  const [row] = await database.query(selectDecisionTime(key));
  if (row === undefined) throw new UnknownMarkerError('is not that of a decision that is kept');
  return { ...key, at: row.at };
}
