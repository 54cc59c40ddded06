// Every operation that has pages is iterated to its last page, by its method and by `readList`. The operations are found, so a
// new one is tested too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnexpectedResponseError } from '../errors/landfall-error.js';
import type { Fetch } from '../http/send-request.js';
import { Landfall } from '../landfall.js';
import * as operations from '../operations/operations.js';
import { sampleOf } from '../testing/callables.js';
import { type List, readList } from './list.js';
import type { Operation } from './operation.js';
import { pageResult } from './result-form.js';

const PAGES = 3;
const requests: string[] = [];

/** Gives pages of two entries; the query of the first goes into each link. */
const fetchPages: Fetch = async (input) => {
  const url = new URL(String(input));
  requests.push(`${url.pathname}${url.search}`);
  const page = Number(url.searchParams.get('marker') ?? 0) + 1;
  url.searchParams.set('marker', String(page));
  const headers = page < PAGES ? { link: `<${url}>; rel="next"` } : {};
  return Response.json([{ entry: 2 * page - 1 }, { entry: 2 * page }], { headers });
};

const tokens = { getToken: async () => 'token', discard: () => undefined };
const makeLandfall = (fetch = fetchPages) =>
  new Landfall({ baseUrl: 'https://customs.example', tokens, fetch, retry: false });

// The cast is true because the module exports operations only, and those were filtered by their form.
const lists = (Object.entries(operations) as [string, Operation][]).filter(
  ([, { result }]) => result === pageResult,
);

test('there are lists', () => assert(lists.length >= 10));

for (const [name, operation] of lists) {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, part = '']) => part);
  // The methods know the version of each mode.
  const parameters = names.filter((part) => part !== 'version').map(sampleOf);
  const body = operation.body === undefined ? [] : [{}];
  const call = (landfall: Landfall): List<{ entry: number }, object> =>
    // Each operation has a method of its name.
    Reflect.get(landfall, name).call(landfall, ...parameters, ...body, { limit: 2 });

  test(`${name}: all entries are iterated, page by page, and one page is awaited`, async () => {
    requests.length = 0;
    const entries: number[] = [];
    for await (const { entry } of call(makeLandfall())) {
      entries.push(entry);
      // A page is read when the loop needs it.
      assert.equal(requests.length, Math.ceil(entry / 2));
    }
    assert.deepEqual(entries, [1, 2, 3, 4, 5, 6]);
    assert(requests.every((request) => request.includes('limit=2')));
    const page = await call(makeLandfall());
    assert.equal(page.entries.length, 2);
    assert.equal(requests.length, PAGES + 1);
    for await (const { entries: first } of call(makeLandfall()).pages()) {
      assert.equal(first.length, 2);
      break;
    }
    assert.equal(requests.length, PAGES + 2);
  });
}

test('readList does the same for small bundles', async () => {
  const found = [];
  for await (const entry of readList(makeLandfall(), operations.listOrganisations, {})) {
    found.push(entry);
  }
  assert.equal(found.length, 6);
});

test('a page that names itself as the next one ends the loop with an error', async () => {
  const landfall = makeLandfall(async (input) =>
    Response.json([], {
      headers: { link: `<${new URL('?marker=1', String(input))}>; rel="next"` },
    }),
  );
  await assert.rejects(async () => {
    for await (const _ of landfall.listOrganisations());
  }, UnexpectedResponseError);
});

test('pages that name each other as the next one end the loop with an error', async () => {
  for (const count of [2, 5]) {
    let requests = 0;
    const landfall = makeLandfall(async (input) => {
      requests += 1;
      if (requests > 100) throw new RangeError('hammered');
      const page = (Number(new URL(String(input)).searchParams.get('marker')) + 1) % count;
      const link = `<${new URL(`?marker=${page}`, String(input))}>; rel="next"`;
      return Response.json([], { headers: { link } });
    });
    await assert.rejects(async () => {
      for await (const _ of landfall.listOrganisations());
    }, UnexpectedResponseError);
    assert(requests <= 3 * count);
  }
});

test('a page that fails rejects the loop, and what is not awaited is rejected as any promise', async () => {
  const landfall = makeLandfall(async (input) => {
    const isFirst = !String(input).includes('marker');
    return isFirst ? fetchPages(input) : new Response(null, { status: 404 });
  });
  const found: unknown[] = [];
  await assert.rejects(async () => {
    for await (const entry of landfall.listOrganisations()) found.push(entry);
  }, /404/);
  assert.equal(found.length, 2);
});
