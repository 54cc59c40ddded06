// Reads a feed in the portions in which the service delivers it.
import {
  type FollowedFeed,
  type FollowOptions,
  followGoodsItemTexts,
  type SubscribedFeed,
} from '@landfall/client';
import { MAX_DELIVERY_BYTES, MAX_DELIVERY_ENTRIES } from '@landfall/contract';
import type { CheckedLandfall } from '../../service/checked-landfall.js';

/** Entries that are delivered together: as a JSON array, with the ids of the last one and of the one before the first. */
export type Portion = { entries: number; body: string; marker: string; previous: string | null };

/** An entry as it is sent, and its id. */
type Entry = { text: string; marker: string };

/** How each feed is read. Texts of goods items are as they were published; the others have no numbers that parsing changes. */
const readers = {
  routing: (client, settings) =>
    entriesOf(client.followRouting(settings), (signal) => ({
      text: JSON.stringify(client.check('readRoutingSignals', signal)),
      marker: signal.routingResult.id,
    })),
  'validation-status': (client, settings) =>
    entriesOf(client.followStatuses(settings), (status) => ({
      text: JSON.stringify(client.check('listValidationStatuses', status)),
      marker: status.requestId,
    })),
  'goods-items': (client, settings) =>
    entriesOf(followGoodsItemTexts(client, settings), (text) => ({
      text: client.check('listGoodsItems', text),
      // The cast is true of what was checked.
      marker: (JSON.parse(text) as { metadata: { eventId: string } }).metadata.eventId,
    })),
  'movement-status': (client, settings) =>
    entriesOf(client.followMovementStatuses(settings), (status) => ({
      text: JSON.stringify(client.check('listMovementStatuses', status)),
      marker: status.requestId,
    })),
} satisfies Record<
  SubscribedFeed,
  (client: CheckedLandfall, settings: FollowOptions) => AsyncIterable<Entry[]>
>;

async function* entriesOf<Read>(
  following: Pages<Read>,
  toEntry: (read: Read) => Entry,
): AsyncGenerator<Entry[], void, undefined> {
  for await (const page of following.pages()) yield page.map(toEntry);
}

type Pages<Read> = { pages(): AsyncIterable<Read[]> };

/** The portions of a feed, each of which is saved when the next one is asked for. */
export async function* followPortions(
  client: CheckedLandfall,
  feed: SubscribedFeed,
  { store, ...settings }: FollowOptions,
): AsyncGenerator<Portion, void, undefined> {
  let previous = settings.marker ?? null;
  // A page may be longer than a portion: what is saved is what was confirmed.
  const ofPages = store && {
    read: async (followed: FollowedFeed) => {
      const saved = await store.read(followed);
      previous = saved ?? null;
      return saved;
    },
    write: () => undefined,
    close: () => store.close?.(),
  };
  for await (const page of readers[feed](client, { ...settings, store: ofPages })) {
    for (const portion of split(page)) {
      yield { ...portion, previous };
      previous = portion.marker;
      await store?.write(portion.marker);
      if (settings.signal?.aborted) return;
    }
  }
}

function* split(page: readonly Entry[]): Generator<Omit<Portion, 'previous'>, void, undefined> {
  let texts: string[] = [];
  let bytes = 0;
  let marker = '';
  const portion = () => ({ entries: texts.length, body: `[${texts.join(',')}]`, marker });
  for (const entry of page) {
    const size = Buffer.byteLength(entry.text) + 1;
    const isFull = texts.length === MAX_DELIVERY_ENTRIES || bytes + size > MAX_DELIVERY_BYTES;
    if (isFull && texts.length > 0) {
      yield portion();
      texts = [];
      bytes = 0;
    }
    texts.push(entry.text);
    bytes += size;
    marker = entry.marker;
  }
  if (texts.length > 0) yield portion();
}
