// The goods-item message as a JSON Schema of its own (draft 2020-12), for validators in any language.
import { type Json, SchemaComponents } from '../openapi/schema.js';
import { GOODS_ITEM_MESSAGE_VERSION, GoodsItemMessage } from './message.js';

/**
 * Makes the JSON Schema of the goods-item message. Every rule is in it, dates too, without relying on `format`.
 *
 * @example
 * makeGoodsItemJsonSchema().$schema; // 'https://json-schema.org/draft/2020-12/schema'
 */
export function makeGoodsItemJsonSchema(): Json {
  const definitions = new SchemaComponents('#/$defs');
  const { $id, ...message } = { $id: '', ...GoodsItemMessage };
  const described = definitions.describe(message);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:landfall:goods-item-message:${GOODS_ITEM_MESSAGE_VERSION}`,
    title: $id,
    ...described,
    $defs: definitions.all(),
  };
}
