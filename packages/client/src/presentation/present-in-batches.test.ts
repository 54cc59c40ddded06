// Presenting in batches: the outcomes and the journal of one by one, whatever becomes of the requests.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { Landfall } from '../landfall.js';
import { MemoryJournal } from '../settling/journal.js';

type Recorded = { status: 'SUCCESS' | 'FAILURE' };
type Body = { requestId: string; transportDocumentHouseLevel: { documentNumber: string } };

/** Presents lines as the service does: what is not pre-notified has a number that begins with X. */
class Service {
  readonly recorded = new Map<string, Recorded>();
  readonly requests: string[] = [];
  /** How many results of the next batch are sent before the connection is lost. */
  cutAfter: number | undefined;
  /** Of the next batch, the line from which on access has ended. */
  endsAt: number | undefined;
  hasBatches = true;

  respond(request: IncomingMessage, response: ServerResponse, text: string): void {
    const { method = '', url = '' } = request;
    const [, id = ''] = /validation-status\/(.*)$/.exec(url) ?? [];
    const name = url.split('/').at(-1) ?? '';
    this.requests.push(id === '' ? `${method} ${name}` : 'GET status');
    response.setHeader('content-type', 'application/json');
    if (id !== '') {
      const known = this.recorded.get(id);
      const error = { description: 'x', code: 'REFERENCE_NOT_FOUND' };
      const validationErrorList = [{ ...error, pointer: { messageElementPath: 'x' } }];
      const body = {
        requestId: id,
        ...known,
        ...(known?.status === 'FAILURE' && { validationErrorList }),
      };
      response.writeHead(known ? 200 : 404).end(JSON.stringify(known ? body : { status: 404 }));
    } else if (name !== 'batch') {
      // The cast is true because this is all that the client presents.
      const { status, ...result } = this.#present(JSON.parse(text) as Body);
      response.writeHead(status).end(JSON.stringify(result));
    } else if (!this.hasBatches) response.writeHead(404).end('{"status":404}');
    else this.#batch(response, text.trimEnd().split('\n'));
  }

  #batch(response: ServerResponse, lines: readonly string[]): void {
    const { cutAfter, endsAt } = this;
    this.cutAfter = undefined;
    this.endsAt = undefined;
    response.setHeader('content-type', 'application/x-ndjson');
    response.setHeader('preference-applied', 'summary');
    const results = lines.map((line, index) =>
      index + 1 >= (endsAt ?? Number.POSITIVE_INFINITY)
        ? { status: 400, validationErrors: [{ field: '', error: 'x', code: 'ACCESS_ENDED' }] }
        : // The cast is true as above.
          this.#present(JSON.parse(line) as Body),
    );
    const sent = results.slice(0, endsAt ?? cutAfter);
    for (const [index, result] of sent.entries()) {
      response.write(`${JSON.stringify({ line: index + 1, ...result })}\n`);
    }
    if (cutAfter !== undefined) setTimeout(() => response.destroy(), 20);
    else response.end(`${JSON.stringify({ summary: { lines: sent.length } })}\n`);
  }

  #present({ requestId, transportDocumentHouseLevel: { documentNumber } }: Body) {
    // As of a line that cannot be read, the result has no requestId.
    if (documentNumber.startsWith('?')) {
      return { status: 400, validationErrors: [{ field: 'x', error: 'x', code: 'FORMAT' }] };
    }
    const refuse = (code: string) => ({
      requestId,
      status: 400,
      validationErrors: [{ field: 'x', error: 'x', code }],
    });
    if (this.recorded.has(requestId)) return refuse('REQUEST_ID_REUSED');
    const isFound = !documentNumber.startsWith('X');
    this.recorded.set(requestId, { status: isFound ? 'SUCCESS' : 'FAILURE' });
    return isFound ? { requestId, status: 202 } : refuse('REFERENCE_NOT_FOUND');
  }
}

let service: Service;
let landfall: Landfall;
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => service.respond(request, response, Buffer.concat(parts).toString()));
});

beforeEach(async () => {
  service = new Service();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast is true of a server that listens on a port.
  const { port } = server.address() as AddressInfo;
  landfall = new Landfall({
    baseUrl: `http://127.0.0.1:${port}`,
    tokens: { getToken: async () => 'secret', discard: () => undefined },
    retry: { baseDelayMs: 5, maxDelayMs: 10 },
  });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const parcel = (documentNumber: string) => ({
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber, type: 'N740' as const },
});
const parcels = (count: number) =>
  Array.from({ length: count }, (_, index) => parcel(index % 10 === 9 ? `X${index}` : `A${index}`));

/** How many items ended in which way. */
async function present(items: Iterable<ReturnType<typeof parcel>>, journal = new MemoryJournal()) {
  const counts: Record<string, number> = {};
  const options = { journal, settleWithinMs: 20_000 };
  for await (const { outcome, isFromJournal } of landfall.presentInBatches(items, options)) {
    const name = isFromJournal ? `${outcome} before` : outcome;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test('many are sent with few requests, and again with none', async () => {
  const journal = new MemoryJournal();
  assert.deepEqual(await present(parcels(2500), journal), { presented: 2250, refused: 250 });
  assert(service.requests.length <= 4, service.requests.join());
  service.requests.length = 0;
  const before = { 'presented before': 2250, 'refused before': 250 };
  assert.deepEqual(await present(parcels(2500), journal), before);
  assert.deepEqual(service.requests, []);
});

test('after a cut, what has no result is settled: nothing is presented twice, and each has its outcome', async () => {
  service.cutAfter = 800;
  assert.deepEqual(await present(parcels(1500)), { presented: 1350, refused: 150 });
  assert.equal(service.recorded.size, 1500);
  assert(service.requests.includes('GET status'));
});

test('what was not processed because access ended is sent again, once', async () => {
  service.endsAt = 50;
  assert.deepEqual(await present(parcels(200)), { presented: 180, refused: 20 });
  assert.equal(service.recorded.size, 200);
});

test('a line that is refused without a requestId ends no other', async () => {
  const items = [parcel('?'), ...parcels(20)];
  assert.deepEqual(await present(items), { presented: 18, refused: 3 });
});

test('a service without batches is sent one by one', async () => {
  service.hasBatches = false;
  assert.deepEqual(await present(parcels(50)), { presented: 45, refused: 5 });
  assert.equal(service.requests.filter((name) => name === 'POST batch').length, 1);
});

test('one is sent at once although the source has no more yet', async () => {
  let give: () => void = () => undefined;
  const source = async function* () {
    yield parcel('A1');
    await new Promise<void>((resolve) => {
      give = resolve;
    });
    yield parcel('A2');
  };
  const outcomes = landfall.presentInBatches(source());
  assert.equal((await outcomes.next()).value?.outcome, 'presented');
  give();
  assert.equal((await outcomes.next()).value?.outcome, 'presented');
  assert.equal((await outcomes.next()).done, true);
});
