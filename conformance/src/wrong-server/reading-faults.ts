// Faults of reading, generated: every way of reading every feed, with everything that can go wrong in it.
import { keysOf, operations } from '@landfall/contract';
import { feedsOfCases } from '../data/read-feeds.js';
import { readWays } from '../data/read-ways.js';
import { idOfReading } from '../requirements/ways-of-reading.js';
import { markerOf } from '../suite/markers.js';
import type { Behaviour, Fault, Json, ProxiedRequest, ProxiedResponse } from './fault.js';

type FeedName = keyof typeof feedsOfCases;
type WayName = keyof typeof readWays;

/** Which way of reading a request is. */
function wayOf({ headers }: ProxiedRequest): WayName {
  if (headers.accept === 'application/x-ndjson') return 'lines';
  if (headers.accept === 'text/event-stream') return 'events';
  return headers.prefer === undefined ? 'pages' : 'wait';
}

/** Changes the entries of each response, one after the other; an event is a response with one entry. */
type ChangeEntries = (entries: Json[], context: EntriesContext) => Json[];

type EntriesContext = {
  request: ProxiedRequest;
  /** How many responses were changed before. */
  before: number;
  /** The entries that other callers have read, and this one has not. */
  ofOthers: readonly Json[];
};

/** What goes wrong, as the end of a sentence. */
type ReadingFault = {
  ways?: readonly WayName[];
  feeds?: readonly FeedName[];
  entries?: () => ChangeEntries;
  request?: (request: ProxiedRequest) => void | Promise<void>;
  headers?: (headers: Record<string, string>) => void;
  /** After so many milliseconds a stream sends nothing any more. */
  silentAfterMs?: number;
};

const ignores = (...names: string[]) => ({
  request: ({ url, headers }: ProxiedRequest) => {
    for (const name of names) {
      url.searchParams.delete(name);
      delete headers[name];
    }
  },
});

const readingFaults: Record<string, ReadingFault> = {
  'leaves out the last entry of a page of five or more': {
    ways: ['pages', 'wait', 'lines'],
    entries: () => (entries) => (entries.length >= 5 ? entries.slice(0, -1) : entries),
  },
  'leaves out every third entry': {
    entries: () => {
      let number = 0;
      return (entries) => entries.filter(() => ++number % 3 !== 0);
    },
  },
  'leaves out the first entry of every later response': {
    entries:
      () =>
      (entries, { before }) =>
        before === 0 ? entries : entries.slice(1),
  },
  'repeats an entry': {
    entries: () => {
      let last: Json;
      return (entries) => {
        const repeated = last === undefined ? entries : [last, ...entries];
        last = entries.at(-1);
        return entries.length === 0 ? entries : repeated;
      };
    },
  },
  'gives entries in another order': {
    ways: ['events'],
    entries: () => {
      let held: Json[] = [];
      // Each changes its place with the next one.
      return (entries) => {
        const given = held.length === 0 ? [] : [...entries, ...held];
        held = held.length === 0 ? entries : [];
        return given;
      };
    },
  },
  'gives the entries of a page in another order': {
    ways: ['pages', 'wait', 'lines'],
    // Its last entry stays, so that the next page follows.
    entries: () => (entries) => [...entries.slice(0, -1).reverse(), ...entries.slice(-1)],
  },
  'gives entries of somebody else': {
    feeds: keysOf(feedsOfCases).filter((feed) => feedsOfCases[feed].addForeign !== undefined),
    entries:
      () =>
      (entries, { ofOthers }) => [...ofOthers.slice(-1), ...entries],
  },
  'ignores the marker': { ...ignores('marker', 'last-event-id') },
  'ignores limit': { ways: ['pages', 'lines'], ...ignores('limit') },
  'ignores Prefer': { ways: ['wait'], ...ignores('prefer') },
  'responds at the end of the wait alone': {
    ways: ['wait'],
    request: async ({ headers }) => {
      const seconds = Number(headers.prefer?.replace('wait=', '') ?? 0);
      delete headers.prefer;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    },
  },
  'is silent after a second': { ways: ['events'], silentAfterMs: 1000 },
  'leaves out failures': {
    feeds: ['statuses', 'movements'],
    entries: () => (entries) => entries.filter(({ status }) => status !== 'FAILURE'),
  },
  'may be kept by caches': {
    headers: (headers) => {
      headers['cache-control'] = 'public, max-age=60';
    },
  },
};

function makeBehaviour(feedName: FeedName, way: WayName, fault: ReadingFault): Behaviour {
  const { operationId, keyOf } = feedsOfCases[feedName];
  const { path } = operations[operationId];
  const change = fault.entries?.();
  const opened = new Map<ProxiedRequest, number>();
  const read = new Map<string, Map<string, Json>>();
  let before = 0;
  const isOfFeed = ({ method, url }: ProxiedRequest) => method === 'GET' && url.pathname === path;
  const isOfWay = (request: ProxiedRequest) => isOfFeed(request) && wayOf(request) === way;
  /** Notes what each caller reads; what somebody reads is given to others. */
  const note = (entries: readonly Json[], { headers }: ProxiedRequest) => {
    const caller = headers.authorization ?? '';
    const own = read.get(caller) ?? new Map();
    read.set(caller, own);
    for (const entry of entries) own.set(keyOf(entry), entry);
  };
  const ofOthers = ({ headers }: ProxiedRequest) => {
    const own = read.get(headers.authorization ?? '') ?? new Map();
    return [...read].flatMap(([caller, entries]) =>
      caller === headers.authorization
        ? []
        : [...entries].filter(([key]) => !own.has(key)).map(([, entry]) => entry),
    );
  };
  const changed = (entries: Json[], request: ProxiedRequest) => {
    note(entries, request);
    if (change === undefined || !isOfWay(request)) return entries;
    const context = { request, before, ofOthers: ofOthers(request) };
    before++;
    return change(entries, context);
  };
  return {
    onRequest: async (request) => {
      if (isOfWay(request)) await fault.request?.(request);
      return undefined;
    },
    onResponse: (response, request) => {
      if (!isOfFeed(request) || response.status !== 200) return;
      if (isOfWay(request)) fault.headers?.(response.headers);
      changeBody(response, (entries) => changed(entries, request));
    },
    onEvents: (headers, request) => {
      opened.set(request, performance.now());
      if (isOfWay(request)) fault.headers?.(headers);
    },
    onEvent: (event, request) => {
      if (!isOfWay(request)) return event;
      const age = performance.now() - (opened.get(request) ?? 0);
      if (fault.silentAfterMs !== undefined && age > fault.silentAfterMs) return '';
      const data = /^data: ?(.*)$/m.exec(event)?.[1];
      if (change === undefined || data === undefined) return event;
      return changed([JSON.parse(data)], request)
        .map((entry) => `id: ${markerOf(operationId, entry)}\ndata: ${JSON.stringify(entry)}`)
        .join('\n\n');
    },
  };
}

/** Changes the entries of a page, in JSON or as lines. */
function changeBody(response: ProxiedResponse, change: (entries: Json[]) => Json[]): void {
  const isLines = response.headers['content-type']?.startsWith('application/x-ndjson') === true;
  if (!isLines) {
    response.body = JSON.stringify(change(JSON.parse(response.body)));
    return;
  }
  const entries = response.body
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  response.body = change(entries)
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join('');
}

/** Every feed, every way of reading it, and everything that can go wrong in it. */
export const generatedReadingFaults: readonly Fault[] = keysOf(feedsOfCases).flatMap((feed) =>
  keysOf(readWays).flatMap((way) =>
    Object.entries(readingFaults).flatMap(([name, fault]): Fault[] => {
      if (fault.feeds?.includes(feed) === false || fault.ways?.includes(way) === false) return [];
      return [
        {
          name: `${name}, for ${feedsOfCases[feed].name} that are read ${readWays[way].name}`,
          caughtBy: [idOfReading(feed, way)],
          make: () => makeBehaviour(feed, way, fault),
        },
      ];
    }),
  ),
);
