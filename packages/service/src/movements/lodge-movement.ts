// Lodges messages of any level: many requests share a commit, in which the database decides who gets each key.
import { takenKeyError, type ValidationError } from '@landfall/contract';
import { Batch, Postponed } from '../database/batch.js';
import type { Database } from '../database/database.js';
import {
  ChangedMeanwhileError,
  type FeedTransaction,
  HeldWork,
  OrganisationHeldError,
  tryOnFeeds,
} from '../feed/transact-on-feeds.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import type { ReachedGoods } from '../presentation/present-reached.js';
import { MAX_RECORDS_OF_ONE } from '../routing/same-goods.js';
import { isLodgedTooOften } from '../routing/told-twice.js';
import { waitForMissing } from './awaited-documents.js';
import { beginRecording, selectByKeys } from './lodging-queries.js';
import type { MessageKind } from './message-kind.js';
import type { LodgedMessage, MovementRequest } from './movement-request.js';
import { presentLodged } from './present-lodged.js';
import { type DecidedRequest, recordRequests } from './record-requests.js';
import { type StoreContext, type StoredMessage, storeLodged } from './store-lodged.js';

/** A request to lodge: its message, or the errors that its status has. */
export type LodgeRequest = MovementRequest & ({ message: LodgedMessage } | RefusedMessage);

/** A message that breaks rules, with its body, for the error of its key, and as text, as it would be stored. */
type RefusedMessage = {
  errors: readonly ValidationError[];
  key: string;
  body: unknown;
  text: string;
};

/** Recorded, with a status; or nothing was done, because the requestId was used before. */
export type Recorded = 'recorded' | 'reused';

/** What lodging needs. */
export type LodgeContext = StoreContext & {
  database: Database;
  watch: FeedWatch;
  /** The time of a clock that may have been moved; without it, the database's. */
  movedClock: (() => Date) | undefined;
  /** Presents what transports that have arrived reach; without it, nothing is presented. */
  reached?: ReachedGoods;
};

/** What became of a request, and what presents its message if a transport has arrived that reaches it. */
type Lodged = { recorded: Recorded; presented?: Promise<void> };

/** Requests of one organisation that may wait on this server. */
const MAX_QUEUED_PER_ORGANISATION = 2000;

/** Messages that one commit lodges at most. */
const MAX_BATCH = 256;

/**
 * Makes the operation. It resolves after the commit: whatever the status says is durable then, and can be read. What a
 * transport that has arrived reaches is presented.
 */
export function makeLodgeMovement(
  context: LodgeContext,
): (request: LodgeRequest) => Promise<Recorded> {
  const batch = new Batch<LodgeRequest, Lodged>((requests) => lodgeUnlessHeld(requests, context), {
    maxBatchSize: MAX_BATCH,
    maxQueuedPerOwner: MAX_QUEUED_PER_ORGANISATION,
    maxInFlight: 2,
    ownerOf: ({ owner }) => owner,
    // Of two with one requestId or one key, the later one sees what became of the earlier.
    keys: (request) => [request.requestId, keyOf(request)],
    measured: { by: context.database.batches, as: 'movements' },
  });
  return async (request) => {
    // Beside the commits of others: a presentation delays no other organisation's requests.
    const { recorded, presented } = await batch.submit(request);
    await presented;
    return recorded;
  };
}

/** Requests whose key was held. They are tried after the others. */
const keyWasHeld = new WeakSet<LodgeRequest>();

/** Lodges what can be lodged now; requests of organisations or keys that others hold are postponed, and delay no other. */
async function lodgeUnlessHeld(
  requests: readonly LodgeRequest[],
  context: LodgeContext,
): Promise<(Lodged | Postponed)[]> {
  const { database, watch, reached } = context;
  const waiting = requests.filter((request) => keyWasHeld.has(request));
  if (waiting.length > 0 && waiting.length < requests.length) {
    return lodgeApart(requests, (request) => keyWasHeld.has(request), context);
  }
  const done = await tryOnFeeds(database, (transaction) => lodge(transaction, requests, context), {
    lane: 'writes',
    attempts: requests,
  });
  if (!(done instanceof HeldWork)) {
    watch.wakeAppended(done.appended);
    const stored = done.outcomes.flatMap(({ id }) => id ?? []);
    if (reached === undefined || stored.length === 0) return done.outcomes;
    const presentedBy = presentLodged(reached, stored);
    return done.outcomes.map(({ recorded, id }) =>
      id === undefined ? { recorded } : { recorded, presented: presentedBy(id) },
    );
  }
  const { held, until } = done;
  if (held?.size === 0 && requests.length > 1) {
    const firstHalf = new Set(requests.slice(0, Math.ceil(requests.length / 2)));
    return lodgeApart(requests, (request) => !firstHalf.has(request), context);
  }
  if (held?.size === 0) {
    for (const request of requests) keyWasHeld.add(request);
    return [new Postponed(until)];
  }
  if (held === undefined || held.size === requests.length) {
    return requests.map(() => new Postponed(until));
  }
  const others = requests.filter((_, index) => !held.has(index));
  const outcomes = (await lodgeUnlessHeld(others, context)).values();
  return requests.map((_, index) =>
    held.has(index) ? new Postponed(until) : (outcomes.next().value ?? new Postponed(until)),
  );
}

/** Lodges some requests after the others, in a transaction of their own. */
async function lodgeApart(
  requests: readonly LodgeRequest[],
  isLater: (request: LodgeRequest) => boolean,
  context: LodgeContext,
): Promise<(Lodged | Postponed)[]> {
  const later = new Set(requests.filter(isLater));
  const sooner = requests.filter((request) => !later.has(request));
  const outcomes = new Map<LodgeRequest, Lodged | Postponed>();
  for (const part of [sooner, [...later]]) {
    const done = await lodgeUnlessHeld(part, context);
    done.forEach((outcome, index) => {
      const request = part[index];
      if (request !== undefined) outcomes.set(request, outcome);
    });
  }
  return requests.flatMap((request) => outcomes.get(request) ?? []);
}

/** What became of a request, and the number of its message if that was stored. */
type Outcome = { recorded: Recorded; id?: number };

async function lodge(
  transaction: FeedTransaction,
  requests: readonly LodgeRequest[],
  context: LodgeContext,
): Promise<{ outcomes: Outcome[]; appended: string | undefined }> {
  await lockSubmitters(transaction, requests);
  const [begun] = await transaction.query(beginRecording(requests, context.movedClock?.()));
  if (begun === undefined) throw new Error('the time of a commit was not returned');
  const { at } = begun;
  const used = new Set(begun.used);
  const judged = requests
    .filter((_, index) => !used.has(index))
    .map((request) => refuseIfTooOften(transaction, request));
  if (judged.length === 0) {
    return { outcomes: requests.map(() => ({ recorded: 'reused' })), appended: undefined };
  }
  const toLodge = await waitForMissing(
    transaction,
    judged.filter((request) => 'message' in request),
  );
  const looked = toLodge.values();
  const recorded = judged.map((request) =>
    'message' in request ? (looked.next().value ?? request) : request,
  );
  const stored = await storeLodged(transaction, toLodge, context, at);
  const taken = await readTaken(transaction, recorded, stored);
  const decided = recorded.map((request) => decide(request, stored, taken));
  const outcomes = requests.map((request, index): Outcome => {
    if (used.has(index)) return { recorded: 'reused' };
    const id = 'message' in request ? stored.get(request.message.key)?.id : undefined;
    return { recorded: 'recorded', ...(id !== undefined && { id }) };
  });
  return { outcomes, appended: await recordRequests(transaction, decided, at) };
}

/** What an attempt has found to be lodged too often by its submitter is refused. */
function refuseIfTooOften(transaction: FeedTransaction, request: LodgeRequest): LodgeRequest {
  if (!('message' in request)) return request;
  const { message, ...rest } = request;
  const { house, key, text } = message;
  if (house === undefined || !isLodgedTooOften(transaction, { id: '', house })) return request;
  const body: unknown = JSON.parse(text);
  return { ...rest, errors: [lodgedTooOften(request, body)], key, body, text };
}

async function lockSubmitters(
  transaction: FeedTransaction,
  requests: readonly MovementRequest[],
): Promise<void> {
  try {
    await transaction.lock([...new Set(requests.map(({ owner }) => owner))]);
  } catch (error) {
    if (error instanceof OrganisationHeldError) {
      error.held = new Set(
        requests.flatMap(({ owner }, index) => (owner === error.organisation ? [index] : [])),
      );
    }
    throw error;
  }
}

type Taken = ReadonlyMap<string, { mrn: string; submitter: number }>;

const keyOf = (request: LodgeRequest) => ('message' in request ? request.message.key : request.key);

/** Who has the keys of the messages that were not stored. */
async function readTaken(
  transaction: FeedTransaction,
  requests: readonly LodgeRequest[],
  stored: ReadonlyMap<string, StoredMessage>,
): Promise<Taken> {
  const keys = requests.map(keyOf).filter((key) => !stored.has(key));
  if (keys.length === 0) return new Map();
  const rows = await transaction.query(selectByKeys(keys));
  const taken = new Map(rows.map(({ key, ...row }) => [key, row]));
  for (const request of requests) {
    const key = keyOf(request);
    if ('message' in request && !stored.has(key) && !taken.has(key)) {
      throw new ChangedMeanwhileError('the key has become free');
    }
  }
  return taken;
}

function decide(
  request: LodgeRequest,
  stored: ReadonlyMap<string, StoredMessage>,
  taken: Taken,
): DecidedRequest {
  const { requestId, mode, level, owner } = request;
  const about = { requestId, mode, level, operation: 'LODGE' } as const;
  const key = keyOf(request);
  const mrn = 'message' in request ? stored.get(key)?.mrn : undefined;
  if ('message' in request && mrn !== undefined) {
    const { reasons, text } = request.message;
    return { request, outcome: { ...about, mrn, reasons }, text };
  }
  const other = taken.get(key);
  const errors = 'message' in request ? [] : request.errors;
  if (other === undefined) return { request, outcome: { ...about, errors } };
  const body = 'message' in request ? JSON.parse(request.message.text) : request.body;
  const duplicate = keyTaken(request, body, other.submitter === owner ? other.mrn : undefined);
  return { request, outcome: { ...about, errors: [...errors, duplicate] } };
}

/** The error of goods that their submitter has lodged too often. */
export function lodgedTooOften(about: MessageKind, body: unknown): ValidationError {
  const error = `must stand in fewer of your messages: ${MAX_RECORDS_OF_ONE} current ones are of the same goods`;
  return { ...takenKeyError(body, about), error };
}

/**
 * The error of a key that another current message has.
 *
 * @param ownMrn the MRN of that one if it is the submitter's own: what others have lodged is not named
 */
export function keyTaken(
  about: MessageKind,
  body: unknown,
  ownMrn: string | undefined,
): ValidationError {
  const { field, error, code } = takenKeyError(body, about);
  return { field, error: ownMrn === undefined ? error : `${error}: ${ownMrn}`, code };
}
