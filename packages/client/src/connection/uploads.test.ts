// Uploads in every form, and results that come while lines are still sent.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { RoutingDecision } from '../contract/types.js';
import { ApiError } from '../errors/api-error.js';
import { ConnectionError, TimeoutError } from '../errors/connection-error.js';
import type { LineSource } from '../http/upload.js';
import { startFaultyProxy } from '../testing/faulty-proxy.js';
import { startTestPlayground } from '../testing/playground.js';
import { GrantTokens } from '../tokens/grant-tokens.js';

const playground = await startTestPlayground();
const proxy = await startFaultyProxy(playground.baseUrl);
const authority = await playground.client('authority', {
  baseUrl: proxy.url,
  retry: { baseDelayMs: 5 },
});

const decisions: RoutingDecision[] = ['HC001', 'HC002'].map((documentNumber) => ({
  mrn: '23NO00000000000003',
  transportDocumentHouseLevel: { documentNumber, type: 'N740' },
  routing: 'TO_CONTROL',
}));
const text = decisions.map((decision) => `${JSON.stringify(decision)}\n`).join('');
const bytes = new TextEncoder().encode(text);
await (await authority.postRoutingDecisions(decisions)).toArray();

test.beforeEach(() => {
  proxy.requests.length = 0;
});

async function* each<Item>(...items: Item[]): AsyncGenerator<Item, void, undefined> {
  for (const item of items) {
    await delay(1);
    yield item;
  }
}

const sources: Record<string, () => LineSource<RoutingDecision>> = {
  'an array': () => decisions,
  'a set': () => new Set(decisions),
  'a generator of objects': () => each(...decisions),
  'a text': () => text,
  bytes: () => bytes,
  'a Blob': () => new Blob([text]),
  'a stream of bytes': () => new Blob([text]).stream(),
  'a generator of pieces': () =>
    each<string | Uint8Array>(bytes.subarray(0, 99), bytes.subarray(99, 100), text.slice(100)),
};
for (const [name, open] of Object.entries(sources)) {
  test(`lines are uploaded from ${name}`, async () => {
    const results = await (await authority.postRoutingDecisions(open())).toArray();
    assert.deepEqual(
      results.map(({ line, status }) => [line, status]),
      [
        [1, 'UNCHANGED'],
        [2, 'UNCHANGED'],
      ],
    );
  });
}

test('CSV is uploaded from pieces', async () => {
  const offices = each(
    'reference_number,name\n',
    'NO351001,Gardermoen\n',
    'NO361001,Kristiansand\n',
  );
  const imported = await authority.importCustomsOffices(offices, { expectedRemovals: 47 });
  assert.equal(imported.entries, 2);
});

test('results come while lines are still sent', async () => {
  const results: number[] = [];
  async function* slow() {
    yield decisions[0] ?? {};
    while (results.length === 0) await delay(5);
    yield decisions[1] ?? {};
  }
  // True because the array has two elements.
  const source = slow() as AsyncGenerator<RoutingDecision>;
  for await (const { line } of await authority.postRoutingDecisions(source)) results.push(line);
  assert.deepEqual(results, [1, 2]);
});

test('an upload that can be sent again is repeated, a stream is not', async () => {
  proxy.fail('/routing-decisions', { status: 429 }, { status: 429 });
  assert.equal((await (await authority.postRoutingDecisions(decisions)).toArray()).length, 2);
  assert.equal(proxy.requests.length, 3);
  proxy.fail('/routing-decisions', 'lost-response');
  assert.equal((await (await authority.postRoutingDecisions(decisions)).toArray()).length, 2);
  assert.equal(proxy.requests.length, 5);

  proxy.fail('/routing-decisions', { status: 429 }, 'lost-response');
  const uploading = authority.postRoutingDecisions(text);
  await assert.rejects(uploading, (error) => error instanceof ConnectionError);
  assert.equal(proxy.requests.length, 7);
  proxy.fail('/routing-decisions', 'lost-response');
  const repeated = await authority.postRoutingDecisions(text, { repeatUnknown: true });
  assert.equal((await repeated.toArray()).length, 2);
  assert.equal(proxy.requests.length, 9);

  proxy.fail('/routing-decisions', { status: 429 });
  const streaming = authority.postRoutingDecisions(each(...decisions));
  await assert.rejects(streaming, (error) => error instanceof ApiError && error.status === 429);
  assert.equal(proxy.requests.length, 10);
});

test('a source that a failed attempt has ended is not sent as if it were empty', async () => {
  let attempts = 0;
  const client = await playground.client('authority', {
    retry: { baseDelayMs: 5 },
    fetch: (input, init) => {
      const isUpload = String(input).includes('routing-decisions');
      // It rejects before it touches the body, as when nobody listens.
      if (isUpload && ++attempts === 1) {
        return Promise.reject(
          new TypeError('fetch failed', {
            cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
          }),
        );
      }
      return fetch(input, init);
    },
  });
  await assert.rejects(async () => {
    await (await client.postRoutingDecisions(each(...decisions))).toArray();
  }, ConnectionError);
});

test('a decision that is repeated does not undo what was decided meanwhile', async () => {
  const [decision] = decisions;
  assert(decision !== undefined);
  let deciding: Promise<unknown> | undefined;
  const engine = await playground.client('authority', {
    baseUrl: proxy.url,
    retry: { baseDelayMs: 1000 },
    // After the first attempt, whose response is lost.
    hooks: { onRetry: () => (deciding = authority.postRoutingDecisions([decision])) },
  });
  proxy.fail('/routing-decisions', 'lost-response');
  const released = await engine.postRoutingDecisions([{ ...decision, routing: 'TO_ENTRY' }]);
  const [result] = await released.toArray();
  assert.equal(result?.status, 'REPEATED');
  await deciding;
  const found = await authority.searchHouseConsignments({ identifier: 'HC001' });
  assert.equal(found.houseConsignments[0]?.routing, 'TO_CONTROL');
});

test('a source may be slower than the time limit, the service may not', async () => {
  async function* slow() {
    for (const decision of decisions) {
      await delay(1200);
      yield decision;
    }
  }
  // A busy machine responds within this time.
  const options = { timeoutMs: 1000 };
  const results = await (await authority.postRoutingDecisions(slow(), options)).toArray();
  assert.equal(results.length, 2);

  proxy.fail('/routing-decisions', 'silence');
  await assert.rejects(authority.postRoutingDecisions(each(...decisions), options), TimeoutError);
});

test('a reader may be slower than the time limit', async () => {
  const lines: number[] = [];
  const results = await authority.postRoutingDecisions(decisions, { timeoutMs: 1000 });
  for await (const { line } of results) {
    await delay(1200);
    lines.push(line);
  }
  assert.deepEqual(lines, [1, 2]);
});

test('results that break off are an error', async () => {
  proxy.fail('/routing-decisions', 'cut-response');
  const results = await authority.postRoutingDecisions(decisions);
  await assert.rejects(results.toArray(), ConnectionError);
});

/** A source that never ends by itself. */
function startEndless() {
  const source = { isEnded: false, decisions: yieldEndlessly() };
  async function* yieldEndlessly() {
    try {
      for (;;) {
        await delay(1);
        yield* decisions;
      }
    } finally {
      source.isEnded = true;
    }
  }
  const waitForEnd = async () => {
    for (let count = 0; count < 100 && !source.isEnded; count++) await delay(10);
    assert(source.isEnded);
  };
  return { source: source.decisions, waitForEnd };
}

test('a reader that stops ends the upload', async () => {
  const { source, waitForEnd } = startEndless();
  for await (const _ of await authority.postRoutingDecisions(source)) break;
  await waitForEnd();
});

test('a refusal ends the upload', async () => {
  const { source, waitForEnd } = startEndless();
  proxy.fail('/routing-decisions', { status: 413 });
  const uploading = authority.postRoutingDecisions(source);
  await assert.rejects(uploading, (error) => error instanceof ApiError && error.status === 413);
  await waitForEnd();
});

test('a signal ends the upload', async () => {
  const { source, waitForEnd } = startEndless();
  const signal = AbortSignal.timeout(200);
  const uploading = async () =>
    (await authority.postRoutingDecisions(source, { signal })).toArray();
  await assert.rejects(uploading(), (error) => error === signal.reason);
  await waitForEnd();
});

test('results as lines end with a summary where the client asks for it, and only there', async () => {
  const token = await new GrantTokens(await playground.credentials('authority')).getToken([
    'authority/routing',
  ]);
  const registryToken = await new GrantTokens(await playground.credentials('authority')).getToken([
    'authority/registry',
  ]);
  const post = async (path: string, type: string, prefer: string | undefined) => {
    const response = await fetch(`${playground.baseUrl}/api/authority/v1/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${path === 'routing-decisions' ? token : registryToken}`,
        accept: 'application/x-ndjson',
        'content-type': type,
        ...(prefer !== undefined && { prefer }),
      },
      body: type === 'application/json' ? JSON.stringify([...decisions, {}]) : `${text}{}\n`,
    });
    const lines = (await response.text()).trimEnd().split('\n');
    const last: unknown = JSON.parse(lines.at(-1) ?? '');
    return { applied: response.headers.get('preference-applied'), lines, last };
  };
  for (const [path, type] of [
    ['routing-decisions', 'application/json'],
    ['routing-decisions', 'application/x-ndjson'],
    ['entry-summary-declarations', 'application/x-ndjson'],
  ] as const) {
    const accepted = path === 'routing-decisions' ? 2 : 0;
    for (const prefer of ['summary', 'respond-async, Summary', 'summary;x=1, wait=1']) {
      const { applied, lines, last } = await post(path, type, prefer);
      assert.deepEqual([applied, lines.length], ['summary', 4]);
      assert.deepEqual(last, { summary: { lines: 3, accepted, refused: 3 - accepted } });
    }
    for (const prefer of [undefined, 'wait=1', 'no-summary']) {
      const { applied, lines } = await post(path, type, prefer);
      assert.deepEqual([applied, lines.length], [null, 3]);
    }
  }
});
