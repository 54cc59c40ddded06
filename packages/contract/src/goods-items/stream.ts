// The operations on goods-item messages: their queries, responses and limits.
import { type Static, Type } from 'typebox';
import { feedPaging, pageLimit, paging, uuidQuery } from '../paging.js';
import { fromSubjectToken, toSubjectToken } from '../routing-signal-stream.js';
import { DeclarationIdentification } from './goods-item.js';

/** Maximum number of messages that are published all or none; a longer NDJSON upload commits in blocks. */
export const ATOMIC_PUBLISH_LIMIT = 10_000;

/** Maximum size of messages that are published all or none, in bytes; a larger upload commits in blocks. */
export const ATOMIC_PUBLISH_BYTES = 24 * 1024 * 1024;

/**
 * Maximum size of a message, in bytes of its JSON text. With its headers it is smaller than what NATS accepts (1 MiB).
 */
export const GOODS_ITEM_MESSAGE_LIMIT = 256 * 1024;

/** Maximum white space between the tokens of a message that is sent as a line, and so stored verbatim, in bytes. */
export const GOODS_ITEM_WHITE_SPACE_LIMIT = 8 * 1024;

/** The JetStream stream to which messages are relayed. */
export const GOODS_ITEM_STREAM = 'GOODS_ITEMS';

/** The subjects of relayed messages: the declaration's direction, and the chapter of the Harmonized System. */
export const GOODS_ITEM_SUBJECTS = 'customs.goods-items.<direction>.<chapter>';

/** The JetStream stream to which messages are relayed as organisations with a view see them. */
export const GOODS_ITEM_VIEW_STREAM = 'GOODS_ITEM_VIEWS';

const VIEW_SUBJECT_PREFIX = 'customs.goods-item-views.';

/** The subjects of messages as an organisation with a view sees them. */
export const GOODS_ITEM_VIEW_SUBJECTS = `${VIEW_SUBJECT_PREFIX}<organisation>`;

/**
 * The subject of what the view of an organisation shows.
 *
 * @param identifier the identifier of the organisation
 * @example
 * toGoodsItemViewSubject('0192:974760673'); // 'customs.goods-item-views.0192_974760673'
 */
export function toGoodsItemViewSubject(identifier: string): string {
  return VIEW_SUBJECT_PREFIX + toSubjectToken(identifier);
}

/**
 * The organisation whose view has a subject; `undefined` if it is no such subject.
 *
 * @param subject such as `customs.goods-item-views.0192_974760673`
 */
export function fromGoodsItemViewSubject(subject: string): string | undefined {
  return subject.startsWith(VIEW_SUBJECT_PREFIX)
    ? fromSubjectToken(subject.slice(VIEW_SUBJECT_PREFIX.length))
    : undefined;
}

/** The query of the stream. */
export const GoodsItemsQuery = Type.Object(feedPaging('The metadata.eventId of the last message'));
export type GoodsItemsQuery = Static<typeof GoodsItemsQuery>;

/** Maximum number of messages that a read of the declaration-item feed passes over. */
export const SKIP_LIMIT = 1000;

/** The query of the declaration-item feed: that of the stream, with the names of the national address. */
export const DeclarationItemFeedQuery = Type.Object({
  last: uuidQuery('The metadata.eventId of the last message'),
  timestamp: Type.Optional({
    ...feedPaging('').since,
    description:
      'In place of `last`: the page begins with the first message that was published at this time or later (RFC 3339)',
  }),
  skip: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: SKIP_LIMIT,
      default: 0,
      description: 'How many messages are passed over, counted from where the page would begin',
    }),
  ),
  max: pageLimit,
});
export type DeclarationItemFeedQuery = Static<typeof DeclarationItemFeedQuery>;

/** The query of the current goods items. */
export const CurrentGoodsItemsQuery = Type.Object({
  declaration: Type.Optional({
    ...DeclarationIdentification,
    description: 'Only the items of this declaration',
  }),
  page: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,200}$',
      description: 'The page, from the `Link` of the previous page',
    }),
  ),
  limit: paging('').limit,
});
export type CurrentGoodsItemsQuery = Static<typeof CurrentGoodsItemsQuery>;

/** The response to a publication. It is sent when all accepted messages are durable. */
export const GoodsItemsPublished = Type.Object(
  {
    accepted: Type.Integer({ minimum: 0, description: 'New messages' }),
    duplicates: Type.Integer({
      minimum: 0,
      description: 'Messages whose eventId was published before with the same content',
    }),
  },
  { $id: 'GoodsItemsPublished', description: 'The outcome of a publication' },
);
export type GoodsItemsPublished = Static<typeof GoodsItemsPublished>;
