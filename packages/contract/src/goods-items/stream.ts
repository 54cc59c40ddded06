// What goes over the wire around goods-item messages: queries, answers and limits. Wire contract, section 8.
import { type Static, Type } from 'typebox';
import { paging } from '../paging.js';
import { DeclarationIdentification } from './goods-item.js';

/** Most messages that are published all or none; a longer NDJSON upload commits in blocks. */
export const ATOMIC_PUBLISH_LIMIT = 10_000;

/** Most bytes of messages that are published all or none; what is more counts as more messages do. */
export const ATOMIC_PUBLISH_BYTES = 24 * 1024 * 1024;

/**
 * The largest message that is taken, in bytes of its JSON text. Whatever keeps the limits of its members fits, unless
 * it writes characters as escapes; and a page of 1000 fits one text, a message with its headers what NATS takes (1 MiB).
 */
export const GOODS_ITEM_MESSAGE_LIMIT = 256 * 1024;

/** Most white space between the tokens of a message that is sent as a line and so is kept as it is, in bytes. */
export const GOODS_ITEM_WHITE_SPACE_LIMIT = 8 * 1024;

/** The JetStream stream that messages are relayed to. */
export const GOODS_ITEM_STREAM = 'GOODS_ITEMS';

/** The subjects of relayed messages: the declaration's direction, and the chapter of the Harmonized System. */
export const GOODS_ITEM_SUBJECTS = 'customs.goods-items.<direction>.<chapter>';

/** The query of the stream. */
export const GoodsItemsQuery = Type.Object(paging('The metadata.eventId of the last message'));
export type GoodsItemsQuery = Static<typeof GoodsItemsQuery>;

/** The query of the items that stand. */
export const CurrentGoodsItemsQuery = Type.Object({
  declaration: Type.Optional({
    ...DeclarationIdentification,
    description: 'Only the items of this declaration',
  }),
  page: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,200}$',
      description: 'Which page: as the `Link` of the one before says it, never made up',
    }),
  ),
  limit: paging('').limit,
});
export type CurrentGoodsItemsQuery = Static<typeof CurrentGoodsItemsQuery>;

/** The answer to a publication: by the time it is sent, all that was accepted is durable. */
export const GoodsItemsPublished = Type.Object(
  {
    accepted: Type.Integer({ minimum: 0, description: 'Messages that are new' }),
    duplicates: Type.Integer({
      minimum: 0,
      description: 'Messages whose eventId was published before with the same content',
    }),
  },
  { $id: 'GoodsItemsPublished', description: 'What became of the messages' },
);
export type GoodsItemsPublished = Static<typeof GoodsItemsPublished>;
