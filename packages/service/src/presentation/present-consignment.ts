// Presents consignments at any level: the rule of what is accepted and what is told.
import type { PresentationPath, ValidationError } from '@landfall/contract';
import { LRUCache } from 'lru-cache';
import { Batch } from '../database/batch.js';
import type { Database, Lane } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { routingSignals } from '../routing/signal-feed.js';
import { beginRecord } from './begin-record.js';
import {
  commitPresentations,
  type Exception,
  type KnownEnds,
  lockFeeds,
  type PresentationsRow,
  toBatchText,
} from './queries.js';
import { referenceError } from './reference-errors.js';
import { validationStatuses } from './status-feed.js';
import type { PresentationRequest, Submission } from './submission.js';

/** Accepted, or every rule that it breaks. */
export type PresentationOutcome =
  | { accepted: true; requestId: string }
  | { accepted: false; errors: readonly ValidationError[] };

/** What one request came to in the database. */
type Recorded = Omit<Exception, 'place'>;

const simplyRecorded: Recorded = { busy: false, reused: false, problem: null };

/** Organisations whose feeds' ends are remembered: those that presented last. */
const MOST_KNOWN_ENDS = 100_000;

/** Presents consignments for all who call this server. */
export type PresentConsignment = (request: PresentationRequest) => Promise<PresentationOutcome>;

/**
 * Makes the operation. Requests share commits; each commit is one round trip and one transaction, in which the
 * requestId is spent, the goods are presented, and the signals already decided are given to all who must have them.
 * It answers after the commit: nothing acknowledged is lost. Wire contract, section 3.
 */
export function makePresentConsignment(database: Database, watch: FeedWatch): PresentConsignment {
  const knownEnds = new LRUCache<number, KnownEnds>({ max: MOST_KNOWN_ENDS });
  const knownEndsOf = (organisationId: number) => knownEnds.get(organisationId) ?? nothingKnown;
  const batch = (
    path: PresentationPath,
    lane: Lane,
    size: { most?: number; ahead?: number } = {},
  ) =>
    new Batch<PresentationRequest, Recorded>(
      async (requests) => {
        const now = new Date();
        const text = toBatchText(requests, knownEndsOf);
        const record = beginRecord(path, requests, now);
        const [, [row] = []] = await database.commit(
          [lockFeeds(path, text, lane), commitPresentations(path, text, record, now)],
          lane,
        );
        // The cast is true because these are the columns that the statement selects.
        const { exceptions, status_ends, signal_ends } = row as PresentationsRow;
        learnEnds(knownEnds, status_ends, signal_ends);
        watch.wake(validationStatuses, organisationsOf(status_ends));
        watch.wake(routingSignals, organisationsOf(signal_ends));
        const recorded = requests.map(() => simplyRecorded);
        for (const { place, ...exception } of exceptions ?? []) recorded[place] = exception;
        return recorded;
      },
      { key: requestKey, ...size },
    );
  const small = batch('house-consignment', 'small', { ahead: 2 });
  // A level whose reference may lead to very many house consignments has a transaction for each request.
  const large: Record<PresentationPath, Batch<PresentationRequest, Recorded>> = {
    'house-consignment': batch('house-consignment', 'large'),
    'master-consignment': batch('master-consignment', 'large', { most: 1 }),
    container: batch('container', 'large', { most: 1 }),
    receptacle: batch('receptacle', 'large', { most: 1 }),
    'entry-summary-declaration': batch('entry-summary-declaration', 'large', { most: 1 }),
  };

  return async (request) => {
    const { submission } = request;
    const { path } = submission;
    if (submission.requestId === undefined && submission.reference === undefined) {
      return { accepted: false, errors: submission.errors };
    }
    const own = path === 'house-consignment' ? small : large[path];
    let recorded = await own.submit(request);
    // Its turn comes after the large one that it must not overtake.
    if (recorded.busy) recorded = await large[path].submit(request);
    return decideOutcome(submission, recorded);
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

/** Of two requests with one requestId, the second must see what became of the first. */
function requestKey({ organisationId, submission }: PresentationRequest): string | undefined {
  return submission.requestId === undefined
    ? undefined
    : `${organisationId}:${submission.requestId.toLowerCase()}`;
}

const nothingKnown: KnownEnds = { status: 0, signal: 0 };

type Ends = PresentationsRow['status_ends'];

/** Remembers where feeds end, so that the next batch need not look far. */
function learnEnds(known: LRUCache<number, KnownEnds>, statusEnds: Ends, signalEnds: Ends): void {
  for (const organisationId of organisationsOf(statusEnds)) {
    known.set(organisationId, {
      status: statusEnds?.[organisationId] ?? 0,
      signal: signalEnds?.[organisationId] ?? known.get(organisationId)?.signal ?? 0,
    });
  }
}

function organisationsOf(ends: Ends): number[] {
  return ends === null ? [] : Object.keys(ends).map(Number);
}
