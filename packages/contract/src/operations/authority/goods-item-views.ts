// Views of the goods-item stream: setting, reading, removing and trying them.
import { Type } from 'typebox';
import { GoodsItemView, GoodsItemViewQuery, StoredGoodsItemView } from '../../goods-items/view.js';
import { GoodsItemViewTrial, TRIED_MESSAGES } from '../../goods-items/view-trial.js';
import { OrganisationIdentifier } from '../../organisation.js';
import { pageHeaders } from '../feed.js';
import type { Operation } from '../operation.js';

const viewsPath = '/api/authority/v1/goods-item-views';
const etagHeader = { ETag: 'The member `etag`' };

export const goodsItemViewOperations = {
  listGoodsItemViews: {
    operationId: 'listGoodsItemViews',
    method: 'GET',
    path: viewsPath,
    tag: 'Authority',
    summary: 'List the views of the goods-item stream',
    description:
      'The organisations that have a view, sorted by the characters of their ids (Unicode numbers). All others that may read the stream see everything.',
    access: ['authority/registry'],
    query: GoodsItemViewQuery,
    responses: {
      200: {
        description: 'Views',
        content: { 'application/json': Type.Array(StoredGoodsItemView) },
        headers: pageHeaders,
      },
    },
  },

  getGoodsItemView: {
    operationId: 'getGoodsItemView',
    method: 'GET',
    path: `${viewsPath}/{organisation}`,
    tag: 'Authority',
    summary: 'Read the view of an organisation',
    description: 'What the organisation sees of the goods-item stream; 404 if it has no view.',
    access: ['authority/registry'],
    parameters: { organisation: OrganisationIdentifier },
    responses: {
      200: {
        description: 'The view',
        content: { 'application/json': StoredGoodsItemView },
        headers: etagHeader,
      },
    },
    problems: [404],
  },

  putGoodsItemView: {
    operationId: 'putGoodsItemView',
    method: 'PUT',
    path: `${viewsPath}/{organisation}`,
    tag: 'Authority',
    summary: 'Set the view of an organisation',
    description:
      'Replaces the whole view; the same again changes nothing. Every server applies it within seconds, also to open streams. What was read stays read, and the markers stay the same. Unknown members are errors. A view that exists is replaced only as it was read: with `If-Match` (428 without, 412 if somebody else has changed it since). With `If-None-Match`, a view is set and none replaced. A request whose view is stored already is not refused.',
    access: ['authority/registry'],
    parameters: { organisation: OrganisationIdentifier },
    headers: {
      'If-Match':
        'The `etag` of the view as it was read, or `*` for any existing one (RFC 9110, section 13.1.1)',
      'If-None-Match':
        'Only `*`: there must be no view yet (RFC 9110, section 13.1.2). Not together with `If-Match`',
    },
    body: { 'application/json': GoodsItemView },
    responses: {
      200: {
        description: 'The view after the change',
        content: { 'application/json': StoredGoodsItemView },
        headers: etagHeader,
      },
    },
    problems: [404, 412, 428],
  },

  deleteGoodsItemView: {
    operationId: 'deleteGoodsItemView',
    method: 'DELETE',
    path: `${viewsPath}/{organisation}`,
    tag: 'Authority',
    summary: 'Remove the view of an organisation',
    description:
      'From then on the organisation sees everything, if it may read the stream. Without a view, nothing is changed.',
    access: ['authority/registry'],
    parameters: { organisation: OrganisationIdentifier },
    headers: {
      'If-Match': 'The `etag` of the view as it was read (RFC 9110, section 13.1.1)',
    },
    responses: { 204: { description: 'There is no view' } },
    problems: [412],
  },

  tryGoodsItemView: {
    operationId: 'tryGoodsItemView',
    method: 'POST',
    path: '/api/authority/v1/goods-item-view-trials',
    tag: 'Authority',
    summary: 'Try a view on the last goods-item messages',
    description: `Says which of the last ${TRIED_MESSAGES} messages a view shows, and what it shows of them; fewer if they are larger than 4 MB together. It stores nothing.`,
    access: ['authority/registry'],
    idempotent: true,
    body: { 'application/json': GoodsItemView },
    responses: {
      200: {
        description: 'What the view shows',
        content: { 'application/json': GoodsItemViewTrial },
      },
    },
  },
} as const satisfies Record<string, Operation>;
