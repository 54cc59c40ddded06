// Publishes blocks of goods-item events, each all or none; small blocks share commits.
import type { ValidationError } from '@landfall/contract';
import { Batch } from '../database/batch.js';
import type { Database } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { Turns } from '../turns.js';
import { digestContent } from './content-digest.js';
import { goodsItemEvents, STREAM_OWNER } from './event-feed.js';
import type { GoodsItemEvent } from './goods-item-event.js';
import {
  type FindContentDigests,
  type Judgement,
  type Publication,
  partByDependence,
  withoutKnown,
  withoutRepetitions,
} from './judge-publication.js';
import { countBlock, planBlock } from './plan-block.js';
import {
  type CheckRow,
  checkEvents,
  lockStream,
  selectEntries,
  storeBlock,
} from './publication-queries.js';

/** Published, or every event that is refused, with the reason. */
export type PublishOutcome =
  | { published: true; accepted: number; duplicates: number }
  | { published: false; errors: readonly ValidationError[] };

/**
 * Publishes the events of a block, all or none, in their order.
 *
 * @param events at most as many as one request publishes all or none
 * @param sender the organisation that publishes them: comparing them with each other does not delay others
 * @throws DatabaseUnavailableError when the events may or may not have been stored
 */
export type PublishBlock = (
  events: readonly GoodsItemEvent[],
  sender?: number,
) => Promise<PublishOutcome>;

/** The events of one statement: encoding them for the database takes a few milliseconds of this thread. */
const STATEMENT = { events: 1000, bytes: 1024 * 1024 };

/** Blocks of at most this size share commits. */
const SMALL = { events: 16, bytes: 64 * 1024 };

/** Maximum number of small blocks in one commit. */
const MAX_SMALL_TOGETHER = 125;

/** Maximum size of the texts that one query reads to compare them, in bytes. */
const MAX_COMPARED_BYTES = 1024 * 1024;

/** Makes the function. Its result resolves after the commit, so nothing acknowledged is lost. */
export function makePublishBlock(
  database: Database,
  watch: FeedWatch,
  now: () => Date,
): PublishBlock {
  const batch = (name: string, maxBatchSize: number) =>
    new Batch<Publication, PublishOutcome>(
      async (publications) => {
        const outcomes = await publishTogether(database, publications, now());
        if (outcomes.some((outcome) => outcome.published && outcome.accepted > 0)) {
          watch.wake(goodsItemEvents, [STREAM_OWNER]);
        }
        return outcomes;
      },
      { maxBatchSize, measured: { by: database.batches, as: name } },
    );
  const small = batch('goods-items', MAX_SMALL_TOGETHER);
  const large = batch('large-goods-items', 1);
  return async (events, sender) => {
    const judgement = await withoutRepetitions(events, sender);
    if ('errors' in judgement) return { published: false, errors: judgement.errors };
    if (judgement.events.length === 0) return published(judgement);
    return (countBlock(events, SMALL) === events.length ? small : large).submit(judgement);
  };
}

/** A publication as submitted, and its events that are still to be stored. */
type Waiting = Publication & { submitted: Publication };

/**
 * Publishes several blocks in one transaction, each all or none. Usually every event is new. Otherwise nothing is
 * stored, and the events that remain are stored by another transaction.
 */
async function publishTogether(
  database: Database,
  publications: readonly Publication[],
  publishedAt: Date,
): Promise<PublishOutcome[]> {
  const outcomes = new Map<Publication, PublishOutcome>();
  const findDigests: FindContentDigests = (known) => findContentDigests(database, known);
  let waiting: Waiting[] = publications.map((submitted) => ({ submitted, ...submitted }));
  while (waiting.length > 0) {
    const { together, later } = partByDependence(waiting);
    const found = await store(
      database,
      together.flatMap(({ events }) => events),
      publishedAt,
    );
    const nothingStored = found.known.length + found.contradicting.length > 0;
    const again: Waiting[] = [];
    for (const publication of together) {
      const judgement = await withoutKnown(publication, found, findDigests);
      if (nothingStored && 'events' in judgement && judgement.events.length > 0) {
        again.push({ submitted: publication.submitted, ...judgement });
      } else {
        outcomes.set(publication.submitted, toOutcome(judgement));
      }
    }
    waiting = [...again, ...later];
  }
  return publications.map((publication) => {
    const outcome = outcomes.get(publication);
    if (outcome === undefined) throw new Error('a publication was left without an outcome');
    return outcome;
  });
}

function toOutcome(judgement: Judgement): PublishOutcome {
  return 'errors' in judgement
    ? { published: false, errors: judgement.errors }
    : published(judgement);
}

function published({ events, duplicates }: Publication): PublishOutcome {
  return { published: true, accepted: events.length, duplicates };
}

/**
 * Stores the events if all of them are new and none contradicts the stream, and returns the others. One block takes one
 * round trip. Several blocks are sent one after the other, so that the event loop is free in between.
 */
async function store(
  database: Database,
  events: readonly GoodsItemEvent[],
  publishedAt: Date,
): Promise<CheckRow> {
  const blocks = [...splitBlocks(events)];
  if (blocks.length === 1) {
    const [, rows] = await database.commit(
      [lockStream, checkEvents(events), ...storeBlock(planBlock(events), publishedAt)],
      'stream',
    );
    return requireRow(rows);
  }
  return database.transact(async (transaction) => {
    await transaction.query(lockStream);
    const found: CheckRow = { known: [], contradicting: [] };
    for (const block of blocks) {
      const row = requireRow(await transaction.query(checkEvents(block)));
      found.known.push(...row.known);
      found.contradicting.push(...row.contradicting);
    }
    if (found.known.length + found.contradicting.length > 0) return found;
    for (const block of blocks) {
      for (const statement of storeBlock(planBlock(block), publishedAt)) {
        await transaction.query(statement);
      }
    }
    return found;
  }, 'stream');
}

function* splitBlocks(events: readonly GoodsItemEvent[]): Generator<readonly GoodsItemEvent[]> {
  for (let start = 0; start < events.length; ) {
    const end = start + countBlock(events, STATEMENT, start);
    yield events.slice(start, end);
    start = end;
  }
}

function requireRow([row]: readonly CheckRow[]): CheckRow {
  if (row === undefined) throw new Error('the check of events gave no row');
  return row;
}

/** The digests of the content of these events. Their texts are read in blocks, because together they may be too large. */
async function findContentDigests(
  database: Database,
  known: Parameters<FindContentDigests>[0],
): Promise<Map<string, string>> {
  const turns = new Turns();
  const digests = new Map<string, string>();
  for (let start = 0; start < known.length; ) {
    const end = start + countBlock(known, { events: 1000, bytes: MAX_COMPARED_BYTES }, start);
    const ids = known.slice(start, end).map(({ id }) => id);
    for (const { id, entry, digest } of await database.query(selectEntries(ids))) {
      const found = entry === null ? digest : digestContent(entry).toString('hex');
      if (found !== null) digests.set(id, found);
      if (turns.over) await turns.next();
    }
    start = end;
  }
  return digests;
}
