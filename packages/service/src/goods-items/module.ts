// What the stream of goods items adds to a service.
import type { ServiceContext } from '../service-context.js';
import { type GoodsItems, makeGoodsItems } from './goods-items.js';
import { addGoodsItemsRoutes } from './routes.js';

/** @param findRelayed the position up to which events may be removed */
export async function addGoodsItems(
  { database, http, feeds }: ServiceContext,
  findRelayed: () => Promise<number>,
): Promise<GoodsItems> {
  const goodsItems = makeGoodsItems(database, feeds.watch, { findRelayed, clock: http.clock });
  await addGoodsItemsRoutes(http, {
    ...feeds,
    database,
    publishBlock: goodsItems.publishBlock,
  });
  return goodsItems;
}
