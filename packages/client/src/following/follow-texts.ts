// Following goods-item messages as texts.
import { asTexts } from '../connection/as-texts.js';
import type { Connection } from '../connection/connection.js';
import type { ShownGoodsItemMessage } from '../contract/types.js';
import { parseRecord } from '../errors/read-api-error.js';
import { type Feed, goodsItemFeed } from './feed.js';
import type { FollowOptions } from './follow-options.js';
import { Following } from './following.js';

const goodsItemTextFeed: Feed<string> = {
  ...goodsItemFeed,
  operation: asTexts(goodsItemFeed.operation),
  parse: (text) => text,
  markerOf: (text) => goodsItemFeed.markerOf(parse(text)),
};

/** The object of a text; `undefined` of another one, which has no marker. */
function parse(text: string): ShownGoodsItemMessage {
  // The cast is true once its marker is found.
  return parseRecord(text) as ShownGoodsItemMessage;
}

/**
 * Follows the stream of goods-item messages as `followGoodsItems` does, and hands out each as it was published: as a text
 * in which numbers have their digits, such as 2.50.
 *
 * @throws what `followGoodsItems` throws
 * @example
 * for await (const text of followGoodsItemTexts(landfall, { store })) appendFileSync(file, `${text}\n`);
 */
export function followGoodsItemTexts(
  connection: Connection,
  options: FollowOptions = {},
): Following<string> {
  return new Following(connection, goodsItemTextFeed, options);
}
