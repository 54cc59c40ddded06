// A reader that follows its signals as a stream of events, and continues after the last one when its connection has ended.
import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

const ROUTING = '/api/movement/routing/v1/house-consignment';

/** How long a silent connection is kept, in milliseconds: the service sends a comment every 15 s. */
const SILENCE_MS = 30_000;

/** How soon it connects again, in milliseconds. */
const RETRY_MS = 500;

export class EventReader {
  organisation;
  /** The signals in the order in which they were received. @type {string[]} */
  ids = [];
  /** When a connection ended that had been open, by `performance.now()`. @type {number[]} */
  ends = [];
  running;
  #origin;
  #token;
  #request;
  #stopped = false;

  /** @param {{ organisation: number, origin: import('./http-client.js').Origin, token: string }} reader */
  constructor({ organisation, origin, token }) {
    this.organisation = organisation;
    this.#origin = origin;
    this.#token = token;
    this.running = this.#run();
  }

  /** Ends it now. */
  stop() {
    this.#stopped = true;
    this.#request?.destroy();
    return this.running;
  }

  async #run() {
    while (!this.#stopped) {
      const wasOpen = await this.#follow();
      if (wasOpen && !this.#stopped) this.ends.push(performance.now());
      if (!this.#stopped) await delay(RETRY_MS);
    }
  }

  /** Follows the feed until the connection ends; says whether there was one. @returns {Promise<boolean>} */
  #follow() {
    const marker = this.ids.at(-1);
    const send = this.#origin.ca ? https.request : http.request;
    return new Promise((resolve) => {
      let isOpen = false;
      this.#request = send(
        {
          ...this.#origin,
          path: `${ROUTING}${marker === undefined ? '' : `?marker=${marker}`}`,
          headers: { accept: 'text/event-stream', authorization: `Bearer ${this.#token}` },
        },
        (response) => {
          isOpen = response.statusCode === 200;
          if (isOpen) this.#read(response);
          else response.resume();
        },
      );
      this.#request.setTimeout(SILENCE_MS, () => this.#request.destroy());
      this.#request.on('error', () => undefined);
      this.#request.on('close', () => resolve(isOpen));
      this.#request.end();
    });
  }

  #read(response) {
    let rest = '';
    response.setEncoding('utf8');
    response.on('error', () => undefined);
    response.on('data', (text) => {
      const events = (rest + text).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const [, id] = /^id: (.*)$/m.exec(event) ?? [];
        if (id !== undefined) this.ids.push(id);
      }
    });
  }
}
