// Presents consignments at any level: what is accepted, and which errors are reported.
import { referenceError, type ValidationError } from '@landfall/contract';
import { Batch, type BatchOptions } from '../database/batch.js';
import { type Database, LEVEL_SESSIONS } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { LINES_OF_A_COMMIT, LINES_OF_EACH } from './block-turns.js';
import {
  contended,
  type NotePresented,
  type Outcome,
  PresentationCommits,
  type Presenters,
} from './commit-presentations.js';
import type { PresentationRequest, Submission } from './submission.js';

/** Accepted, or every rule that it breaks. */
export type PresentationOutcome =
  | { accepted: true; requestId: string }
  | { accepted: false; errors: readonly ValidationError[] };

/** Presents a consignment. `isLine`: as a line of a batch, of which a commit takes more. */
export type PresentConsignment = (
  request: PresentationRequest,
  isLine?: boolean,
) => Promise<PresentationOutcome>;

/** Presentations of one organisation that may wait on this server, at house level and above it each. */
const MAX_QUEUED_PER_ORGANISATION = 2000;

/** How long a presentation above the house level may wait for those before it, in milliseconds. */
const MAX_LEVEL_WAIT_MS = 30_000;

/**
 * Makes the operation. Requests share commits. A commit consumes the requestIds, presents the goods, and appends the
 * signals that are already decided to the feeds of their recipients. The operation resolves after the commit, so
 * nothing acknowledged is lost.
 *
 * @param presenters who may present which goods
 * @param clock the time at which requests are recorded, if it may be moved; without it, the database's
 * @param notePresented is called with lodged goods that were presented undecided
 */
export function makePresentConsignment(
  database: Database,
  watch: FeedWatch,
  presenters: Presenters = 'any',
  clock?: () => Date,
  notePresented: NotePresented = () => {},
): PresentConsignment {
  const commits = new PresentationCommits(database, watch, presenters, clock, notePresented);
  const ownerOf = ({ organisationId }: PresentationRequest) => organisationId;
  const shared = { keys: keysOf, ownerOf, maxQueuedPerOwner: MAX_QUEUED_PER_ORGANISATION };
  const makeHouses = (options: BatchOptions<PresentationRequest>) =>
    new Batch<PresentationRequest, Outcome | typeof contended>(
      (requests) => commits.houseConsignments(requests),
      { ...shared, ...options },
    );
  const houseConsignments = makeHouses({
    maxInFlight: 2,
    measured: { by: database.batches, as: 'house-consignments' },
  });
  // The same session commits both in turn, so what is presented one by one waits for one commit of lines at most.
  const lines = makeHouses({
    maxBatchSize: LINES_OF_A_COMMIT,
    maxQueuedPerOwner: LINES_OF_EACH,
    measured: { by: database.batches, as: 'lines-of-batches' },
  });
  // An organisation that other servers lock all the time is waited for in a session of its own, which delays nobody.
  const makeTurns = (options: BatchOptions<PresentationRequest>) =>
    new Batch<PresentationRequest, Outcome>((requests) => commits.inTurn(requests), {
      ...shared,
      ...options,
    });
  const turns = makeTurns({ measured: { by: database.batches, as: 'house-consignments-in-turn' } });
  const turnsOfLines = makeTurns({
    maxQueuedPerOwner: LINES_OF_EACH,
    measured: { by: database.batches, as: 'lines-of-batches-in-turn' },
  });
  // A level whose reference may reach very many house consignments has a transaction for each request.
  const upperLevels = new Batch<PresentationRequest, Outcome>(
    async (requests) =>
      (
        await Promise.all(
          requests.map((request) => {
            const { path } = request.submission;
            return path === 'house-consignment' ? [] : commits.upperLevel(path, request);
          }),
        )
      ).flat(),
    {
      ownerOf,
      maxBatchSize: 1,
      maxQueuedPerOwner: MAX_QUEUED_PER_ORGANISATION,
      maxWaitMs: MAX_LEVEL_WAIT_MS,
      maxInFlight: LEVEL_SESSIONS,
      oneInFlightPerOwner: true,
      measured: { by: database.batches, as: 'upper-levels' },
    },
  );

  return async (request, isLine = false) => {
    const { submission } = request;
    if (submission.requestId === undefined && submission.reference === undefined) {
      return { accepted: false, errors: submission.errors };
    }
    if (submission.path !== 'house-consignment') {
      return decideOutcome(submission, await upperLevels.submit(request));
    }
    const [queue, inTurn] = isLine ? [lines, turnsOfLines] : [houseConsignments, turns];
    const outcome = await queue.submit(request);
    return decideOutcome(
      submission,
      outcome === contended ? await inTurn.submit(request) : outcome,
    );
  };
}

/** Accepted, or the errors of the body, of its requestId and of its reference together. */
function decideOutcome(submission: Submission, { reused, problem }: Outcome): PresentationOutcome {
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
 * Of two requests with one requestId, the second must see the outcome of the first. Two requests that may reach the
 * same house consignment must connect it once. A requestId of another organisation only delays a request by a batch.
 */
export function keysOf({
  submission: { requestId, reference },
}: Pick<PresentationRequest, 'submission'>): (string | undefined)[] {
  return [requestId?.toLowerCase(), reference?.key];
}
