// The same reading rules hold on every address of a feed: limit, Link, waiting, lines and events.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Operation, operations } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { makeMessage } from '../testing/goods-item-messages.js';
import { appendMovementStatuses, makeMovementStatus } from '../testing/movement-rows.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';
import { readEvents } from '../testing/read-events.js';

const STATUS = '/api/movement/presentation/v1/validation-status';
const ROUTING = '/api/movement/routing/v1/house-consignment';
const STREAM = '/api/declaration/feed/v1/goods-items';
const MOVEMENTS = '/api/movement/status/v1/validation-status';
const MRN = '23NO00000000000003';

/** An address, who reads it, and what adds an entry to what is read there. */
type FeedRead = {
  address: string;
  as: string;
  grow: (playground: TestPlayground, times: number, database: Database) => Promise<unknown>;
};

const presentContainer = (containerId: string) => (playground: TestPlayground) =>
  playground.present('container', 'carrier', { containerId }, randomUUID());

const reads: FeedRead[] = [
  { address: STATUS, as: 'carrier', grow: presentContainer('JARU0000010') },
  {
    address: `${STATUS}/${MRN}`,
    as: 'forwarder',
    grow: (playground) =>
      playground.present('entry-summary-declaration', 'forwarder', { mrn: MRN }),
  },
  // Another request between two that fail, so that the filter has something to leave out.
  {
    address: `${STATUS}?status=FAILURE`,
    as: 'carrier',
    grow: async (playground) => {
      await presentContainer('JARU0000010')(playground);
      await presentContainer('MSCU6639871')(playground);
    },
  },
  {
    address: ROUTING,
    as: 'forwarder',
    grow: (playground, times) =>
      playground.post('/api/authority/v1/routing-decisions', 'authority', [
        {
          mrn: MRN,
          transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
          routing: times % 2 === 0 ? 'TO_CONTROL' : 'TO_ENTRY',
        },
      ]),
  },
  {
    address: MOVEMENTS,
    as: 'carrier',
    grow: async (_playground, _times, database) => {
      const carrier = await organisationOf(database, '0192:310000019');
      await appendMovementStatuses(database, carrier, [makeMovementStatus()]);
    },
  },
  {
    address: STREAM,
    as: 'statistics',
    grow: (playground) => playground.post(STREAM, 'authority', makeMessage()),
  },
];

test('every operation that streams events is read here', () => {
  const streams = Object.values<Operation>(operations)
    .filter(({ responses }) =>
      Object.values(responses).some(({ content }) => content?.['text/event-stream'] !== undefined),
    )
    .map(({ path }) => path.replace('{reference}', MRN));
  const read = new Set(reads.map(({ address }) => address.replace(/\?.*/, '')));
  assert.deepEqual([...read].sort(), streams.sort());
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`every feed on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
      await playground.present('entry-summary-declaration', 'forwarder', { mrn: MRN });
    });
    after(() => playground.close());

    for (const { address, as, grow: growOnce } of reads) {
      test(`${address} has a limit, a Link, waiting, lines and events`, async () => {
        let grown = 0;
        const grow = () => growOnce(playground, grown++, database);
        const at = (parameters: string) =>
          `${address}${address.includes('?') ? '&' : '?'}${parameters}`;
        const get = (path: string, headers = {}) => playground.get(path, as, headers);
        for (let times = 0; times < 3; times++) await grow();

        const all = await get(address);
        assert.equal(all.headers.get('link'), null);
        const entries = all.body as unknown[];
        assert(entries.length >= 3, all.text);
        const lines = await get(address, { accept: 'application/x-ndjson' });
        assert.equal(`[${lines.text.trimEnd().split('\n').join(',')}]`, all.text);
        const events = await readEvents(playground, address, as, entries.length);
        assert.equal(`[${events.map(({ data }) => data).join(',')}]`, all.text);

        const first = await get(at(`limit=${entries.length - 1}`));
        assert.deepEqual(first.body, entries.slice(0, -1));
        const next = /^<http:\/\/[^/]*([^>]*)>; rel="next"$/.exec(first.headers.get('link') ?? '');
        const second = await get(next?.[1] ?? assert.fail('no Link'));
        assert.deepEqual(second.body, entries.slice(-1));
        assert.equal(second.headers.get('link'), null);

        const marker = events.at(-1)?.id ?? '';
        const nothing = await get(at(`marker=${marker}`), { prefer: 'wait=1' });
        assert.deepEqual(nothing.body, []);
        const waiting = get(at(`marker=${marker}`), { prefer: 'wait=60' });
        const following = readEvents(playground, address, as, 1, { 'last-event-id': marker });
        await delay(300);
        await grow();
        const waited = await waiting;
        assert.equal(waited.headers.get('preference-applied'), 'wait=60');
        assert.equal((waited.body as unknown[]).length, 1);
        const [followed] = await following;
        assert.equal(`[${followed?.data}]`, waited.text);
      });

      test(`${address} begins at a time`, async () => {
        const at = (parameters: Record<string, string>) =>
          `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`;
        const get = (parameters: Record<string, string>, headers = {}) =>
          playground.get(at(parameters), as, headers);
        const before = (await get({})).body as unknown[];
        await delay(5);
        const since = new Date().toISOString();
        await delay(5);
        for (const times of [10, 11]) await growOnce(playground, times, database);

        const all = await get({});
        const added = (all.body as unknown[]).slice(before.length);
        assert(before.length > 0 && added.length >= 2);
        const page = await get({ since });
        assert.deepEqual(page.body, added);
        // Written with another offset and with fractions, it is the same time.
        const shifted = new Date(Date.parse(since) + 2 * 3_600_000).toISOString();
        assert.deepEqual((await get({ since: shifted.replace('Z', '000+02:00') })).body, added);
        const first = await get({ since, limit: '1' });
        assert.deepEqual(first.body, added.slice(0, 1));
        const next = /^<http:\/\/[^/]*([^>]*)>; rel="next"$/.exec(first.headers.get('link') ?? '');
        const rest = await playground.get(next?.[1] ?? assert.fail('no Link'), as);
        assert.deepEqual(rest.body, added.slice(1, 1000));
        const events = await readEvents(playground, at({ since }), as, added.length);
        assert.equal(`[${events.map(({ data }) => data).join(',')}]`, page.text);
        // A browser that reconnects sends the address again, with the id of the last event.
        const resumed = await readEvents(playground, at({ since }), as, added.length - 1, {
          'last-event-id': events[0]?.id ?? '',
        });
        assert.deepEqual(resumed, events.slice(1));

        assert.equal((await get({ since: '2000-01-01T00:00:00Z' })).text, all.text);
        assert.deepEqual((await get({ since: '2999-01-01T00:00:00Z' })).body, []);
        // What is added before a time in the future is left out, by a read that waits and by a stream of events.
        const soon = new Date(Date.now() + 1500).toISOString();
        const waiting = get({ since: soon }, { prefer: 'wait=60' });
        const following = readEvents(playground, at({ since: soon }), as, 1);
        await delay(300);
        await growOnce(playground, 12, database);
        await delay(Date.parse(soon) + 10 - Date.now());
        const end = ((await get({})).body as unknown[]).length;
        await growOnce(playground, 13, database);
        const waited = await waiting;
        const later = ((await get({})).body as unknown[]).slice(end);
        assert.deepEqual(waited.body, later.slice(0, 1));
        assert.equal(`[${(await following)[0]?.data}]`, waited.text);

        for (const parameters of [
          { since: 'yesterday' },
          { since: '2026-02-30T00:00:00Z' },
          { since: '2026-02-20' },
          { since, marker: events[0]?.id ?? '' },
        ]) {
          const refused = await get(parameters);
          assert.equal(refused.status, 400);
          const { validationErrors } = refused.body as { validationErrors: { field: string }[] };
          assert.deepEqual(
            validationErrors.map(({ field }) => field),
            ['since'],
            refused.text,
          );
        }
      });
    }
  });
}
