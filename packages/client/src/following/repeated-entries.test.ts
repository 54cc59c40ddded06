// A feed that goes round in circles, or whose entries are none: it is asked ever more slowly, or the call fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnexpectedResponseError } from '../errors/landfall-error.js';
import type { Fetch } from '../http/send-request.js';
import { Landfall } from '../landfall.js';
import type { FollowMode } from './follow-mode.js';
import { MemoryMarkerStore } from './marker-store.js';

const tokens = { getToken: async () => 'token', discard: () => undefined };
const makeLandfall = (fetch: Fetch) =>
  new Landfall({ baseUrl: 'https://customs.example', tokens, fetch, retry: false });

/** One page after the other: each names the next one, and the last of them the first. */
function circle(ids: readonly string[]): { fetch: Fetch; requests: () => number } {
  let requests = 0;
  const fetch: Fetch = async (input, init) => {
    const url = new URL(String(input));
    // No page may be requested without an end: it fails before a test hangs.
    if (++requests > 1000) throw new RangeError('hammered');
    if (new Headers(init?.headers).get('accept') === 'text/event-stream') {
      const event = JSON.stringify({ routingResult: { id: ids[0] } });
      return new Response(`data: ${event}\n\n`.repeat(5), {
        headers: { 'content-type': 'text/event-stream' },
      });
    }
    const id = ids[(ids.indexOf(url.searchParams.get('marker') ?? '') + 1) % ids.length];
    url.searchParams.set('marker', String(id));
    const headers = { link: `<${url}>; rel="next"` };
    return Response.json([{ routingResult: { id } }], { headers });
  };
  return { fetch, requests: () => requests };
}

const circles = [['a'], ['a', 'b'], ['a', 'b', 'c', 'd', 'e', 'f']];

/** How often a feed is asked, and what is handed out, in the time of the first growing pauses. */
async function follow(ids: readonly string[], mode: FollowMode): Promise<void> {
  const { fetch, requests } = circle(ids);
  const signal = AbortSignal.timeout(1_100);
  const following = makeLandfall(fetch).followRouting({ signal, modes: [mode], pollIntervalMs: 1 });
  const seen: string[] = [];
  for await (const { routingResult } of following) seen.push(routingResult.id);
  const what = `${mode}, ${ids}`;
  assert(requests() < 40, `${what}: ${requests()} requests`);
  assert(seen.length <= 3 * ids.length, `${what}: ${seen}`);
  assert.deepEqual(seen.slice(0, ids.length), ids, what);
}

test('a feed that gives the same entries again and again is asked ever more slowly', async () => {
  const modes: FollowMode[] = ['poll', 'wait', 'events'];
  await Promise.all(circles.flatMap((ids) => modes.map((mode) => follow(ids, mode))));
});

test('an entry that comes several times at once is handed out once', async () => {
  const ids = ['a', 'a', 'b', 'a', 'b', 'c'];
  const entries = ids.map((id) => ({ routingResult: { id } }));
  for (const mode of ['events', 'wait', 'poll'] as const) {
    let requests = 0;
    const fetch: Fetch = async (_, init) => {
      const isStream = new Headers(init?.headers).get('accept') === 'text/event-stream';
      if (!isStream) return Response.json(mode === 'events' || ++requests > 1 ? [] : entries);
      const text = entries.map((entry) => `data: ${JSON.stringify(entry)}\n\n`).join('');
      const headers = { 'content-type': 'text/event-stream' };
      return new Response(++requests > 1 ? '' : text, { headers });
    };
    const seen: string[] = [];
    const signal = AbortSignal.timeout(500);
    const options = { signal, modes: [mode], pollIntervalMs: 1 };
    for await (const { routingResult } of makeLandfall(fetch).followRouting(options)) {
      seen.push(routingResult.id);
    }
    assert.deepEqual(seen, ['a', 'b', 'c'], mode);
  }
});

for (const ids of circles) {
  test(`waiting in a feed of ${ids} again and again fails`, async () => {
    const { fetch, requests } = circle(ids);
    const item = { transportDocumentHouseLevel: { documentNumber: 'X', type: 'N740' } } as const;
    const document = { transportDocumentHouseLevel: item.transportDocumentHouseLevel };
    const withDocuments: Fetch = async (...given) => {
      const response = await fetch(...given);
      // The cast is true because the circle has one entry on each page.
      const [entry] = (await response.json()) as [object];
      return Response.json([{ ...entry, ...document, entrySummaryDeclarationMRN: 'Y' }], response);
    };
    await assert.rejects(
      makeLandfall(withDocuments).waitForRouting([item]).toArray(),
      UnexpectedResponseError,
    );
    assert(requests() < 40);
  });
}

for (const entry of [null, 1, 'x', {}, { routingResult: null }, { routingResult: { id: 1 } }]) {
  test(`an entry ${JSON.stringify(entry)} is not handed out`, async () => {
    const stop = new AbortController();
    const states: unknown[] = [];
    const store = new MemoryMarkerStore('before');
    const landfall = makeLandfall(async (input) => {
      const isFirst = !String(input).includes('after');
      const good = { routingResult: { id: 'after' } };
      const url = new URL(String(input));
      url.searchParams.set('marker', 'after');
      if (isFirst) return Response.json([good], { headers: { link: `<${url}>; rel="next"` } });
      setTimeout(() => stop.abort(), 50);
      return Response.json([{ routingResult: { id: 'later' } }, entry]);
    });
    const following = landfall.followRouting({
      store,
      signal: stop.signal,
      modes: ['poll'],
      onStateChange: (state) => states.push(state),
    });
    const seen: unknown[] = [];
    for await (const signal of following) seen.push(signal);
    assert.equal(seen.length, 1);
    assert.equal(store.marker, 'after');
  });
}

/** Current goods items of one page, and a stream that refuses every marker. */
const refusing =
  (code: string, marker: string | undefined, counts: { copies: number }): Fetch =>
  async (input) => {
    const { pathname, searchParams } = new URL(String(input));
    if (pathname.endsWith('/current')) {
      if (!searchParams.has('limit')) counts.copies += 1;
      if (counts.copies > 50) throw new RangeError('hammered');
      return Response.json([], { headers: { ...(marker && { 'landfall-marker': marker }) } });
    }
    const problem = { validationErrors: [{ field: 'marker', error: 'is refused', code }] };
    return Response.json({ title: 'Bad Request', ...problem }, { status: 400 });
  };

for (const code of ['MARKER_EXPIRED', 'UNKNOWN_MARKER']) {
  for (const marker of ['new', undefined]) {
    test(`a mirror is not cleared again and again: ${code}, ${marker}`, async () => {
      const counts = { copies: 0 };
      let clears = 0;
      const target = {
        clear: () => void clears++,
        put: () => undefined,
        remove: () => undefined,
        removeAddedBy: () => undefined,
      };
      await assert.rejects(
        makeLandfall(refusing(code, marker, counts)).mirrorGoodsItems(target, {
          store: new MemoryMarkerStore('old'),
        }),
        new RegExp(code === 'MARKER_EXPIRED' ? 'no longer kept' : code),
      );
      assert.equal(clears, 1);
    });
  }
}

test('a mirror whose pages go round in circles fails', async () => {
  let requests = 0;
  const landfall = makeLandfall(async (input) => {
    if (++requests > 100) throw new RangeError('hammered');
    const isA = String(input).includes('page=a');
    return Response.json([], { headers: { link: `<?page=${isA ? 'b' : 'a'}>; rel="next"` } });
  });
  const target = {
    clear: () => undefined,
    put: () => undefined,
    remove: () => undefined,
    removeAddedBy: () => undefined,
  };
  await assert.rejects(landfall.mirrorGoodsItems(target), UnexpectedResponseError);
});
