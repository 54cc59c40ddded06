// Reads the status of one request.
import type { Queryable } from '../database/database.js';
import { selectStatus } from './status-queries.js';

/** The status as the JSON text that is sent; `undefined` if this organisation has made no such request. */
export async function getValidationStatus(
  database: Queryable,
  organisationId: number,
  requestId: string,
): Promise<string | undefined> {
  const [row] = await database.query<{ entry: string }>(selectStatus(organisationId, requestId));
  return row?.entry;
}
