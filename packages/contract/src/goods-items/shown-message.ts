// A goods-item message as it is read: without the members that the reader's view does not grant.
import { type Static, type TSchema, Type } from 'typebox';
import { GoodsItem } from './goods-item.js';
import { GoodsItemMessage } from './message.js';
import { GOODS_ITEM_KEYS } from './view.js';

/** The schema under another name, with every member optional, also of objects within it, but for these of the outermost. */
function withoutRequired(
  schema: TSchema & {
    $id?: string;
    description?: string;
    properties?: Record<string, TSchema>;
    items?: TSchema;
    maxItems?: number;
  },
  required: readonly string[] = [],
): TSchema {
  const { $id = '', description = '', properties, items, maxItems = 0 } = schema;
  if (items !== undefined) return Type.Array(withoutRequired(items), { maxItems });
  if (properties === undefined) return schema;
  return Type.Object(
    Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [
        name,
        required.includes(name) ? member : Type.Optional(withoutRequired(member)),
      ]),
    ),
    { $id: `Shown${$id}`, description, additionalProperties: false },
  );
}

type Keys = (typeof GOODS_ITEM_KEYS)[number];

/** A value of which every member may be missing. */
type Partly<Value> = Value extends readonly (infer Item)[]
  ? Partly<Item>[]
  : Value extends object
    ? { [Name in keyof Value]?: Partly<Value[Name]> }
    : Value;

/** A goods item as a reader with a view sees it. */
export type ShownGoodsItem = Pick<GoodsItem, Keys> & Partly<Omit<GoodsItem, Keys>>;

/** A message as it is read. */
export const ShownGoodsItemMessage = Type.Object(
  {
    metadata: GoodsItemMessage.properties.metadata,
    data: Type.Optional(
      Type.Object(
        { GoodsItem: withoutRequired(GoodsItem, GOODS_ITEM_KEYS) },
        { $id: 'ShownGoodsItemData', description: 'The goods item', additionalProperties: false },
      ),
    ),
  },
  {
    $id: 'ShownGoodsItemMessage',
    description:
      'An event that adds or removes one goods item, as it was published. For an organisation with a view, the members that it does not grant are missing; `metadata` and the two that identify the item are always there',
    additionalProperties: false,
  },
);
export type ShownGoodsItemMessage = {
  metadata: Static<typeof GoodsItemMessage>['metadata'];
  data?: { GoodsItem: ShownGoodsItem };
};
