// Presents consignments at any level: the rule of what is accepted and what is told.
import type { ValidationError } from '@landfall/contract';
import { Batch } from '../database/batch.js';
import type { Database } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { PresentationCommits, type Recorded } from './commit-presentations.js';
import type { UpperLevel } from './level-queries.js';
import { referenceError } from './reference-errors.js';
import type { PresentationRequest, Submission } from './submission.js';

/** Accepted, or every rule that it breaks. */
export type PresentationOutcome =
  | { accepted: true; requestId: string }
  | { accepted: false; errors: readonly ValidationError[] };

/** Presents consignments for all who call this server. */
export type PresentConsignment = (request: PresentationRequest) => Promise<PresentationOutcome>;

/** How requests come together in commits. */
type Requests = Batch<PresentationRequest, Recorded>;

/**
 * Makes the operation. Requests share commits; in each the requestId is spent, the goods are presented, and the
 * signals already decided are given to all who must have them. It answers after the commit: nothing acknowledged is
 * lost. Wire contract, section 3.
 */
export function makePresentConsignment(database: Database, watch: FeedWatch): PresentConsignment {
  const commits = new PresentationCommits(database, watch);
  const passingBy: Requests = new Batch((requests) => commits.passingBy(requests), {
    keys: keysOf,
    maxInFlight: 2,
  });
  const waiting: Requests = new Batch((requests) => commits.waiting(requests), { keys: keysOf });
  // A level whose reference may lead to very many house consignments has a transaction for each request.
  const alone = (path: UpperLevel): Requests =>
    new Batch(
      async (requests) =>
        (await Promise.all(requests.map((request) => commits.upperLevel(path, request)))).flat(),
      { maxBatchSize: 1 },
    );
  const upperLevels: Record<UpperLevel, Requests> = {
    'master-consignment': alone('master-consignment'),
    container: alone('container'),
    receptacle: alone('receptacle'),
    'entry-summary-declaration': alone('entry-summary-declaration'),
  };

  const present = async (request: PresentationRequest): Promise<Recorded> => {
    const { path } = request.submission;
    const [first, again] =
      path === 'house-consignment' ? [passingBy, waiting] : [upperLevels[path], upperLevels[path]];
    let recorded = await first.submit(request);
    while (recorded.busy) recorded = await again.submit(request);
    return recorded;
  };

  return async (request) => {
    const { submission } = request;
    if (submission.requestId === undefined && submission.reference === undefined) {
      return { accepted: false, errors: submission.errors };
    }
    return decideOutcome(submission, await present(request));
  };
}

/** What is told: everything wrong with the body, with its requestId and with its reference, together. */
function decideOutcome(submission: Submission, { reused, problem }: Recorded): PresentationOutcome {
  const errors = [...submission.errors];
  if (reused) errors.unshift(requestIdReused);
  if (problem !== null) errors.push(referenceError(submission.path, problem));
  const { requestId } = submission;
  return errors.length > 0 || requestId === undefined
    ? { accepted: false, errors }
    : { accepted: true, requestId };
}

const requestIdReused: ValidationError = {
  field: 'requestId',
  error: 'has been used by this organisation before',
  code: 'REQUEST_ID_REUSED',
};

/**
 * Of two requests with one requestId, the second must see what became of the first; and two that may reach the same
 * house consignment connect it once. Whoever else uses the same requestId just waits for the next batch.
 */
function keysOf({ submission: { requestId, reference } }: PresentationRequest) {
  return [requestId?.toLowerCase(), reference?.identifier];
}
