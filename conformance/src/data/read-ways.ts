// The ways of reading a feed: each reads the entries after a marker, as a client that uses this way does.
import type { Caller, OperationId } from '../http/caller.js';
import type { HttpResponse } from '../http/exchange.js';
import { expect, expectEqual, expectMediaType, expectStatus } from '../suite/expect.js';
import { markerOf } from '../suite/markers.js';
import { type Entry, nextPage, readEntries } from './read-feed.js';

/** How long entries may take to reach a reader, in milliseconds. */
const DELIVERY_MS = 6000;

/** How long a reader waits for entries that come later, in seconds. */
const WAIT_S = 12;

/** After how long without any entry further ones come, in milliseconds. */
const IDLE_MS = 1500;

/** A feed as one reader reads it. */
export type ReadFeed = {
  operationId: OperationId;
  caller: Caller;
  /** Address of the service. */
  baseUrl: string;
  /** The marker after which it is read. */
  marker: string | undefined;
};

/** What is read: until so many entries hold, at most so many at once; further ones are added in the meantime. */
export type Reading = {
  limit: number;
  /** Whether everything was read. */
  isComplete: (entries: readonly Entry[]) => boolean;
  /** Adds the last ones; called when everything else was read. */
  addMore: () => Promise<void>;
  /** Whether everything before `addMore` was read. */
  isBefore: (entries: readonly Entry[]) => boolean;
};

/** One way of reading. */
export type ReadWay = {
  /** The end of a sentence, such as "in pages". */
  name: string;
  /** Values of `limit`, of so many entries: around the edge of a page. */
  limits: (entries: number) => readonly number[];
  read: (feed: ReadFeed, reading: Reading) => Promise<Entry[]>;
};

/** No cache between the service and its readers may keep what one of them has read. */
function checkCaching(headers: Headers): void {
  const value = headers.get('cache-control') ?? '';
  expect(/\b(no-store|private)\b/.test(value), `Cache-Control of a feed is "${value}"`);
}

/**
 * Reads responses with at most `limit` entries, each after the last entry of the one before, until everything was read or one
 * is empty: what was acknowledged is there.
 */
async function readResponses(
  { operationId, caller, marker, baseUrl }: ReadFeed,
  { limit, isComplete, addMore, isBefore }: Reading,
  headers: Record<string, string>,
  entriesOf: (response: HttpResponse) => Entry[],
): Promise<Entry[]> {
  const all: Entry[] = [];
  let after = marker;
  let isAdded = false;
  while (!isComplete(all)) {
    if (!isAdded && isBefore(all)) {
      isAdded = true;
      await addMore();
    }
    const query = { marker: after, limit };
    const startedAt = performance.now();
    const response = await caller.call(operationId, { query, headers });
    const entries = entriesOf(response);
    checkCaching(response.headers);
    expect(entries.length <= limit, `${entries.length} entries with limit=${limit}`);
    expectEqual(response.headers.get('landfall-count'), `${entries.length}`, 'Landfall-Count');
    all.push(...entries);
    const last = entries.at(-1);
    if (last === undefined) return all;
    const elapsedMs = Math.round(performance.now() - startedAt);
    expect(elapsedMs < DELIVERY_MS, `the entries came after ${elapsedMs} ms`);
    const next = markerOf(operationId, last);
    const linked = nextPage(response, baseUrl)?.searchParams.get('marker') ?? next;
    expectEqual(linked, next, 'the marker in Link');
    expect(next !== after, `the response after ${after} ends with that entry again`);
    after = next;
  }
  return all;
}

function readLines(response: HttpResponse): Entry[] {
  expectStatus(response, 200);
  expectMediaType(response, 'application/x-ndjson');
  const lines = response.text.split('\n');
  expectEqual(lines.pop(), '', 'the text after the last line break');
  return lines.map((line) => JSON.parse(line));
}

const aroundAPage = (entries: number) => [1, entries - 1, entries, entries + 1];

export const readWays: Record<'pages' | 'wait' | 'lines' | 'events', ReadWay> = {
  pages: {
    name: 'in pages',
    limits: aroundAPage,
    read: (feed, reading) => readResponses(feed, reading, {}, readEntries),
  },
  wait: {
    name: 'with Prefer: wait',
    limits: (entries) => [entries, 1000],
    read: async (feed, reading) => {
      let adding: Promise<void> | undefined;
      const addMore = async () => {
        // The read that follows begins to wait before they come.
        adding = new Promise((resolve, reject) => {
          setTimeout(() => void reading.addMore().then(resolve, reject), 400);
        });
        // It is awaited below, unless the read fails before.
        adding.catch(() => undefined);
      };
      let empty = 0;
      const entriesOf = (response: HttpResponse) => {
        const entries = readEntries(response);
        if (entries.length === 0) empty++;
        return entries;
      };
      const headers = { prefer: `wait=${WAIT_S}` };
      const all = await readResponses(feed, { ...reading, addMore }, headers, entriesOf);
      await adding;
      expectEqual(empty, 0, 'the number of empty responses to reads that wait for entries');
      return all;
    },
  },
  lines: {
    name: 'as lines',
    limits: aroundAPage,
    read: (feed, reading) =>
      readResponses(feed, reading, { accept: 'application/x-ndjson' }, readLines),
  },
  events: {
    name: 'as events',
    limits: () => [1000],
    read: async ({ operationId, caller, marker }, { isComplete, addMore, isBefore }) => {
      const headers: Record<string, string> = {};
      if (marker !== undefined) headers['last-event-id'] = marker;
      const stream = await caller.openEvents(operationId, { headers });
      try {
        expectStatus(stream, 200);
        checkCaching(stream.headers);
        const read = () => stream.events.map(({ data }): Entry => JSON.parse(data));
        await stream.until(() => isBefore(read()), DELIVERY_MS);
        await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
        await addMore();
        await stream.until(() => isComplete(read()), DELIVERY_MS);
        for (const { id, data } of stream.events) {
          expectEqual(id, markerOf(operationId, JSON.parse(data)), 'the id of an event');
        }
        return read();
      } finally {
        stream.close();
      }
    },
  },
};
