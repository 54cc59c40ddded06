// Server-sent events are the same however the stream is cut into chunks.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { readEvents, type StreamEvent } from './event-stream.js';

async function eventsOf(text: string, cuts: readonly number[] = []): Promise<StreamEvent[]> {
  const bytes = new TextEncoder().encode(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  places.sort((one, other) => one - other);
  async function* chunks() {
    for (const [index, place] of places.entries()) yield bytes.slice(place, places[index + 1]);
  }
  const events: StreamEvent[] = [];
  for await (const event of readEvents(chunks())) events.push(event);
  return events;
}

it('gives each event with its id, and passes over comments', async () => {
  assert.deepEqual(await eventsOf(': hello\n\nid: 1\ndata: one\n\nid:2\nevent: x\ndata:two\n\n'), [
    { id: '1', data: 'one' },
    { id: '2', data: 'two' },
  ]);
});

it('joins lines of data, and keeps the id of the last event for one without', async () => {
  assert.deepEqual(await eventsOf('id: 1\ndata: one\ndata: more\n\ndata\n\n'), [
    { id: '1', data: 'one\nmore' },
    { id: '1', data: '' },
  ]);
});

it('does not give an event that the stream breaks off in', async () => {
  assert.deepEqual(await eventsOf('id: 1\ndata: one\n'), []);
});

it('every cut and every line end gives the same events', async () => {
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
  await fc.assert(
    fc.asyncProperty(lineEnd, fc.array(fc.nat(200), { maxLength: 20 }), async (end, cuts) => {
      const text = ['id: 1', 'data: {"port":"Ålesund"}', '', ': alive', 'id: 2', 'data: æ', '', ''];
      // A comment ends the stream, because a carriage return at the very end may be half of a line end.
      const stream = `${text.join(end)}:${end}`;
      assert.deepEqual(await eventsOf(stream, cuts), [
        { id: '1', data: '{"port":"Ålesund"}' },
        { id: '2', data: 'æ' },
      ]);
    }),
  );
});
