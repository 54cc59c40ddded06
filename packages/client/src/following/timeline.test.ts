// A follower sends the timeline of what it has read with its marker, so that a restored service recognises what it has lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors/api-error.js';
import type { Fetch } from '../http/send-request.js';
import { Landfall } from '../landfall.js';
import type { FollowMode } from './follow-mode.js';

const tokens = { getToken: async () => 'token', discard: () => undefined };

/** Two entries of one timeline; then the service was restored, and refuses the marker if it is told the timeline. */
function restoredService(queries: string[]): Fetch {
  return async (input, init) => {
    const { searchParams } = new URL(String(input));
    const marker = searchParams.get('marker');
    queries.push(`${marker} ${searchParams.get('timeline')}`);
    if (searchParams.get('timeline') === 'first' && marker === 'b') {
      const validationErrors = [{ field: 'marker', error: 'lost', code: 'UNKNOWN_MARKER' }];
      const problem = { type: 'about:blank', title: 'Bad Request', status: 400, validationErrors };
      const headers = { 'content-type': 'application/problem+json' };
      return new Response(JSON.stringify(problem), { status: 400, headers });
    }
    const id = marker === 'a' ? 'b' : 'a';
    const entry = JSON.stringify({ routingResult: { id } });
    const headers = { 'landfall-timeline': 'first' };
    return new Headers(init?.headers).get('accept') === 'text/event-stream'
      ? new Response(`data: ${entry}\n\n`, {
          headers: { ...headers, 'content-type': 'text/event-stream' },
        })
      : new Response(`[${entry}]`, { headers: { ...headers, 'content-type': 'application/json' } });
  };
}

test('a marker of before a restoration is refused, not taken for another entry', async () => {
  for (const mode of ['poll', 'wait', 'events'] satisfies FollowMode[]) {
    const queries: string[] = [];
    const landfall = new Landfall({
      baseUrl: 'https://customs.example',
      tokens,
      fetch: restoredService(queries),
      retry: false,
    });
    const seen: string[] = [];
    const following = (async () => {
      const options = { modes: [mode], pollIntervalMs: 1, signal: AbortSignal.timeout(20_000) };
      for await (const { routingResult } of landfall.followRouting(options)) {
        seen.push(routingResult.id);
      }
    })();
    await assert.rejects(
      following,
      (error) => error instanceof ApiError && error.has('UNKNOWN_MARKER'),
      mode,
    );
    assert.deepEqual(seen, ['a', 'b'], mode);
    assert.deepEqual(queries, ['null null', 'a first', 'b first'], mode);
  }
});
