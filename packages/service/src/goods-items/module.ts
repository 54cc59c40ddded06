// What the stream of goods items adds to a service.
import type { ServiceContext } from '../service-context.js';
import { GoodsItemReader } from './goods-item-reader.js';
import { GoodsItemViews } from './goods-item-views.js';
import { type GoodsItems, makeGoodsItems } from './goods-items.js';
import { addGoodsItemsRoutes } from './routes.js';
import { ShownItems } from './shown-items.js';
import { addGoodsItemViewRoutes } from './view-routes.js';

/** @param findRelayed the position up to which events may be removed */
export async function addGoodsItems(
  { database, http, feeds, audit }: ServiceContext,
  findRelayed: () => Promise<number>,
): Promise<GoodsItems & { reader: GoodsItemReader }> {
  const currentViews = new GoodsItemViews(database);
  const reader = new GoodsItemReader(database, currentViews);
  const goodsItems = makeGoodsItems(database, feeds.watch, { findRelayed, clock: http.clock });
  await addGoodsItemsRoutes(http, {
    ...feeds,
    database,
    publishBlock: goodsItems.publishBlock,
    currentViews,
    reader,
    shownItems: new ShownItems(database, reader),
  });
  addGoodsItemViewRoutes(http, { database, audit, currentViews });
  return { ...goodsItems, reader };
}
