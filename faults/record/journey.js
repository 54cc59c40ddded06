// One episode of movement messages: requests one after the other on both servers, each compared with the model, with what it
// presents. After a disturbance the status of the request says whether it was carried out.
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from './driver/client.js';
import { Observer } from './driver/observe.js';
import { createJourneys, currentOf, decide, hindrances, request } from './model/journey.js';
import { codesOf, different, firstOf } from './operations/check.js';
import { LODGER_SCOPES, requestOf } from './operations/journey.js';

/** For how long a request whose response was lost may still be carried out, in milliseconds. */
const LATE_MS = 3000;

/** For how long what a crash has left behind may be missing, in milliseconds: the interval of the background, and the work. */
const COMPLETED_MS = 90_000;

const ROAD = 'movement/road/v2';
const STATUSES = '/api/movement/status/v1/validation-status';

/**
 * Runs operations.
 *
 * @param {{ service: import('./driver/service.js').Service, provider: object, random: import('./random.js').Random }} run
 * @returns {Promise<{ done: number, unknown: number, failure?: { index: number, problem: string } }>}
 */
export async function runJourney(run, world, sequence) {
  const client = new Client(run.service, run.provider, world);
  const journey = new Journey(run, client, world);
  try {
    await client.admit(LODGER_SCOPES);
    for (const [index, operation] of sequence.entries()) {
      const problem = await journey.step(operation);
      if (problem !== undefined) return { ...journey.counts, failure: { index, problem } };
    }
    const problem = await journey.compareStatuses();
    const index = sequence.length - 1;
    return problem === undefined
      ? journey.counts
      : { ...journey.counts, failure: { index, problem } };
  } finally {
    await journey.end();
    client.close();
  }
}

class Journey {
  counts = { done: 0, unknown: 0 };
  #service;
  #client;
  #world;
  #observer;
  #journeys;

  constructor({ service, random }, client, world) {
    this.#service = service;
    this.#client = client;
    this.#world = world;
    this.#observer = new Observer(client, world, random);
    this.#journeys = createJourneys(world);
  }

  /** Does one operation, reads, and compares; describes a difference. */
  async step(operation) {
    const message = this.#journeys.messages.get(operation.of);
    // What it is about was not lodged: because that was refused, or is left out of a shorter sequence.
    if (operation.name !== 'lodge' && message?.mrn === undefined) return undefined;
    this.counts.done++;
    if (operation.name === 'decide') return (await this.#decide(operation)) ?? this.#compare();
    const sent = requestOf(operation, message?.mrn, this.#world);
    const response = await this.#service.sendDisturbed(this.#client, operation, sent);
    const isUnknown = response === undefined || response.status === 503;
    if (isUnknown || operation.disturbance !== undefined) await this.#service.settle();
    if (isUnknown) this.counts.unknown++;
    const wasUsed = this.#journeys.requests[operation.by].includes(operation.requestId);
    const status = await this.#readStatus(operation, isUnknown && !wasUsed);
    // Nothing was done.
    if (isUnknown && status === undefined) return undefined;
    const expected = request(this.#journeys, operation, this.#world);
    if (expected.lodged !== undefined) expected.lodged.mrn = status?.mrn;
    return (
      this.#checkResponse(expected, isUnknown ? undefined : response) ??
      this.#checkStatus(expected, status) ??
      (operation.disturbance === undefined ? this.#compare() : this.#compareCompleted())
    );
  }

  #checkResponse({ answer }, response) {
    if (response === undefined) return undefined;
    const codes = answer === 400 ? ['REQUEST_ID_REUSED'] : [];
    const found = { answer: response.status, codes: codesOf(response.body) };
    return different(`response ${response.text.slice(0, 500)}`, found, { answer, codes });
  }

  #checkStatus({ answer, codes, reasons = [] }, found) {
    if (answer !== 202) return undefined;
    const expected =
      codes === undefined
        ? { status: 'SUCCESS', reasons, codes: [] }
        : { status: 'FAILURE', reasons: [], codes: [...codes].sort() };
    const { status, validationErrorList = [], incompleteDocumentationReasonList } = found ?? {};
    const foundCodes = [...new Set(validationErrorList.map(({ code }) => code))].sort();
    return different(
      'status',
      { status, reasons: incompleteDocumentationReasonList ?? [], codes: foundCodes },
      expected,
    );
  }

  /** The status of a request; `undefined` if there is none. */
  async #readStatus({ name, by, level, requestId }, mayBeLate) {
    const [scope, path] =
      name === 'arrive'
        ? ['movement/transportarrival', '/api/movement/arrival/status/v1/transport-arrival']
        : [ROAD, `/api/movement/road/status/v2/${level}`];
    const end = performance.now() + LATE_MS;
    for (;;) {
      const read = { by, scope, path: `${path}/validation-status/${requestId}` };
      const { status, body } = await this.#observer.get(read);
      if (status === 200) return body;
      if (!mayBeLate || performance.now() > end) return undefined;
      await delay(100);
    }
  }

  async #decide(operation) {
    const { mrn, content } = this.#journeys.messages.get(operation.of);
    const sent = requestOf({ ...operation, content }, mrn, this.#world);
    const response = await this.#client.send(operation.server, sent);
    const expected = decide(this.#journeys, operation);
    const [{ status, signals }] = response?.status === 200 ? response.body : [{}];
    return different(`decision ${response?.text}`, { status, signals }, expected);
  }

  /** What a server that was killed has left behind may be presented a little later. */
  async #compareCompleted() {
    const end = performance.now() + COMPLETED_MS;
    for (;;) {
      const problem = await this.#compare();
      if (problem === undefined || performance.now() > end) return problem;
      await delay(500);
    }
  }

  /** Compares signals, the state of each message, and whether the goods of transports may be unloaded. */
  async #compare() {
    const { signals } = await this.#observer.readFeeds();
    const ofEach = (all) => [...new Set(all.map(({ mrn }) => mrn))].sort();
    const routings = (all, mrn) =>
      all.filter((signal) => signal.mrn === mrn).map(({ routing }) => routing);
    // Signals of one operation have no order, except those of one house consignment.
    const arrange = (all) => ofEach(all).map((mrn) => [mrn, ...routings(all, mrn)]);
    const wrongSignals = firstOf(this.#world.organisations, (organisation) => {
      const found = signals[organisation].map(({ houseConsignmentMRN: mrn, routingResult }) => ({
        mrn,
        routing: routingResult.routing,
      }));
      const expected = this.#journeys.signals[organisation].map(({ house, routing }) => ({
        mrn: house.mrn,
        routing,
      }));
      return different(`signals of ${organisation}`, arrange(found), arrange(expected));
    });
    return (
      wrongSignals ??
      (await this.#compareMessages()) ??
      (await this.#compareGoods()) ??
      this.#compareEntries()
    );
  }

  /** What officers see of the goods: also of those that are presented and undecided. */
  async #compareGoods() {
    const problems = await Promise.all(
      currentOf(this.#journeys, 'house-consignment').map(async ({ mrn, recipients, routing }) => {
        const found = await this.#observer.search({ mrn });
        const presented = routing === undefined ? 'PRESENTED' : 'SIGNALLED';
        const before = routing === undefined ? 'PRE_NOTIFIED' : 'DECIDED';
        const state = recipients.length > 0 ? presented : before;
        return different(
          `goods ${mrn}`,
          found.map((goods) => ({ state: goods.state, routing: goods.routing })),
          [{ state, routing }],
        );
      }),
    );
    return problems.find((problem) => problem !== undefined);
  }

  async #compareMessages() {
    const messages = [...this.#journeys.messages.values()];
    const problems = await Promise.all(
      messages.map(async ({ level, by, mrn, state, content, arrivedAt }) => {
        const path = `/api/movement/road/v2/${level}/${mrn}`;
        const { body = {} } = await this.#observer.get({ by, scope: ROAD, path });
        const found = {
          state: body.state,
          complete: body.complete,
          arrivedAt: body.customsOfficeOfArrival,
        };
        return different(`${level} ${mrn}`, found, {
          state,
          complete: content.isComplete,
          arrivedAt,
        });
      }),
    );
    return problems.find((problem) => problem !== undefined);
  }

  async #compareEntries() {
    const [carrier] = this.#world.organisations;
    const problems = await Promise.all(
      currentOf(this.#journeys, 'transport').map(async (transport) => {
        const path = `/api/movement/road/status/v2/entry/status/${transport.mrn}`;
        const { body = {} } = await this.#observer.get({ by: carrier, scope: ROAD, path });
        const reasons = hindrances(this.#journeys, transport);
        const found = { validEntry: body.validEntry, reasons: [...(body.reasons ?? [])].sort() };
        const expected = { validEntry: reasons.length === 0, reasons: reasons.sort() };
        return different(`entry status of ${transport.mrn}`, found, expected);
      }),
    );
    return problems.find((problem) => problem !== undefined);
  }

  /** The feed of statuses of each organisation has each of its requests once, in their order. */
  async compareStatuses() {
    for (const by of this.#world.organisations) {
      const { body } = await this.#observer.get({
        by,
        scope: ROAD,
        path: `${STATUSES}?limit=1000`,
      });
      const found = body.map(({ requestId }) => requestId);
      const problem = different(`requests of ${by}`, found, this.#journeys.requests[by]);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** Undecided goods would be decided when a later episode applies its profile. */
  async end() {
    await this.#service.settle();
    for (const [of, { mrn, routing }] of this.#journeys.messages) {
      const { content, level } = this.#journeys.messages.get(of);
      if (level !== 'house-consignment' || routing !== undefined || mrn === undefined) continue;
      const operation = { name: 'decide', content, routing: 'TO_ENTRY' };
      await this.#client.send(0, requestOf(operation, mrn, this.#world));
    }
  }
}
