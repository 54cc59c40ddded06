// The effects of the scenarios of streams of events.
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Effects } from './effect.js';

export const feedEffects = {
  'broken-stream': {
    // A request for a stream that is refused has none that breaks.
    before:
      (_scenario, { reply }) =>
      async () =>
        reply.statusCode < 400 &&
        reply.request.method !== 'HEAD' &&
        String(reply.getHeader('content-type')).startsWith('text/event-stream'),
    send: ({ entries = 0 }, { request }, payload) =>
      payload instanceof Readable
        ? Readable.from(breakOff(payload, entries, request.raw.socket))
        : payload,
  },
} satisfies Partial<Effects>;

/** The events of a stream: the given number of entries, half of the next one, and the end of the connection. */
async function* breakOff(
  events: AsyncIterable<unknown>,
  entries: number,
  socket: Socket,
): AsyncGenerator<string> {
  let left = entries;
  for await (const chunk of events) {
    for (const event of String(chunk).split(/(?<=\n\n)/)) {
      // A comment is no entry.
      const isEntry = !event.startsWith(':');
      if (isEntry && left === 0) {
        yield event.slice(0, event.length / 2);
        // After what was sent.
        socket.destroySoon();
        return;
      }
      if (isEntry) left -= 1;
      yield event;
    }
  }
}
