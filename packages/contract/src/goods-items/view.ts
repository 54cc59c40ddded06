// Views of the goods-item stream: which messages an organisation reads, and which members of them.
import { type Static, type TSchema, Type } from 'typebox';
import type { ValidationError } from '../errors.js';
import { HarmonizedSystemChapter } from '../harmonized-system.js';
import { OrganisationIdentifier } from '../organisation.js';
import { pageLimit } from '../paging.js';
import { GoodsItem } from './goods-item.js';
import { RealDate, TwoDigits } from './members.js';

/** The members of a goods item that are sent in every view: they identify it. */
export const GOODS_ITEM_KEYS = ['DeclarationIdentification', 'GoodsItemNumber'] as const;

/** The members of an object, and of the objects and lists within it; the items of a list have its path. */
function listMembers(schema: TSchema, path: string): string[] {
  const { properties = {}, items }: { properties?: Record<string, TSchema>; items?: TSchema } =
    schema;
  if (items !== undefined) return listMembers(items, path);
  return Object.entries(properties).flatMap(([name, member]) => [
    `${path}.${name}`,
    ...listMembers(member, `${path}.${name}`),
  ]);
}

/** The paths of all members of a goods item, through lists too: `GoodsItem.DutiesAndTaxes.TaxType`. */
export const goodsItemMembers: readonly string[] = listMembers(GoodsItem, 'GoodsItem');

/** Different values, at least one: a list without any would be taken for one that restricts nothing. */
const someOf = { minItems: 1, uniqueItems: true };

/** A view. Every condition that it has must hold; without one, all values are shown. */
export const GoodsItemView = Type.Object(
  {
    chapters: Type.Optional(
      Type.Array(HarmonizedSystemChapter, {
        ...someOf,
        maxItems: 99,
        description: 'Only items of these chapters of the Harmonized System',
        examples: [['22', '24']],
      }),
    ),
    procedures: Type.Optional(
      Type.Array(TwoDigits('A requested procedure'), {
        ...someOf,
        maxItems: 100,
        description: 'Only items with one of these requested procedures',
        examples: [['40', '42']],
      }),
    ),
    directions: Type.Optional(
      Type.Array(Type.Enum(['I', 'O']), {
        ...someOf,
        maxItems: 2,
        description: 'Only imports (`I`) or only exports (`O`)',
      }),
    ),
    members: Type.Optional(
      Type.Array(Type.Enum([...goodsItemMembers]), {
        ...someOf,
        maxItems: goodsItemMembers.length,
        description:
          'Only these members of an item are sent, each with everything within it; of the items of a list those that are named after it, as in `GoodsItem.DutiesAndTaxes.TaxType`. `metadata`, `DeclarationIdentification` and `GoodsItemNumber` are always sent. An object or a list of which nothing is left is not sent',
        examples: [['GoodsItem.CommodityCode', 'GoodsItem.NetMass']],
      }),
    ),
    from: Type.Optional(RealDate('Only items of declarations accepted on this day or later')),
    to: Type.Optional(RealDate('Only items of declarations accepted on this day or earlier')),
  },
  {
    $id: 'GoodsItemView',
    description:
      'What an organisation sees of the goods-item stream. A message is shown if the item that it adds, or removes, fulfils all given conditions. At least one member is required: without a view, everything is shown',
    examples: [{ chapters: ['22'], directions: ['I'], members: ['GoodsItem.CommodityCode'] }],
  },
);
export type GoodsItemView = Static<typeof GoodsItemView>;

/** The rules of a view beyond its schema. */
export function checkGoodsItemView(view: GoodsItemView): ValidationError[] {
  const { from, to } = view;
  if (Object.keys(view).length === 0) {
    const error = 'must have at least one member: without a view, everything is shown';
    return [{ field: '', error, code: 'REQUIRED' }];
  }
  return from !== undefined && to !== undefined && from > to
    ? [{ field: 'to', error: 'must not be before from', code: 'FORMAT' }]
    : [];
}

/** A view as it is stored. */
export const StoredGoodsItemView = Type.Object(
  {
    organisation: OrganisationIdentifier,
    version: Type.Integer({
      minimum: 1,
      description: 'Counts the changes of the view of this organisation, its removal too',
    }),
    view: GoodsItemView,
    changedAt: Type.String({ format: 'date-time' }),
    changedBy: Type.Object(
      { organisation: OrganisationIdentifier, client: Type.String() },
      {
        $id: 'GoodsItemViewAuthor',
        description: 'Who has set the view: the organisation, and its client or person',
      },
    ),
    etag: Type.String({
      description: 'Another one after each change: sent as `If-Match`, only this state is changed',
    }),
  },
  { $id: 'StoredGoodsItemView', description: 'The view of an organisation' },
);
export type StoredGoodsItemView = Static<typeof StoredGoodsItemView>;

/** The query of the list of views. */
export const GoodsItemViewQuery = Type.Object({
  marker: Type.Optional({
    ...OrganisationIdentifier,
    description: 'The organisation of the last view that was read; the page begins after it',
  }),
  limit: pageLimit,
});
export type GoodsItemViewQuery = Static<typeof GoodsItemViewQuery>;
