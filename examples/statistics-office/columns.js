// What the copy keeps of a goods item.

/** The columns of `goods_item`, in the order of `rowOf`. */
export const columns = [
  'declaration',
  'item_number',
  'event_id',
  'direction',
  'commodity',
  'country_of_origin',
  'statistical_value',
  'net_mass',
];

/**
 * @param {import('@landfall/client').GoodsItem} item
 * @param {import('@landfall/client').GoodsItemMessage} message
 */
export function rowOf(item, { metadata }) {
  const { HarmonizedSystemSubheadingCode: heading, CombinedNomenclatureCode: nomenclature } =
    item.CommodityCode;
  return [
    item.DeclarationIdentification,
    item.GoodsItemNumber,
    metadata.eventId,
    item.Declaration.DeclarationDirection,
    heading + nomenclature,
    item.CountryOfOrigin ?? null,
    item.StatisticalValue ?? null,
    item.NetMass ?? null,
  ];
}
