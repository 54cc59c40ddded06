// Clients of the service while faults are made: writers that present and retry, and readers that follow their signals with
// markers. Every call is recorded.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HOUSES_PER_ENS, ORGANISATIONS } from '../../bench/goods.js';
import { HttpsClient } from './https-call.js';
import { until } from './until.js';

const PRESENT = '/api/movement/presentation/v1/house-consignment';
const STATUS = '/api/movement/presentation/v1/validation-status';
const ROUTING = '/api/movement/routing/v1/house-consignment';
const TOKEN = '/api/access/external/oauth/token';
const WRITERS = 8;
/** Each reader follows one of the first organisations. */
const READERS = 8;
/** How long a reader's request waits for signals on the server, in seconds. */
const WAIT = 5;
/** How long a writer waits before it repeats a request without a response, in seconds. */
const RETRY_SECONDS = 1;

/**
 * One call: what was sent, when, and its outcome. Times are milliseconds of `performance.now()`.
 *
 * @typedef {{
 *   kind: 'present' | 'repeat' | 'status' | 'read',
 *   client: string,
 *   requestId?: string,
 *   attempt?: number,
 *   house?: number,
 *   marker?: string,
 *   ids?: string[],
 *   start: number,
 *   end: number,
 *   outcome: 'accepted' | 'reused' | 'found' | 'missing' | 'page' | 'unavailable' | 'lost' | 'wrong',
 *   response?: string,
 * }} Call
 */

/** Starts the clients. */
export class Load {
  /** Every call, in the order of their ends. @type {Call[]} */
  history = [];
  #client;
  #tokens;
  #interval;
  #random;
  #next = 0;
  #houses = 0;
  #running = [];
  #writing = true;
  #reading = true;

  /**
   * @param {{ origin: { host: string, port: number, ca: Buffer }, provider: any, rate: number, random: () => number }}
   *   options `rate`: presentations a second
   */
  static async start({ origin, provider, rate, random }) {
    const load = new Load();
    load.#client = new HttpsClient(origin);
    load.#interval = (WRITERS * 1000) / rate;
    load.#random = random;
    load.#tokens = await Promise.all(
      Array.from({ length: ORGANISATIONS }, (_, number) =>
        until(() => load.#exchange(provider, number), 'the service gives tokens'),
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

  /** More house consignments are pre-notified: those with numbers below `houses`. */
  allow(houses) {
    this.#houses = houses;
  }

  /** How many house consignments were presented, or are being presented. */
  get used() {
    return this.#next;
  }

  /** Lets every request come to its end, and the readers read everything. */
  async stop() {
    this.#writing = false;
    await Promise.all(this.#running);
    this.#reading = false;
    await Promise.all(this.readers.map(({ running }) => running));
    this.#client.close();
  }

  async #exchange(provider, number) {
    const response = await this.#client.send({
      method: 'POST',
      path: TOKEN,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'token-exchange',
        subject_token_type: 'access_token',
        subject_token: await provider.sign(number, 'customs:movement/entry'),
      }).toString(),
    });
    if (response?.status !== 200) throw new Error(`no token: ${response?.text}`);
    return JSON.parse(response.text).access_token;
  }

  async #write(writer) {
    await delay((this.#interval * writer) / WRITERS);
    while (this.#writing) {
      const began = performance.now();
      if (this.#next < this.#houses) {
        await this.#present(`writer ${writer}`, houseOf(this.#next++));
      }
      await delay(Math.max(0, this.#interval - (performance.now() - began)));
    }
  }

  /** Presents a house consignment, again until the outcome is certain. */
  async #present(client, house) {
    const requestId = randomUUID();
    const token = this.#tokens[Math.floor(house / HOUSES_PER_ENS) % ORGANISATIONS];
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
    this.history.push({ ...call, end: performance.now(), ...(text && { response: text }) });
  }
}

/** The house consignments of as many declarations as there are organisations: each belongs to another one. */
export const HOUSES_PER_BLOCK = ORGANISATIONS * HOUSES_PER_ENS;

/** The house consignment that is presented as number `index`: the organisations take turns. */
function houseOf(index) {
  const within = index % HOUSES_PER_BLOCK;
  const organisation = within % ORGANISATIONS;
  const house = Math.floor(within / ORGANISATIONS);
  return index - within + organisation * HOUSES_PER_ENS + house;
}

const bodyOf = (requestId, house) =>
  JSON.stringify({
    requestId,
    customsOfficeOfPresentation: 'NO351001',
    transportDocumentHouseLevel: {
      documentNumber: `HAWB${String(house).padStart(8, '0')}`,
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
function readFailure(response) {
  if (response === undefined) return 'lost';
  if (response.status === 503) return 'unavailable';
  return [502, 504].includes(response.status) ? 'lost' : 'wrong';
}
