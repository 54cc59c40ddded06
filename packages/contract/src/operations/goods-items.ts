// Publishing and reading goods items.
import { Type } from 'typebox';
import { GoodsItemMessage } from '../goods-items/message.js';
import { ShownGoodsItemMessage } from '../goods-items/shown-message.js';
import {
  ATOMIC_PUBLISH_BYTES,
  ATOMIC_PUBLISH_LIMIT,
  CurrentGoodsItemsQuery,
  DeclarationItemFeedQuery,
  GoodsItemsPublished,
  GoodsItemsQuery,
} from '../goods-items/stream.js';
import { feedHeaders, feedResponse, pageHeaders } from './feed.js';
import { lines } from './media-types.js';
import type { Operation } from './operation.js';

const goodsItemsPath = '/api/declaration/feed/v1/goods-items';

export const goodsItemOperations = {
  publishGoodsItems: {
    operationId: 'publishGoodsItems',
    method: 'POST',
    path: goodsItemsPath,
    tag: 'Goods items',
    summary: 'Publish goods-item messages',
    description: `One message, an array, or NDJSON of any length. Up to ${ATOMIC_PUBLISH_LIMIT} messages with ${ATOMIC_PUBLISH_BYTES} bytes in total are published atomically: all or none. A larger NDJSON upload is committed in blocks, in order, and a problem, also one of access that ended meanwhile, reports in \`published\` how many messages are stored. A message whose eventId was published before with the same content is a duplicate and is not stored again, so resubmitting a whole upload is safe. Each error has the \`index\` of the message, its \`eventId\` and the member.`,
    access: ['declaration.publish'],
    idempotent: true,
    body: {
      'application/json': Type.Union([
        GoodsItemMessage,
        Type.Array(GoodsItemMessage, { minItems: 1, maxItems: ATOMIC_PUBLISH_LIMIT }),
      ]),
      'application/x-ndjson': lines(
        'One message a line. It is stored as it is, and readers get the same bytes',
        GoodsItemMessage,
      ),
    },
    maxBodyBytes: 64 * 1024 * 1024,
    responses: {
      202: {
        description: 'Published and durable',
        content: { 'application/json': GoodsItemsPublished },
      },
    },
  },

  listGoodsItems: {
    operationId: 'listGoodsItems',
    method: 'GET',
    path: goodsItemsPath,
    tag: 'Goods items',
    summary: 'Read the stream of goods-item messages',
    description:
      'Every message after the marker, in the order in which they apply; without a marker from the oldest message that is retained. The marker is the eventId of the last message that was read. Reading with markers returns every message exactly once. An organisation for which the authority has set a view gets the messages that the view shows, in the same order and with the same markers, and of them the members that it grants. A marker that is older than the oldest retained message is refused with `MARKER_EXPIRED`: start again from the current goods items.',
    access: ['declaration.feed'],
    query: GoodsItemsQuery,
    headers: feedHeaders,
    responses: { 200: feedResponse('Goods-item messages', ShownGoodsItemMessage) },
  },

  listDeclarationItems: {
    operationId: 'listDeclarationItems',
    method: 'GET',
    path: '/api/declaration/declaration-item-feed/v1/',
    tag: 'Goods items',
    summary: 'Read the stream of goods-item messages at the national address',
    description:
      'The same messages in the same order as `listGoodsItems`, as a JSON array, with the parameters of the national service, for clients that were written for it. New clients read `listGoodsItems`, which also waits, and has streams. Continue with the eventId of the last message as `last`, until a page is empty. A `last` that was never published, or after which messages are no longer kept, is 404: start again from the current goods items.',
    access: ['declaration.feed'],
    query: DeclarationItemFeedQuery,
    responses: {
      200: {
        description: 'Goods-item messages, oldest first; empty if there is nothing new',
        content: { 'application/json': Type.Array(ShownGoodsItemMessage) },
        headers: pageHeaders,
      },
    },
    problems: [404],
  },

  listCurrentGoodsItems: {
    operationId: 'listCurrentGoodsItems',
    method: 'GET',
    path: `${goodsItemsPath}/current`,
    tag: 'Goods items',
    summary: 'Read the current goods items',
    description:
      'The goods items that exist after all additions and removals, each as the message that added it: those of one declaration, or all of them as the start for a new reader. Read every page, then the stream after the marker in `Landfall-Marker`. The result is the same as reading the stream from its beginning, even if messages are published at the same time. An item that changes while it is read may be returned twice; the later one applies. An organisation with a view gets the items that the view shows; `Landfall-Marker` is that of the last message that it shows. Where a view shows very few of very many items, a page may take longer to find than a request may last: the response is then 503, and the same request goes on.',
    access: ['declaration.feed'],
    query: CurrentGoodsItemsQuery,
    responses: {
      200: {
        description: 'Current goods items; empty if there are none',
        content: {
          'application/json': Type.Array(ShownGoodsItemMessage),
          'application/x-ndjson': lines('One message a line', ShownGoodsItemMessage),
        },
        headers: {
          ...pageHeaders,
          'Landfall-Marker':
            'The eventId after which to continue in the stream. It is the same on every page, and absent if nothing has been published that the reader may see: then read the stream from its beginning',
        },
      },
    },
  },
} as const satisfies Record<string, Operation>;
