// Presents many consignments, several at a time, and resumes after a crash.
import type { Connection } from '../connection/connection.js';
import type { PresentationAccepted, ValidationError } from '../contract/types.js';
import type { ApiError } from '../errors/api-error.js';
import type { PresentationUnknownError } from '../errors/outcome-unknown-error.js';
import { digestOf } from '../settling/digest.js';
import type { Source } from '../settling/map-concurrently.js';
import { type Sending, type SendManyOptions, sendMany } from '../settling/send-many.js';
import { operationOf, type Presentation } from './presentation.js';
import { makeRequest } from './presentation-request.js';

/** Options of presenting many. */
export type PresentManyOptions<Item extends Presentation> = SendManyOptions<Item>;

/** The outcome of an item. */
export type PresentationOutcome<Item extends Presentation> = {
  item: Item;
  /** Its index in the source, from 0. Outcomes are yielded as they become known, not in this order. */
  index: number;
  key: string;
  /** It was in the journal before it was sent. */
  requestId: string;
  /** `failed`: something else than a rule of presenting stands in the way of this item; the journal has no outcome. */
  outcome: 'presented' | 'refused' | 'failed';
  /** Why it was refused; otherwise empty. */
  errors: readonly ValidationError[];
  /**
   * Why it failed. ApiError: not presented, because the service or something before it took no such request (such as 403,
   * 413 or a firewall's 400). PresentationUnknownError: it is not known.
   */
  error: ApiError | PresentationUnknownError | undefined;
  /** Whether the journal already had the outcome, so that nothing was sent. */
  isFromJournal: boolean;
};

/**
 * Presents the items of a source. No item is taken from it before one of those in progress is done and its outcome has
 * been read.
 *
 * The requestId of an item is in the journal before it is sent, its outcome before it is yielded. When it is called
 * again with the same journal and source, items with an outcome are reported and not sent, and those without are
 * settled by their requestId. To know all requestIds before, give each item one, with `isNew: true`.
 *
 * An item that fails does not end the run. What concerns all items does: no token (also a 401), or a service that is away
 * for longer than `settleWithinMs`, or leaves the outcomes of three items in a row unknown. Those in progress are completed and reported first. Call it again with the same
 * journal to resume.
 *
 * @throws what `present` throws, except what is an outcome; what the source and the journal throw
 * @throws ConfigurationError when an item has the key of another one
 * @example
 * const journal = await FileJournal.open('presentations.ndjson');
 * for await (const { item, outcome, errors, error } of presentMany(connection, parcels, { journal })) {
 *   if (outcome === 'refused') report(item, errors);
 *   if (outcome === 'failed') retryLater(item, error);
 * }
 */
export function presentMany<Item extends Presentation>(
  connection: Connection,
  source: Source<Item>,
  options: PresentManyOptions<Item> = {},
): AsyncGenerator<PresentationOutcome<Item>, void, undefined> {
  const sending: Sending<Item, PresentationAccepted> = {
    digestOf,
    makeRequest: (item, requestId) =>
      makeRequest(connection, operationOf(item), { ...item, requestId }),
    endingOf: () => ({ outcome: 'presented', errors: [] }),
  };
  // The cast is true because such a request ends with nothing else.
  return sendMany(connection, sending, source, options) as AsyncGenerator<
    PresentationOutcome<Item>,
    void,
    undefined
  >;
}
