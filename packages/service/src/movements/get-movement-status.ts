// Reads the status of one request about a movement message.
import { type ModeName, type MovementMessageName, movementSubjectCodes } from '@landfall/contract';
import type { FeedView, FoundStatus } from '../feed/feed-views.js';
import { selectMovementStatus } from './queries.js';

/**
 * The operation ends within so many characters of an entry: before it are requestId, status, time, MRN, mode and level, which
 * have no text from outside.
 */
const MAX_TO_OPERATION = 300;

/** The request of this organisation; `undefined` if it has made no such request about any kind of message. */
export function getMovementStatus(
  view: FeedView,
  organisationId: number,
  requestId: string,
  { mode, level }: { mode: ModeName; level: MovementMessageName },
): Promise<FoundStatus | undefined> {
  const about = `"mode":"${mode}","level":"${movementSubjectCodes[level]}","operation":"`;
  return findStatus(view, organisationId, requestId, about);
}

/** The request of this organisation, with its status if this text is before what it says of the outcome. */
export async function findStatus(
  view: FeedView,
  organisationId: number,
  requestId: string,
  about: string,
): Promise<FoundStatus | undefined> {
  const found = await view.findEntry(selectMovementStatus(organisationId, requestId));
  if (found === undefined) return undefined;
  // The text is sent as it is stored, so nothing is parsed.
  const head = found.entry.slice(0, MAX_TO_OPERATION);
  return { status: head.includes(about) ? found.entry : undefined };
}
