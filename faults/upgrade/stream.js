// The stream of goods items while versions change: one publisher, one reader with markers, and one consumer in JetStream.
import { setTimeout as delay } from 'node:timers/promises';
import { generateGoodsItems } from '../../packages/samples/dist/index.js';
import { exchange, readFailure } from '../load.js';
import { startConsumer } from '../stream-consumer.js';
import { until } from '../until.js';

const STREAM = '/api/declaration/feed/v1/goods-items';

/** How long it is until the next message is published or the next page is read, in milliseconds. */
const INTERVAL_MS = 50;

export class Stream {
  /** Every request. @type {import('../load.js').Call[]} */
  history = [];
  /** The events in the order of their publication. @type {string[]} */
  #published = [];
  #read = [];
  #client;
  #tokens;
  #consumer;
  #publishing = true;
  #running;

  /** @param {{ client: import('../http-client.js').HttpClient, provider: any, natsUrl: string }} options */
  static async start({ client, provider, natsUrl }) {
    const stream = new Stream();
    stream.#client = client;
    stream.#tokens = {
      publish: await exchange(client, provider, 0, 'customs:declaration.publish'),
      follow: await exchange(client, provider, 0, 'customs:declaration.feed'),
    };
    stream.#consumer = startConsumer(natsUrl);
    client.closed.addEventListener('abort', () => stream.#abandon());
    stream.#running = Promise.all([stream.#publish(), stream.#follow()]);
    return stream;
  }

  /** Ends when everything that was published is read and relayed; describes every difference. */
  async stop() {
    this.#publishing = false;
    await this.#running;
    const published = this.#published;
    await Promise.race([
      this.#consumer.until(published.length),
      delay(60_000, undefined, { ref: false }),
    ]);
    const consumed = await this.#consumer.stop();
    return [
      ...compare('the reader of goods items', this.#read, published),
      ...compare('the consumer in JetStream', consumed, published),
    ];
  }

  /** Ends at once. */
  #abandon() {
    this.#publishing = false;
    void this.#consumer.stop();
  }

  async #publish() {
    for (const message of generateGoodsItems({ declarations: 100_000_000, seed: 1 })) {
      if (!this.#publishing) return;
      const body = JSON.stringify(message);
      const headers = { 'content-type': 'application/json' };
      const call = { method: 'POST', path: STREAM, token: this.#tokens.publish, headers, body };
      await until(
        async () => (await this.#send('publish', call, 202)) !== undefined,
        'a message is published',
      );
      this.#published.push(message.metadata.eventId);
      await delay(INTERVAL_MS);
    }
  }

  async #follow() {
    while (this.#publishing || this.#read.length < this.#published.length) {
      const marker = this.#read.length === 0 ? '' : `&marker=${this.#read.at(-1)}`;
      const call = { path: `${STREAM}?limit=100${marker}`, token: this.#tokens.follow };
      const text = await this.#send('follow', call, 200);
      if (text !== undefined) {
        this.#read.push(...JSON.parse(text).map(({ metadata }) => metadata.eventId));
      }
      await delay(INTERVAL_MS);
    }
  }

  /** Sends a request; what it returned, if it has this status. */
  async #send(kind, call, status) {
    const start = performance.now();
    const response = await this.#client.send(call);
    const isServed = response?.status === status;
    const outcome = isServed ? 'served' : readFailure(response);
    const { server, text } = response ?? {};
    this.history.push({
      kind,
      client: 'stream',
      start,
      end: performance.now(),
      outcome,
      server,
      ...(outcome === 'wrong' && { response: `${response.status} ${text}` }),
    });
    return isServed ? text : undefined;
  }
}

function compare(who, ids, expected) {
  if (ids.join() === expected.join()) return [];
  const twice = ids.length - new Set(ids).size;
  return [
    `${who} has ${ids.length} events, ${twice} of them twice, or in another order; ${expected.length} were published`,
  ];
}
