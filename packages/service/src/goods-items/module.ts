// What the stream of goods items adds to a service.
import type { ServiceContext } from '../service-context.js';
import { GoodsItemReader } from './goods-item-reader.js';
import { GoodsItemViews } from './goods-item-views.js';
import { type FindRelayed, type GoodsItems, makeGoodsItems } from './goods-items.js';
import { addGoodsItemsRoutes } from './routes.js';
import { ShownItems } from './shown-items.js';
import { addGoodsItemViewRoutes } from './view-routes.js';

/** @param findRelayed the positions up to which events may be removed */
export async function addGoodsItems(
  { database, config, http, feeds, audit }: ServiceContext,
  findRelayed: FindRelayed,
): Promise<GoodsItems & { reader: GoodsItemReader }> {
  const currentViews = new GoodsItemViews(database);
  const reader = new GoodsItemReader(database, currentViews);
  const goodsItems = makeGoodsItems(database, feeds.watch, {
    findRelayed,
    days: config.goodsItemRetention,
    clock: http.clock,
  });
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
