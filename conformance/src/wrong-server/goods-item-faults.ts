// Faults of the goods-item stream.
import {
  type Behaviour,
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

const NATIONAL = '/api/declaration/declaration-item-feed/v1/';

const isPublication = ({ method, url }: ProxiedRequest) =>
  method === 'POST' && url.pathname === GOODS_ITEMS;
const isRead = ({ method, url }: ProxiedRequest) =>
  method === 'GET' && url.pathname === GOODS_ITEMS;
const isCurrent = ({ url }: ProxiedRequest) => url.pathname === `${GOODS_ITEMS}/current`;
const listOf = (body: Json): Json[] => (Array.isArray(body) ? body : [body]);

/** Changes the queries of reads at the national address. */
function changesNationalQueries(change: (query: URLSearchParams) => void): () => Behaviour {
  return () => ({
    onRequest: ({ url }) => {
      if (url.pathname === NATIONAL) change(url.searchParams);
      return undefined;
    },
  });
}

/** Accepts what the service refuses with one of these codes. */
function acceptsDespite(...codes: string[]): () => Behaviour {
  return () => ({
    onResponse: (response, request) => {
      if (!isPublication(request) || !codes.includes(firstCode(response) ?? '')) return;
      replace(response, respond(202, { accepted: 1, duplicates: 0 }));
    },
  });
}

/** Changes the messages of a page of the stream. */
function changesPages(
  change: (messages: Json[], request: ProxiedRequest) => Json[],
): () => Behaviour {
  return () => ({
    onResponse: (response, request) => {
      if (isRead(request) && response.status === 200)
        changeJson(response, (body) => change(body, request));
    },
  });
}

export const goodsItemFaults: readonly Fault[] = [
  {
    name: 'counts published messages wrongly',
    caughtBy: ['GOOD-001'],
    make: () => ({
      onResponse: (response) => {
        response.body = response.body.replace('"accepted":2', '"accepted":1');
      },
    }),
  },
  {
    name: 'accepts another message with the same eventId',
    caughtBy: ['GOOD-002'],
    make: acceptsDespite('EVENT_ID_REUSED'),
  },
  {
    name: 'counts a duplicate as a new message',
    caughtBy: ['GOOD-002'],
    make: () => ({
      onResponse: (response, request) => {
        if (!isPublication(request) || response.status !== 202) return;
        changeJson(response, ({ accepted, duplicates }) => ({
          accepted: accepted + duplicates,
          duplicates: 0,
        }));
      },
    }),
  },
  {
    name: 'stores the valid messages of a refused request',
    caughtBy: ['GOOD-003'],
    make: () => ({
      onResponse: async (response, request, forward) => {
        if (!isPublication(request) || response.status !== 400) return;
        const bad = new Set(jsonOf(response)?.validationErrors?.map(({ index }: Json) => index));
        const good = listOf(jsonOf(request)).filter((_, index) => !bad.has(index));
        if (good.length > 0) await forward({ ...request, body: JSON.stringify(good) });
      },
    }),
  },
  {
    name: 'does not say which message is invalid',
    caughtBy: ['GOOD-003'],
    make: () => ({
      onResponse: (response) => {
        response.body = response.body.replaceAll(/"index":\d+,/g, '');
      },
    }),
  },
  {
    name: 'ignores members that the message does not have',
    caughtBy: ['GOOD-004'],
    make: acceptsDespite('UNKNOWN_MEMBER'),
  },
  {
    name: 'accepts eventIds in capital letters',
    caughtBy: ['GOOD-005'],
    make: () => ({
      onRequest: (request) => {
        request.body = request.body.replace(
          /("eventId":")([^"]*)/,
          (_, name, id) => `${name}${id.toLowerCase()}`,
        );
        return undefined;
      },
    }),
  },
  { name: 'does not check formats', caughtBy: ['GOOD-006'], make: acceptsDespite('FORMAT') },
  {
    name: 'takes the last of two members with the same name in a message',
    caughtBy: ['GOOD-009'],
    make: () => ({
      onRequest: (request) => {
        const message = jsonOf(request);
        if (isPublication(request) && message !== undefined) request.body = JSON.stringify(message);
        return undefined;
      },
    }),
  },
  {
    name: 'accepts a removal that contradicts the addition',
    caughtBy: ['GOOD-010'],
    make: () => ({
      onResponse: (response, request) => {
        if (
          isPublication(request) &&
          /^4/.test(`${response.status}`) &&
          request.body.includes('relatedEventId')
        ) {
          replace(response, respond(202, { accepted: 1, duplicates: 0 }));
        }
      },
    }),
  },
  { name: 'does not check lengths', caughtBy: ['GOOD-006'], make: acceptsDespite('SIZE') },
  {
    name: 'accepts additions without data',
    caughtBy: ['GOOD-007'],
    make: acceptsDespite('REQUIRED'),
  },
  {
    name: 'formats messages anew',
    caughtBy: ['GOOD-008'],
    make: () => ({
      onRequest: (request) => {
        const message = jsonOf(request);
        if (isPublication(request) && message !== undefined) request.body = JSON.stringify(message);
        return undefined;
      },
    }),
  },
  {
    name: 'repeats a message at the start of the next page',
    caughtBy: ['GOOD-020'],
    make: () => {
      const seen = new Map<string, Json>();
      return changesPages((messages, { url }) => {
        for (const message of messages) seen.set(message.metadata.eventId, message);
        const before = seen.get(url.searchParams.get('marker') ?? '');
        return before === undefined || messages.length === 0 ? messages : [before, ...messages];
      })();
    },
  },
  {
    name: 'skips a message after a marker',
    caughtBy: ['GOOD-020'],
    make: changesPages((messages) => (messages.length > 1 ? messages.slice(1) : messages)),
  },
  {
    name: 'changes a number of a message',
    caughtBy: ['GOOD-021'],
    make: () => ({
      onResponse: (response, request) => {
        if (isRead(request)) response.body = response.body.replaceAll('1250.5', '1250.50001');
      },
    }),
  },
  {
    name: 'starts again from the beginning for an unknown marker',
    caughtBy: ['GOOD-022'],
    make: () => ({
      onResponse: (response) => {
        if (firstCode(response) === 'UNKNOWN_MARKER') replace(response, respond(200, []));
      },
    }),
  },
  {
    name: 'reads over the gap after an expired marker',
    caughtBy: ['GOOD-023'],
    make: () => ({
      onResponse: (response) => {
        if (firstCode(response) === 'MARKER_EXPIRED') replace(response, respond(200, []));
      },
    }),
  },
  {
    name: 'keeps removed items among the current ones',
    caughtBy: ['GOOD-024'],
    make: () => {
      const added = new Map<string, Json>();
      return {
        onRequest: (request) => {
          if (!isPublication(request)) return undefined;
          for (const message of listOf(jsonOf(request))) {
            const item = message?.data?.GoodsItem;
            if (item === undefined || message.metadata.eventType === 'ITEM_REMOVED') continue;
            added.set(`${item.DeclarationIdentification} ${item.GoodsItemNumber}`, message);
          }
          return undefined;
        },
        onResponse: (response, request) => {
          const declaration = request.url.searchParams.get('declaration');
          if (!isCurrent(request) || declaration === null) return;
          const kept = [...added].filter(([key]) => key.startsWith(`${declaration} `));
          changeJson(response, () => kept.map(([, message]) => message));
        },
      };
    },
  },
  {
    name: 'sends no Landfall-Marker',
    caughtBy: ['GOOD-025'],
    make: () => ({
      onResponse: (response) => {
        delete response.headers['landfall-marker'];
      },
    }),
  },
  {
    name: 'sends the marker of the current end of the stream with each page',
    caughtBy: ['GOOD-025'],
    make: () => ({
      onResponse: async (response, request, forward) => {
        if (!isCurrent(request)) return;
        const url = new URL(request.url);
        url.search = '?limit=1';
        const { headers } = await forward({ ...request, url });
        response.headers['landfall-marker'] = headers['landfall-marker'] ?? '';
      },
    }),
  },
  {
    name: 'accepts a page that it did not issue',
    caughtBy: ['GOOD-026'],
    make: () => ({
      onResponse: (response, { url }) => {
        if (url.searchParams.get('page') === 'nothing') replace(response, respond(200, []));
      },
    }),
  },
  {
    name: 'leaves out every second event of a stream',
    caughtBy: ['GOOD-027'],
    make: () => {
      let number = 0;
      return { onEvent: (event) => (number++ % 2 === 0 ? event : '') };
    },
  },
  {
    name: 'has no limit of a page at the national address',
    caughtBy: ['DECL-001'],
    make: changesNationalQueries((query) => query.delete('max')),
  },
  {
    name: 'passes over messages again on the next page at the national address',
    caughtBy: ['DECL-001'],
    make: () => ({
      onResponse: (response, { url }) => {
        const link = response.headers.link;
        if (url.pathname !== NATIONAL || link === undefined) return;
        response.headers.link = link.replace('>', '&skip=1>');
      },
    }),
  },
  {
    name: 'passes over no messages at the national address',
    caughtBy: ['DECL-002'],
    make: changesNationalQueries((query) => query.delete('skip')),
  },
  {
    name: 'begins with the oldest message at the national address, whatever the time',
    caughtBy: ['DECL-003'],
    make: changesNationalQueries((query) => query.delete('timestamp')),
  },
  {
    name: 'begins with the oldest message at the national address if it does not know the last one',
    caughtBy: ['DECL-004'],
    make: changesNationalQueries((query) => query.delete('last')),
  },
];
