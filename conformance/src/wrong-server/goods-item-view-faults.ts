// Faults of views of the goods-item stream.
import {
  changeJson,
  type Fault,
  firstCode,
  type Json,
  jsonOf,
  type ProxiedRequest,
  replace,
  respond,
} from './fault.js';

const GOODS_ITEMS = '/api/declaration/feed/v1/goods-items';

const isPut = ({ method, url }: ProxiedRequest) =>
  method === 'PUT' && url.pathname.startsWith('/api/authority/v1/goods-item-views/');
const isTrial = ({ url }: ProxiedRequest) =>
  url.pathname === '/api/authority/v1/goods-item-view-trials';
const isRead = ({ method, url }: ProxiedRequest) =>
  method === 'GET' && url.pathname.startsWith(GOODS_ITEMS);

/** Stores views without a member, and says that it is stored. */
function forgets(member: string): () => ReturnType<Fault['make']> {
  return () => ({
    onRequest: (request) => {
      if (!isPut(request)) return undefined;
      const view: Json = jsonOf(request);
      const { [member]: forgotten, ...rest } = view ?? {};
      if (forgotten !== undefined && Object.keys(rest).length > 0) {
        request.body = JSON.stringify(rest);
        request.headers['x-forgotten'] = JSON.stringify(forgotten);
      }
      return undefined;
    },
    onResponse: (response, request) => {
      const forgotten = request.headers['x-forgotten'];
      if (forgotten === undefined || response.status !== 200) return;
      changeJson(response, (stored) => ({
        ...stored,
        view: { ...stored.view, [member]: JSON.parse(forgotten) },
      }));
    },
  });
}

export const goodsItemViewFaults: readonly Fault[] = [
  {
    name: 'shows an organisation with a view every member',
    caughtBy: ['VIEW-001'],
    make: forgets('members'),
  },
  {
    name: 'shows an organisation with a view messages of other chapters',
    caughtBy: ['VIEW-001'],
    make: forgets('chapters'),
  },
  {
    name: 'does not show removals whose data are not those of the view',
    caughtBy: ['VIEW-002'],
    make: () => ({
      onResponse: (response, request) => {
        if (!isRead(request) || response.status !== 200) return;
        changeJson(response, (messages: Json) =>
          messages.filter(
            ({ metadata, data }: Json) =>
              metadata.eventType !== 'ITEM_REMOVED' || data?.GoodsItem.NetMass !== undefined,
          ),
        );
      },
    }),
  },
  {
    name: 'does not remove views',
    caughtBy: ['VIEW-003'],
    make: () => ({
      onRequest: ({ method, url }) =>
        method === 'DELETE' && url.pathname.startsWith('/api/authority/v1/goods-item-views/')
          ? { status: 204, headers: {}, body: '' }
          : undefined,
    }),
  },
  {
    name: 'accepts a view that grants nothing',
    caughtBy: ['VIEW-004'],
    make: () => ({
      onResponse: (response, request) => {
        if (isPut(request) && firstCode(response) === 'SIZE') replace(response, respond(200, {}));
      },
    }),
  },
  {
    name: 'replaces a view that somebody else may have changed',
    caughtBy: ['VIEW-005'],
    make: () => ({
      onResponse: async (response, request, forward) => {
        if (!isPut(request) || response.status !== 428) return;
        const headers = { ...request.headers, 'if-match': '*' };
        replace(response, await forward({ ...request, headers }));
      },
    }),
  },
  {
    name: 'counts wrongly what a view would show',
    caughtBy: ['VIEW-006'],
    make: () => ({
      onResponse: (response, request) => {
        if (!isTrial(request) || response.status !== 200) return;
        changeJson(response, (trial) => ({ ...trial, shown: trial.shown + 1 }));
      },
    }),
  },
];
