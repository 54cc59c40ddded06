// Clients of the service while it is disturbed: writers that present and retry, readers that follow their signals with
// markers, and readers of streams of events. Every call is recorded.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HOUSES_PER_ENS, ORGANISATIONS } from '../bench/goods.js';
import { EventReader } from './event-reader.js';
import { until } from './until.js';

const PRESENT = '/api/movement/presentation/v1/house-consignment';
const STATUS = '/api/movement/presentation/v1/validation-status';
const ROUTING = '/api/movement/routing/v1/house-consignment';
const TOKEN = '/api/access/external/oauth/token';
const WRITERS = 8;
/** Each reader follows one of the first organisations. */
const READERS = 8;
/** So many of them also follow their signals as a stream of events. */
const EVENT_READERS = 4;
/** How long a reader's request waits for signals on the server, in seconds. */
const WAIT = 5;
/** How long a writer waits before it repeats a request without a response, in seconds. */
const RETRY_SECONDS = 1;

/**
 * One call: what was sent, when, and its outcome. Times are milliseconds of `performance.now()`; `server` is the name of
 * the origin that responded.
 *
 * @typedef {{
 *   kind: 'present' | 'repeat' | 'status' | 'read' | 'decide' | 'publish' | 'follow',
 *   client: string,
 *   requestId?: string,
 *   attempt?: number,
 *   house?: number,
 *   marker?: string,
 *   ids?: string[],
 *   start: number,
 *   end: number,
 *   outcome: 'accepted' | 'reused' | 'found' | 'missing' | 'page' | 'decided' | 'served' | 'unavailable' | 'lost' | 'wrong',
 *   server?: string,
 *   response?: string,
 * }} Call
 */

/** Starts the clients. */
export class Load {
  /** Every call, in the order of their ends. @type {Call[]} */
  history = [];
  #client;
  #organisations;
  #tokens;
  #interval;
  #random;
  #next = 0;
  #houses = 0;
  #running = [];
  /** Readers of streams of events. @type {EventReader[]} */
  eventReaders = [];
  #writing = true;
  #reading = true;

  /**
   * @param {{ client: import('./http-client.js').HttpClient, provider: any, rate: number, random: () => number,
   *   organisations?: number }} options `rate`: presentations a second; `organisations`: how many present, at least as
   *   many as there are readers
   */
  static async start({ client, provider, rate, random, organisations = ORGANISATIONS }) {
    const load = new Load();
    load.#client = client;
    load.#organisations = organisations;
    load.#interval = (WRITERS * 1000) / rate;
    load.#random = random;
    load.#tokens = await Promise.all(
      Array.from({ length: organisations }, (_, number) =>
        until(() => exchange(client, provider, number), 'the service gives tokens'),
      ),
    );
    return load;
  }

  /** Starts the writers and readers; house consignments up to `houses` may be presented. */
  run(houses) {
    this.allow(houses);
    for (let writer = 0; writer < WRITERS; writer++) this.#running.push(this.#write(writer));
    this.readers = Array.from({ length: READERS }, (_, number) => this.#follow(number));
  }

  /** Starts readers of streams of events. @param {import('./http-client.js').Origin} origin */
  followEvents(origin) {
    this.eventReaders = Array.from(
      { length: EVENT_READERS },
      (_, organisation) =>
        new EventReader({ organisation, origin, token: this.#tokens[organisation] }),
    );
  }

  /** More house consignments are pre-notified: those with numbers below `houses`. */
  allow(houses) {
    this.#houses = houses;
  }

  /** How many house consignments were presented, or are being presented. */
  get used() {
    return this.#next;
  }

  /** Lets every request come to its end. */
  async stopWriting() {
    this.#writing = false;
    await Promise.all(this.#running);
  }

  /** Lets every request come to its end, and the readers read everything. */
  async stop() {
    await this.stopWriting();
    this.#reading = false;
    await Promise.all(this.readers.map(({ running }) => running));
    const isRead = ({ organisation, ids }) => ids.length >= this.readers[organisation].ids.length;
    await until(() => this.eventReaders.every(isRead), 'the streams of events have everything');
    await Promise.all(this.eventReaders.map((reader) => reader.stop()));
  }

  async #write(writer) {
    await delay((this.#interval * writer) / WRITERS);
    while (this.#writing && !this.#client.closed.aborted) {
      const began = performance.now();
      if (this.#next < this.#houses) {
        await this.#present(`writer ${writer}`, houseOf(this.#next++, this.#organisations));
      }
      await delay(Math.max(0, this.#interval - (performance.now() - began)));
    }
  }

  /** Presents a house consignment, again until the outcome is certain. */
  async #present(client, house) {
    const requestId = randomUUID();
    const token = this.#tokens[Math.floor(house / HOUSES_PER_ENS) % this.#organisations];
    const send = (kind, attempt) => this.#send({ kind, client, requestId, attempt, house, token });
    for (let attempt = 1; ; attempt++) {
      const { outcome, retryAfter } = await send('present', attempt);
      if (outcome === 'accepted' || outcome === 'wrong') break;
      if (outcome === 'reused') {
        for (;;) {
          const status = await send('status', attempt);
          if (!isUncertain(status.outcome)) break;
          await delay(status.retryAfter * 1000);
        }
        break;
      }
      await delay(retryAfter * 1000);
    }
    // Some ask for the status at once, or send the same request again as if the response had been lost.
    const next = this.#random();
    if (next < 0.05) await send('repeat', 1);
    else if (next < 0.15) await send('status', 1);
  }

  async #send({ kind, client, requestId, attempt, house, token }) {
    const call =
      kind === 'status'
        ? { path: `${STATUS}/${requestId}` }
        : { method: 'POST', path: PRESENT, body: bodyOf(requestId, house) };
    const start = performance.now();
    const response = await this.#client.send({
      ...call,
      token,
      headers: { ...(call.body && { 'content-type': 'application/json' }) },
    });
    const outcome = kind === 'status' ? readStatus(response) : readOutcome(response);
    this.#record({ kind, client, requestId, attempt, house, start, outcome }, response);
    return { outcome, retryAfter: response?.retryAfter ?? RETRY_SECONDS };
  }

  /** Follows the signals of one organisation. */
  #follow(number) {
    const reader = { organisation: number, ids: [] };
    const read = async () => {
      for (;;) {
        const finishing = !this.#reading;
        const { outcome, page, retryAfter } = await this.#readPage(reader, finishing);
        if (outcome === 'page') {
          reader.ids.push(...page);
          if (finishing && page.length === 0) return;
        } else if (outcome === 'wrong') {
          return;
        } else {
          await delay(retryAfter * 1000);
        }
      }
    };
    return Object.assign(reader, { running: read() });
  }

  async #readPage({ organisation, ids }, finishing) {
    const marker = ids.at(-1);
    const limit = 1 + Math.floor(this.#random() * 200);
    const start = performance.now();
    const response = await this.#client.send({
      path: `${ROUTING}?limit=${limit}${marker === undefined ? '' : `&marker=${marker}`}`,
      token: this.#tokens[organisation],
      headers: finishing ? {} : { prefer: `wait=${WAIT}` },
    });
    const outcome = response?.status === 200 ? 'page' : readFailure(response);
    const page =
      outcome === 'page'
        ? JSON.parse(response.text).map(({ routingResult }) => routingResult.id)
        : [];
    const call = { kind: 'read', client: `reader ${organisation}`, marker, ids: page, start };
    this.#record({ ...call, outcome }, response);
    return { outcome, page, retryAfter: response?.retryAfter ?? RETRY_SECONDS };
  }

  #record(call, response) {
    const text = call.outcome === 'wrong' ? `${response.status} ${response.text}` : undefined;
    const { server } = response ?? {};
    this.history.push({
      ...call,
      end: performance.now(),
      ...(server && { server }),
      ...(text && { response: text }),
    });
  }
}

/** A customs token for one organisation. */
export async function exchange(client, provider, number, scope = 'customs:movement/entry') {
  const response = await client.send({
    method: 'POST',
    path: TOKEN,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'token-exchange',
      subject_token_type: 'access_token',
      subject_token: await provider.sign(number, scope),
    }).toString(),
  });
  if (response?.status !== 200) throw new Error(`no token: ${response?.text}`);
  return JSON.parse(response.text).access_token;
}

/** The house consignments of as many declarations as there are organisations: each belongs to another one. */
export const HOUSES_PER_BLOCK = ORGANISATIONS * HOUSES_PER_ENS;

/** The house consignment that is presented as number `index`: the organisations take turns. */
function houseOf(index, organisations) {
  const within = index % (organisations * HOUSES_PER_ENS);
  const organisation = within % organisations;
  const house = Math.floor(within / organisations);
  return index - within + organisation * HOUSES_PER_ENS + house;
}

/** The number of a house consignment's document. */
export const documentOf = (house) => `HAWB${String(house).padStart(8, '0')}`;

const bodyOf = (requestId, house) =>
  JSON.stringify({
    requestId,
    customsOfficeOfPresentation: 'NO351001',
    transportDocumentHouseLevel: {
      documentNumber: documentOf(house),
      type: 'N740',
    },
  });

const isUncertain = (outcome) => outcome === 'unavailable' || outcome === 'lost';

function readOutcome(response) {
  if (response?.status === 202) return 'accepted';
  if (response?.status === 400 && response.text.includes('REQUEST_ID_REUSED')) return 'reused';
  return readFailure(response);
}

function readStatus(response) {
  if (response?.status === 200) return response.text.includes('SUCCESS') ? 'found' : 'wrong';
  if (response?.status === 404) return 'missing';
  return readFailure(response);
}

/** 502 and 504 are responses of the load balancer whose server gave none. */
export function readFailure(response) {
  if (response === undefined) return 'lost';
  if (response.status === 503) return 'unavailable';
  return [502, 504].includes(response.status) ? 'lost' : 'wrong';
}
