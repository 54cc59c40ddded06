// The authority: registers declarations, and decides on those of their house consignments that are not decided in advance,
// while writers present them.
import { setTimeout as delay } from 'node:timers/promises';
import { HOUSES_PER_ENS } from '../../bench/goods.js';
import { documentOf, exchange, readFailure } from '../load.js';

const DECLARATIONS = '/api/authority/v1/entry-summary-declarations';
const DECISIONS = '/api/authority/v1/routing-decisions';

/** One house consignment in so many is decided later. */
const LATER = 3;
/**
 * How many decisions a request has, and how long it is until the next request, in milliseconds: fewer than are presented
 * meanwhile, so that there are always some to decide.
 */
const DECISIONS_PER_REQUEST = 4;
const INTERVAL_MS = 200;

export class Authority {
  /** Every request with decisions. @type {import('../load.js').Call[]} */
  history = [];
  #client;
  #token;
  #organisations;
  #undecided = [];
  #stopping = false;
  #running;

  /**
   * @param {{ client: import('../http-client.js').HttpClient, provider: any, organisations: number }} options
   *   `organisations`: how many declare goods
   */
  static async start({ client, provider, organisations }) {
    const authority = new Authority();
    authority.#client = client;
    authority.#organisations = organisations;
    authority.#token = await exchange(
      client,
      provider,
      0,
      'customs:authority/registry customs:authority/routing',
    );
    authority.#running = authority.#decide();
    return authority;
  }

  /** Registers the house consignments with the numbers from `start` up to, but not including, `end`, at one server. */
  async register(start, end, origin) {
    for (let number = start / HOUSES_PER_ENS; number < end / HOUSES_PER_ENS; number++) {
      const { mrn, ...declaration } = makeDeclaration(number, number % this.#organisations);
      const response = await this.#send('PUT', `${DECLARATIONS}/${mrn}`, declaration, origin);
      if (response?.status !== 201) {
        throw new Error(`${mrn} is not registered: ${response?.status} ${response?.text}`);
      }
    }
    for (let house = start; house < end; house++) {
      if (isDecidedLater(house)) this.#undecided.push(house);
    }
  }

  /** Ends when every house consignment is decided. */
  async stop() {
    this.#stopping = true;
    await this.#running;
  }

  async #decide() {
    const { closed } = this.#client;
    while (!closed.aborted && (!this.#stopping || this.#undecided.length > 0)) {
      const houses = this.#undecided.slice(0, DECISIONS_PER_REQUEST);
      if (houses.length > 0 && (await this.#post(houses.map(makeDecision)))) {
        this.#undecided.splice(0, houses.length);
      }
      if (!this.#stopping) await delay(INTERVAL_MS);
    }
  }

  /** Sends decisions; whether they are certain to be stored. */
  async #post(decisions) {
    const start = performance.now();
    const response = await this.#send('POST', DECISIONS, decisions);
    const outcome = readResults(response, decisions.length);
    const call = { kind: 'decide', client: 'authority', start, end: performance.now(), outcome };
    const { server, status, text } = response ?? {};
    this.history.push({
      ...call,
      server,
      ...(outcome === 'wrong' && { response: `${status} ${text}` }),
    });
    return outcome === 'decided' || outcome === 'wrong';
  }

  #send(method, path, body, origin) {
    const headers = { 'content-type': 'application/json' };
    const call = { method, path, token: this.#token, headers, body: JSON.stringify(body) };
    return this.#client.send(call, origin);
  }
}

const isDecidedLater = (house) => house % LATER === 0;

const makeDecision = (house) => ({
  transportDocumentHouseLevel: { documentNumber: documentOf(house), type: 'N740' },
  routing: 'TO_ENTRY',
});

function makeDeclaration(number, organisation) {
  return {
    mrn: `26NO${String(number).padStart(14, '0')}`,
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: `0192:${810_000_000 + organisation}`,
    houseConsignments: Array.from({ length: HOUSES_PER_ENS }, (_, index) => {
      const house = number * HOUSES_PER_ENS + index;
      return {
        transportDocumentHouseLevel: { documentNumber: documentOf(house), type: 'N740' },
        transportDocumentMasterLevel: { documentNumber: `MAWB${number}`, type: 'N741' },
        ...(!isDecidedLater(house) && { routing: 'TO_CONTROL' }),
      };
    }),
  };
}

function readResults(response, count) {
  if (response?.status !== 200) return readFailure(response);
  const results = JSON.parse(response.text);
  const decided = results.filter(({ status }) => status === 'DECIDED' || status === 'UNCHANGED');
  return decided.length === count ? 'decided' : 'wrong';
}
