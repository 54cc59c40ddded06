// HTTP of the views of the goods-item stream.
import { GoodsItemView, operations, type StoredGoodsItemView } from '@landfall/contract';
import type { FastifyReply } from 'fastify';
import { actorOf } from '../http/caller.js';
import { CompressibleText } from '../http/compressible-text.js';
import { addOperation, compileBodyCheck, type RouteContext } from '../http/operation.js';
import { setPageHeaders } from '../http/page-headers.js';
import { readEtagPrecondition } from '../http/precondition.js';
import { HttpError } from '../http/problem.js';
import { deleteGoodsItemView } from './delete-goods-item-view.js';
import { getGoodsItemView } from './get-goods-item-view.js';
import { listGoodsItemViews } from './list-goods-item-views.js';
import { putGoodsItemView } from './put-goods-item-view.js';
import type { ViewsContext } from './stored-view.js';
import { tryGoodsItemView } from './try-goods-item-view.js';

export function addGoodsItemViewRoutes(http: RouteContext, context: ViewsContext): void {
  const { database } = context;
  // A misspelt condition that is ignored would show too much.
  const readView = compileBodyCheck<GoodsItemView>(GoodsItemView);

  addOperation(http, operations.listGoodsItemViews, async ({ query, request, reply }) => {
    const { page, next } = await listGoodsItemViews(database, query);
    setPageHeaders(http.baseUrl, request, reply, { count: page.length, next });
    return page;
  });

  addOperation(http, operations.getGoodsItemView, async ({ params: { organisation }, reply }) => {
    const view = await getGoodsItemView(database, organisation);
    if (view === undefined) throw new HttpError(404, `${organisation} has no view`);
    return sendView(reply, view);
  });

  addOperation(http, operations.putGoodsItemView, async (call) => {
    const { params, body, caller, request, reply } = call;
    const view = readView(body);
    const precondition = readEtagPrecondition(request.headers);
    const act = { at: http.clock(), actor: actorOf(caller), requestId: request.id };
    const put = await putGoodsItemView(context, params.organisation, view, act, precondition);
    if (put === undefined) {
      throw new HttpError(404, `There is no organisation ${params.organisation}`);
    }
    return sendView(reply, put);
  });

  addOperation(http, operations.deleteGoodsItemView, async (call) => {
    const { params, caller, request, reply } = call;
    const precondition = readEtagPrecondition({ 'if-match': request.headers['if-match'] });
    const act = { at: http.clock(), actor: actorOf(caller), requestId: request.id };
    await deleteGoodsItemView(context, params.organisation, act, precondition);
    return reply.code(204).send();
  });

  addOperation(http, operations.tryGoodsItemView, async ({ body, request, reply }) => {
    const trial = await tryGoodsItemView(database, readView(body));
    return new CompressibleText(trial).send(request, reply.type('application/json'));
  });
}

function sendView(reply: FastifyReply, view: StoredGoodsItemView): StoredGoodsItemView {
  reply.header('ETag', view.etag);
  return view;
}
