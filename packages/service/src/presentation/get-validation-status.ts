// Reads the status of one request.
import type { Queryable } from '../database/database.js';
import { selectStatus } from './queries.js';

/** The status as the JSON text that is answered; `undefined` when this organisation has made no such request. */
export async function getValidationStatus(
  database: Queryable,
  organisationId: number,
  requestId: string,
): Promise<string | undefined> {
  const [row] = await database.query<{ entry: string }>(selectStatus(organisationId, requestId));
  return row?.entry;
}
