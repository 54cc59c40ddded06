// The goods-item message as a separate JSON Schema (draft 2020-12), for validators in any language.
import { type Json, SchemaComponents } from '../schema-components.js';
import { GOODS_ITEM_MESSAGE_VERSION, GoodsItemMessage } from './message.js';

/**
 * Makes the JSON Schema of the goods-item message. It has every rule, and does not rely on `format` for dates.
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
