// Long bodies take turns: what takes more than a millisecond must not delay what others send.
import type { FastifyRequest } from 'fastify';
import { Turns } from '../turns.js';

/** Bodies of so many bytes take more than a millisecond to judge. */
const LONG_BODY = 32 * 1024;

/** Waits until it is the turn of the caller, if the body is long. */
export async function waitForTurn({ headers, caller }: FastifyRequest): Promise<void> {
  const bytes = Number(headers['content-length'] ?? LONG_BODY);
  if (bytes >= LONG_BODY) await new Turns(caller?.organisationId).next();
}
