// What is relayed: the feeds of a kind, the JetStream stream that they go to, and the subject of an entry. Statuses are not
// relayed: whoever has sent a request reads what became of it.
import {
  fromGoodsItemViewSubject,
  fromRoutingSignalSubject,
  relays,
  toGoodsItemViewSubject,
  toRoutingSignalSubject,
  toSubjectToken,
} from '@landfall/contract';
import { SESSION_LOCKS } from '../database/locks.js';
import type { FeedKind } from '../feed/feed.js';
import { goodsItemEvents, STREAM_OWNER } from '../goods-items/event-feed.js';
import { routingSignals } from '../routing/signal-feed.js';

/** All feeds of a kind, which go to one stream. */
export type RelayedFeeds = {
  /** What the entries are, in log lines. */
  name: string;
  kind: FeedKind;
  /** The stream in JetStream, and the subjects that it stores. */
  stream: string;
  subjects: string;
  /** The session lock of the one server that relays them. */
  lock: number;
  /** SQL: the owners of the feeds, as a relation with a column `id`. */
  owners: string;
  /** SQL over an owner `o` and an entry `e`: the value the subject is built from. */
  topic: string;
  toSubject(topic: string): string;
  /** The id of a message, by which JetStream recognises duplicates within the stream. */
  toMessageId(topic: string, marker: string): string;
  /** The text that identifies the owner of a message, `undefined` if the subject is none of these. */
  readOwner(subject: string): string | undefined;
  /** SQL over an owner `o` and that text `key`: whether it identifies the owner. */
  isOwner: string;
};

/** How something that is relayed is named in NATS. */
export type StreamNames = Pick<RelayedFeeds, 'stream' | 'subjects' | 'toSubject' | 'readOwner'>;

/** The same in an installation whose names in NATS have this prefix; empty: none. */
export function withPrefix<Named extends StreamNames>(named: Named, prefix: string): Named {
  if (prefix === '') return named;
  const before = `${prefix}.`;
  return {
    ...named,
    stream: `${prefix}_${named.stream}`,
    subjects: before + named.subjects,
    toSubject: (topic: string) => before + named.toSubject(topic),
    readOwner: (subject: string) =>
      subject.startsWith(before) ? named.readOwner(subject.slice(before.length)) : undefined,
  };
}

const GOODS_ITEM_PREFIX = 'customs.goods-items.';

/** The stream of goods items: one feed. */
export const relayedGoodsItems: RelayedFeeds = {
  name: relays['goods-items'].entries,
  kind: goodsItemEvents,
  stream: relays['goods-items'].stream,
  subjects: `${GOODS_ITEM_PREFIX}>`,
  lock: SESSION_LOCKS.relay,
  owners: `(values (${STREAM_OWNER}))`,
  topic: 'e.topic',
  toSubject: (topic) => GOODS_ITEM_PREFIX + topic,
  toMessageId: (_, marker) => marker,
  readOwner: () => '',
  isOwner: 'true',
};

/** Routing signals: a feed for each organisation. */
export const relayedSignals: RelayedFeeds = {
  name: relays['routing-signals'].entries,
  kind: routingSignals,
  stream: relays['routing-signals'].stream,
  subjects: 'customs.routing-signals.*',
  lock: SESSION_LOCKS.signalRelay,
  owners: '(select id, identifier from organisation)',
  topic: 'o.identifier',
  toSubject: toRoutingSignalSubject,
  // Signals of several organisations may have the same marker.
  toMessageId: (topic, marker) => `${toSubjectToken(topic)}/${marker}`,
  readOwner: fromRoutingSignalSubject,
  isOwner: 'o.identifier = wanted.key',
};

/** What views show of the stream of goods items: a subject for each organisation with a view. */
export const relayedViews: StreamNames = {
  stream: relays['goods-item-views'].stream,
  subjects: 'customs.goods-item-views.*',
  toSubject: toGoodsItemViewSubject,
  readOwner: fromGoodsItemViewSubject,
};
