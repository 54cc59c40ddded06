// Records of goods, each with those that are of the same goods.

/** Puts the records of the same goods together, in their order. */
export function groupByGoods<One extends { goods: string | null }>(
  records: readonly One[],
): readonly (readonly One[])[] {
  const groups = new Map<string | null, One[]>();
  for (const record of records) {
    const group = groups.get(record.goods);
    if (group === undefined) groups.set(record.goods, [record]);
    else group.push(record);
  }
  return [...groups.values()];
}
