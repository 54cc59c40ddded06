// Presenting and following under random faults, compared with a model of the service: what is reported is what the service has,
// each item once, each entry once and in order, through aborts and restarts. LANDFALL_SEED repeats a run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MemoryMarkerStore } from './following/marker-store.js';
import { Landfall } from './landfall.js';
import { MemoryJournal } from './settling/journal.js';
import { type Respond, startPeer } from './testing/hostile-peer.js';

const seed = Number(process.env.LANDFALL_SEED ?? Math.floor(Math.random() * 1e9));
const RUNS = Number(process.env.LANDFALL_RUNS ?? 30);

const kinds = [
  'lost request',
  'lost response',
  'cut',
  'twice',
  'page',
  'redirect',
  'firewall',
  503,
  500,
  429,
  408,
] as const;
type Fault = (typeof kinds)[number] | 'none';

/** What the service has: each requestId once, and one entry of the feed for each. */
class Model {
  readonly accepted: string[] = [];
  readonly documents: string[] = [];
  /** How often it was said that there are no more entries. */
  emptyPages = 0;

  /** The status and body of the response to a request that arrives. */
  carryOut(
    method: string,
    url: URL,
    body: string,
  ): { status: number; text: string; link?: string } {
    if (method === 'POST') return this.#present(body);
    if (url.pathname.includes('/validation-status/')) {
      const requestId = url.pathname.split('/').at(-1) ?? '';
      if (!this.accepted.includes(requestId)) return { status: 404, text: '{}' };
      const notificationDate = new Date().toISOString();
      return {
        status: 200,
        text: JSON.stringify({ requestId, status: 'SUCCESS', notificationDate }),
      };
    }
    const marker = url.searchParams.get('marker');
    const from = marker === null ? 0 : this.accepted.indexOf(marker) + 1;
    const page = this.accepted.slice(from, from + 2);
    const text = JSON.stringify(page.map((id) => ({ routingResult: { id } })));
    const last = page.at(-1);
    if (last === undefined) this.emptyPages += 1;
    return last === undefined
      ? { status: 200, text }
      : { status: 200, text, link: `<${url.pathname}?marker=${last}>; rel="next"` };
  }

  #present(body: string): { status: number; text: string } {
    const { requestId, transportDocumentHouseLevel: document } = JSON.parse(body);
    if (this.accepted.includes(requestId)) {
      const error = { field: 'requestId', error: 'was used', code: 'REQUEST_ID_REUSED' };
      return { status: 400, text: JSON.stringify({ title: 'x', validationErrors: [error] }) };
    }
    this.accepted.push(requestId);
    this.documents.push(document.documentNumber);
    this.emptyPages = 0;
    return { status: 202, text: JSON.stringify({ requestId }) };
  }
}

const peer = await startPeer();

/** Responds as the model has it, with one fault after the other, and afterwards without. */
function respondWith(model: Model, faults: Fault[]): Respond {
  return (request, response, body) => {
    const url = new URL(request.url ?? '', peer.url);
    const fault = faults.shift() ?? 'none';
    if (fault === 'lost request') return void request.socket.destroy();
    if (fault === 'page') return void response.end('<html>Sign in</html>');
    if (fault === 'redirect') return void response.writeHead(302, { location: '/login' }).end();
    if (fault === 'firewall') return void response.writeHead(403).end('<html>Blocked</html>');
    if (typeof fault === 'number') return void response.writeHead(fault).end();
    // There are no streams of events: the client falls back to pages.
    if (request.headers.accept === 'text/event-stream') return void response.writeHead(406).end();
    const first = model.carryOut(request.method ?? '', url, body);
    const { status, text, link } =
      fault === 'twice' ? model.carryOut(request.method ?? '', url, body) : first;
    if (fault === 'lost response') return void request.socket.destroy();
    response.writeHead(status, { ...(link && { link }), connection: 'close' });
    const entries = /^(\[\{.*?\}\}),/.exec(text)?.[1];
    // A list that was cut at the end of an entry, and looks whole.
    response.end(fault === 'cut' && entries !== undefined ? `${entries}]` : text);
  };
}

const options = () => ({
  baseUrl: peer.url,
  tokens: { getToken: async () => 'token', discard: () => undefined },
  timeoutMs: 5_000,
  retry: { baseDelayMs: 1, maxDelayMs: 2 },
});

const parcel = (number: number) =>
  ({
    customsOfficeOfPresentation: 'NO351001',
    transportDocumentHouseLevel: { documentNumber: `D${number}`, type: 'N740' },
  }) as const;

type Plan = { items: number; faults: Fault[]; aborts: number[]; followsLater: boolean };

/** Presents all items through aborts, as a program that is started again until every item has an outcome. */
async function presentAll(model: Model, { items, aborts }: Plan): Promise<void> {
  const landfall = new Landfall(options());
  const journal = new MemoryJournal();
  const source = Array.from({ length: items }, (_, index) => parcel(index));
  for (let run = 0; ; run++) {
    assert(run < 200, 'it does not come to an end');
    const controller = new AbortController();
    let missing = items;
    try {
      const settings = { journal, signal: controller.signal, settleWithinMs: 200, concurrency: 3 };
      let count = 0;
      for await (const { item, outcome, requestId } of landfall.presentMany(source, settings)) {
        assert.notEqual(outcome, 'refused', 'nothing is refused by the model');
        if (outcome === 'presented') {
          missing -= 1;
          const at = model.accepted.indexOf(requestId);
          assert.equal(model.documents[at], item.transportDocumentHouseLevel.documentNumber);
        }
        count += 1;
        if (count === aborts[run]) controller.abort();
      }
    } catch (error) {
      // What the model contradicts is no failure of the service.
      if (error instanceof assert.AssertionError) throw error;
    }
    if (missing === 0) return;
  }
}

/** Whoever is told so often that there are no more entries, and has not handed out all, has lost some. */
const EMPTY_PAGES = 20;

/** Pauses grow with each failure: a program is started again after so long, and each time after so much more, in milliseconds. */
const RESTART_MS = 300;

/** Follows the feed until so many entries were handed out, with a new loop after each failure and now and then. */
async function followAll(model: Model, count: number, restartAfter: number): Promise<string[]> {
  const store = new MemoryMarkerStore();
  const seen: string[] = [];
  const isLost = () => model.documents.length >= count && model.emptyPages > EMPTY_PAGES;
  for (let run = 1; seen.length < count && !isLost(); run++) {
    const landfall = new Landfall(options());
    const controller = new AbortController();
    const watch = setInterval(() => isLost() && controller.abort(), 100);
    const restart = setTimeout(() => controller.abort(), run * RESTART_MS);
    const following = landfall.followRouting({
      store,
      signal: controller.signal,
      pollIntervalMs: 5,
      modes: ['events', 'poll'],
    });
    try {
      let handled = 0;
      for await (const { routingResult } of following) {
        // The entry in hand is the first one of the next loop, so it is not processed before the break.
        if (++handled > restartAfter) break;
        seen.push(routingResult.id);
        if (seen.length === count) break;
      }
    } catch {
      // A program that is started again.
    } finally {
      clearInterval(watch);
      clearTimeout(restart);
    }
  }
  return seen;
}

test(`random faults (seed ${seed})`, async () => {
  const plans = fc.record<Plan>({
    items: fc.integer({ min: 1, max: 9 }),
    faults: fc.array(fc.constantFrom<Fault[]>('none', 'none', 'cut', 'cut', ...kinds), {
      maxLength: 40,
    }),
    followsLater: fc.boolean(),
    aborts: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(plans, fc.integer({ min: 1, max: 4 }), async (plan, restartAfter) => {
      const model = new Model();
      peer.respond = respondWith(model, [...plan.faults]);
      const presenting = presentAll(model, plan);
      // A follower that begins later reads pages with several entries.
      if (plan.followsLater) await presenting;
      if (plan.followsLater) peer.respond = respondWith(model, [...plan.faults]);
      const [, seen] = await Promise.all([presenting, followAll(model, plan.items, restartAfter)]);
      const documents = Array.from({ length: plan.items }, (_, index) => `D${index}`);
      assert.deepEqual([...model.documents].sort(), documents, 'each item is presented once');
      assert.deepEqual(seen, model.accepted, 'each entry is handed out once, in order');
    }),
    { seed, numRuns: RUNS, endOnFailure: true, includeErrorInReport: true },
  );
});
