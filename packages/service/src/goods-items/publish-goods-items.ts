// Publishes goods-item events: the rule of what is new, what is a duplicate and what is refused.
import type { ValidationError } from '@landfall/contract';
import { Batch } from '../database/batch.js';
import type { Database } from '../database/database.js';
import type { FeedWatch } from '../feed/watch-feeds.js';
import { digestContent, isSameContent } from './content-digest.js';
import { goodsItemEvents, STREAM_OWNER } from './event-feed.js';
import { type GoodsItemEvent, type ItemKey, keyText, tellWhere } from './goods-item-event.js';
import { planBlock } from './plan-block.js';
import {
  type CheckRow,
  type ContradictingRow,
  checkEvents,
  type KnownRow,
  lockStream,
  storeBlock,
} from './queries.js';

/** Published, or every event that cannot be, and why. */
export type PublishOutcome =
  | { published: true; accepted: number; duplicates: number }
  | { published: false; errors: readonly ValidationError[] };

/**
 * Publishes events, all or none, in their order. Wire contract, section 8.
 *
 * @param events at most as many as one request publishes all or none
 * @throws DatabaseUnavailableError when it cannot be known whether they are published
 */
export type PublishGoodsItems = (events: readonly GoodsItemEvent[]) => Promise<PublishOutcome>;

/** Events that one statement takes apart and stores. More at once is not faster, and takes more memory. */
const EVENTS_A_STATEMENT = 2000;

/** Requests of at most so many events share commits. */
const SMALL = 16;

/** Small requests in one commit. */
const SMALL_TOGETHER = EVENTS_A_STATEMENT / SMALL;

/** One request on its way: what is new of it as far as is known. */
type Publication = { events: readonly GoodsItemEvent[]; duplicates: number };

/** Makes the operation. It answers after the commit: nothing acknowledged is lost. */
export function makePublishGoodsItems(
  database: Database,
  watch: FeedWatch,
  now: () => Date,
): PublishGoodsItems {
  const batch = (most: number) =>
    new Batch<Publication, PublishOutcome>(
      async (publications) => {
        const outcomes = await publishTogether(database, publications, now());
        if (outcomes.some((outcome) => outcome.published && outcome.accepted > 0)) {
          watch.wake(goodsItemEvents, [STREAM_OWNER]);
        }
        return outcomes;
      },
      { most },
    );
  const small = batch(SMALL_TOGETHER);
  const large = batch(1);
  return async (events) => {
    const read = withoutRepetitions(events);
    if ('errors' in read) return { published: false, errors: read.errors };
    if (read.events.length === 0) {
      return { published: true, accepted: 0, duplicates: read.duplicates };
    }
    return (events.length <= SMALL ? small : large).submit(read);
  };
}

/** What a request says twice counts once; what it says differently under one eventId is refused. */
function withoutRepetitions(
  events: readonly GoodsItemEvent[],
): Publication | { errors: ValidationError[] } {
  const first = new Map<string, GoodsItemEvent>();
  const errors: ValidationError[] = [];
  for (const event of events) {
    const before = first.get(event.id);
    if (before === undefined) first.set(event.id, event);
    else if (!isSameContent(before.entry, event.entry)) errors.push(reused(event));
  }
  for (const event of first.values()) {
    const added = event.related === undefined ? undefined : first.get(event.related);
    if (added?.adds && added.item && contradicts(event, added.item)) {
      errors.push(contradicting(event, added.item));
    }
  }
  if (errors.length > 0) return { errors };
  return { events: [...first.values()], duplicates: events.length - first.size };
}

/**
 * Publishes several requests in one transaction, each all or none. Usually all is new, and one round trip does it.
 * When something is known already nothing is stored, and what is left is tried again.
 */
async function publishTogether(
  database: Database,
  publications: readonly Publication[],
  publishedAt: Date,
): Promise<PublishOutcome[]> {
  const outcomes = new Map<Publication, PublishOutcome>();
  let waiting = publications.map((asked) => ({ asked, ...asked }));
  while (waiting.length > 0) {
    const { together, later } = partWhereIdsMeet(waiting);
    const { known, contradicting } = await store(
      database,
      together.flatMap(({ events }) => events),
      publishedAt,
    );
    const inTheWay = known.length + contradicting.length > 0;
    const again: typeof waiting = [];
    for (const publication of together) {
      const left = withoutKnown(publication, known, contradicting);
      if ('errors' in left) {
        outcomes.set(publication.asked, { published: false, errors: left.errors });
      } else if (inTheWay && left.events.length > 0) {
        again.push({ asked: publication.asked, ...left });
      } else {
        const { events, duplicates } = left;
        outcomes.set(publication.asked, {
          published: true,
          accepted: events.length,
          duplicates,
        });
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

/** Of requests that have an eventId in common, the later ones must see what became of the first. */
function partWhereIdsMeet<Asked extends Publication>(publications: readonly Asked[]) {
  const ids = new Set<string>();
  const together: Asked[] = [];
  const later: Asked[] = [];
  for (const publication of publications) {
    if (publication.events.some(({ id }) => ids.has(id))) {
      later.push(publication);
    } else {
      together.push(publication);
      for (const { id } of publication.events) ids.add(id);
    }
  }
  return { together, later };
}

/** Stores the events if all of them are new; gives what is in the way. */
async function store(
  database: Database,
  events: readonly GoodsItemEvent[],
  publishedAt: Date,
): Promise<CheckRow> {
  const blocks = [];
  for (let start = 0; start < events.length; start += EVENTS_A_STATEMENT) {
    blocks.push(planBlock(events.slice(start, start + EVENTS_A_STATEMENT)));
  }
  const [, rows] = await database.commit(
    [lockStream, checkEvents(events), ...blocks.flatMap((block) => storeBlock(block, publishedAt))],
    'stream',
  );
  // The cast is true because these are the columns that the statement selects.
  const [row] = (rows ?? []) as CheckRow[];
  if (row === undefined) throw new Error('the check of events gave no row');
  return row;
}

/** What is new of a request, now that it is known what is not. */
function withoutKnown(
  { events, duplicates }: Publication,
  known: readonly KnownRow[],
  contradictions: readonly ContradictingRow[],
): Publication | { errors: ValidationError[] } {
  if (known.length + contradictions.length === 0) return { events, duplicates };
  const knownById = new Map(known.map((row) => [row.id, row]));
  const contradictionById = new Map(contradictions.map((row) => [row.id, row]));
  const errors: ValidationError[] = [];
  const left: GoodsItemEvent[] = [];
  for (const event of events) {
    const before = knownById.get(event.id);
    const added = contradictionById.get(event.id);
    if (before !== undefined) {
      if (!isSame(event, before)) errors.push(reused(event));
    } else if (added !== undefined) {
      errors.push(contradicting(event, added));
    } else {
      left.push(event);
    }
  }
  if (errors.length > 0) return { errors };
  return { events: left, duplicates: duplicates + events.length - left.length };
}

function isSame({ entry }: GoodsItemEvent, before: KnownRow): boolean {
  return before.entry === null
    ? digestContent(entry).toString('hex') === before.digest
    : isSameContent(entry, before.entry);
}

/** Whether a removal says of an item that it is removed, and by its related event that another one is. */
function contradicts({ adds, item }: GoodsItemEvent, added: ItemKey): boolean {
  return !adds && item !== undefined && keyText(item) !== keyText(added);
}

function reused({ index, id }: GoodsItemEvent): ValidationError {
  return tellWhere(
    {
      field: 'metadata.eventId',
      error: 'was published before with other content',
      code: 'EVENT_ID_REUSED',
    },
    index,
    id,
  );
}

function contradicting({ index, id }: GoodsItemEvent, added: ItemKey): ValidationError {
  return tellWhere(
    {
      field: 'metadata.relatedEventId',
      error: `added item ${added.number} of ${added.declaration}, which is not the item in data`,
      code: 'FORMAT',
    },
    index,
    id,
  );
}
