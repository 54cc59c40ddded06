// Goods-item messages as a table.
import type { ShownGoodsItem, ShownGoodsItemMessage } from '@landfall/contract';
import { readableTime } from '../../output/output.js';
import type { Column } from '../../output/table.js';

/** The columns, with widths for rows that are printed one by one. */
export const goodsItemColumns: readonly Column<ShownGoodsItemMessage>[] = [
  { heading: 'created', value: ({ metadata }) => readableTime(metadata.created), width: 20 },
  {
    heading: 'event',
    value: ({ metadata }) => metadata.eventType,
    colour:
      ({ metadata }, colours) =>
      (text) =>
        metadata.eventType === 'ITEM_REMOVED' ? colours.red(text) : colours.green(text),
    width: 21,
  },
  { heading: 'declaration', value: ofItem((item) => item.DeclarationIdentification), width: 28 },
  { heading: 'item', value: ofItem((item) => item.GoodsItemNumber), width: 4 },
  {
    heading: 'goods',
    value: ofItem((item) => item.CommodityCode?.HarmonizedSystemSubheadingCode),
    width: 6,
  },
  { heading: 'origin', value: ofItem((item) => item.CountryOfOrigin), width: 6 },
  { heading: 'value, NOK', value: ofItem((item) => item.StatisticalValue), width: 12 },
  { heading: 'eventId', value: ({ metadata }) => metadata.eventId, width: 36 },
];

/** A removal without data refers to the event that added the item. A view of the reader may leave members out. */
function ofItem(
  value: (item: ShownGoodsItem) => string | number | undefined,
): (message: ShownGoodsItemMessage) => string {
  return ({ data }) => String((data && value(data.GoodsItem)) ?? '-');
}
