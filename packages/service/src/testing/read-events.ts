// Follows a feed of a playground as a stream of events.
import assert from 'node:assert/strict';
import type { TestPlayground } from './playground-client.js';

/** Reads a stream of events until `count` events were received. */
export async function readEvents(
  playground: TestPlayground,
  address: string,
  as: string,
  count: number,
  headers: Record<string, string> = {},
): Promise<{ id: string; data: string }[]> {
  const stop = new AbortController();
  const response = await fetch(`${playground.playground.baseUrl}${address}`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${await playground.token(as)}`,
      ...headers,
    },
    signal: stop.signal,
  });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  assert(response.body);
  const events: { id: string; data: string }[] = [];
  let text = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const found = /^id: (.*)\ndata: (.*)$/.exec(text.slice(0, end));
      text = text.slice(end + 2);
      if (found?.[1] && found[2]) events.push({ id: found[1], data: found[2] });
    }
    if (events.length >= count) break;
  }
  stop.abort();
  return events;
}
