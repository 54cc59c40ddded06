// Faults of reading routing signals: markers, pages, waiting, lines and events.
import {
  type Behaviour,
  type Fault,
  firstCode,
  type Json,
  type ProxiedRequest,
  type ProxiedResponse,
  replace,
  respond,
} from './fault.js';
import { changesPages, idOf, isRead } from './routing-reads.js';

/** Removes a header of requests for signals. */
function ignoresHeader(name: string): () => Behaviour {
  return () => ({
    onRequest: (request) => {
      if (isRead(request)) delete request.headers[name];
      return undefined;
    },
  });
}

/** Changes responses that refuse a read. */
function onRefused(
  change: (response: ProxiedResponse, request: ProxiedRequest) => void,
): () => Behaviour {
  return () => ({
    onResponse: (response, request) => {
      if (isRead(request) && response.status === 400) change(response, request);
    },
  });
}

export const routingFeedFaults: readonly Fault[] = [
  {
    name: 'repeats the entry of the marker at the start of the next page',
    caughtBy: ['ROUT-010'],
    make: () => {
      const seen = new Map<string, Json>();
      return changesPages((signals, { url }) => {
        for (const signal of signals) seen.set(idOf(signal), signal);
        const before = seen.get(url.searchParams.get('marker') ?? '');
        return before === undefined || signals.length === 0 ? signals : [before, ...signals];
      })();
    },
  },
  {
    name: 'skips the first entry after a marker',
    caughtBy: ['ROUT-010'],
    make: changesPages((signals, { url }) =>
      url.searchParams.has('marker') && signals.length > 1 ? signals.slice(1) : signals,
    ),
  },
  {
    name: 'has another order in short pages',
    caughtBy: ['ROUT-010'],
    make: changesPages((signals, { url }) => {
      const [first, second, ...rest] = signals;
      return url.searchParams.get('limit') === '4' && rest.length > 0
        ? [second, first, ...rest]
        : signals;
    }),
  },
  {
    name: 'loses one of some signals while many are issued',
    caughtBy: ['ROUT-011'],
    make: changesPages((signals) =>
      signals.filter(
        (signal) => Number.parseInt(idOf(signal).slice(0, 13).replace('-', ''), 16) % 13 !== 0,
      ),
    ),
  },
  {
    name: 'sends no Link',
    caughtBy: ['ROUT-012'],
    make: () => ({
      onResponse: (response) => {
        delete response.headers.link;
      },
    }),
  },
  {
    name: 'sends a Link on the last page too',
    caughtBy: ['ROUT-012'],
    make: () => ({
      onResponse: (response, request) => {
        if (isRead(request)) response.headers.link ??= `<${request.url.href}>; rel="next"`;
      },
    }),
  },
  {
    name: 'ignores limit',
    caughtBy: ['ROUT-012'],
    make: () => ({
      onRequest: (request) => {
        if (isRead(request)) request.url.searchParams.delete('limit');
        return undefined;
      },
    }),
  },
  {
    name: 'accepts any limit',
    caughtBy: ['ROUT-013'],
    make: onRefused((response, { url }) => {
      if (url.searchParams.has('limit')) replace(response, respond(200, []));
    }),
  },
  {
    name: 'reads from the beginning for an unknown marker',
    caughtBy: ['ROUT-014'],
    make: onRefused((response) => {
      if (firstCode(response) === 'UNKNOWN_MARKER') replace(response, respond(200, []));
    }),
  },
  {
    name: 'responds to a waiting read at the end of the wait',
    caughtBy: ['ROUT-015'],
    make: () => ({
      onRequest: async ({ headers }) => {
        const seconds = Number(headers.prefer?.replace('wait=', '') ?? 0);
        delete headers.prefer;
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
        return undefined;
      },
    }),
  },
  { name: 'ignores Prefer', caughtBy: ['ROUT-016'], make: ignoresHeader('prefer') },
  { name: 'has no lines', caughtBy: ['ROUT-017'], make: ignoresHeader('accept') },
  {
    name: 'leaves the last line without a line break',
    caughtBy: ['ROUT-017'],
    make: () => ({
      onResponse: (response, { headers }) => {
        if (headers.accept === 'application/x-ndjson') response.body = response.body.trimEnd();
      },
    }),
  },
  {
    name: 'sends events without ids',
    caughtBy: ['ROUT-018'],
    make: () => ({ onEvent: (event) => event.replace(/^id:.*\n?/m, '') }),
  },
  {
    name: 'sends an event twice',
    caughtBy: ['ROUT-018'],
    make: () => ({ onEvent: (event) => `${event}\n\n${event}` }),
  },
  {
    name: 'ignores Last-Event-ID',
    caughtBy: ['ROUT-019'],
    make: ignoresHeader('last-event-id'),
  },
  {
    name: 'gives a signal to the first of two readers alone',
    caughtBy: ['ROUT-020'],
    make: () => {
      const read = new Set<string>();
      return changesPages((signals) => {
        const unread = signals.filter((signal) => !read.has(idOf(signal)));
        for (const signal of signals) read.add(idOf(signal));
        return unread;
      })();
    },
  },
];
