// Arrivals over HTTP: how many were presented, and which of them wait for a decision.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ArrivalCounts, UndecidedArrival } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const BASE = '/api/authority/v1';
const MRN = '26NO00000000000042';
const HOUR_MS = 3_600_000;

/** The beginning of the next hour: tokens are valid around it. */
const HOUR = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
const MINUTE_MS = 60_000;

/** A time that long after the beginning of the hour, in milliseconds. */
const time = (milliseconds: number) => new Date(HOUR + milliseconds).toISOString();

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`arrivals on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
      await setClock(-2 * MINUTE_MS);
    });
    after(() => playground.close());

    const setClock = async (milliseconds: number) => {
      const response = await fetch(`${playground.playground.baseUrl}/playground/clock`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ time: time(milliseconds), running: false }),
      });
      assert.equal(response.status, 200);
    };

    const count = async (query: Record<string, string> = {}): Promise<ArrivalCounts> => {
      const response = await playground.get(
        `${BASE}/arrivals?${new URLSearchParams(query)}`,
        'authority',
      );
      assert.equal(response.status, 200, response.text);
      // The cast is true because the response was checked against openapi.json.
      return response.body as ArrivalCounts;
    };
    const list = async (query: Record<string, string> = {}) => {
      const response = await playground.get(
        `${BASE}/undecided-arrivals?${new URLSearchParams(query)}`,
        'authority',
      );
      assert.equal(response.status, 200, response.text);
      // The cast is true because the response was checked against openapi.json.
      const waiting = response.body as UndecidedArrival[];
      return {
        waiting,
        documents: waiting.map((one) => one.transportDocumentHouseLevel.documentNumber),
        next: response.headers.get('link')?.match(/marker=([0-9a-f-]+)/)?.[1],
      };
    };
    const decide = async (documentNumber: string, routing: string) => {
      const response = await playground.post(`${BASE}/routing-decisions`, 'authority', [
        { mrn: MRN, transportDocumentHouseLevel: { documentNumber, type: 'N740' }, routing },
      ]);
      assert.equal(response.status, 200, response.text);
    };
    const presentHouse = (documentNumber: string, as: string, office: string) =>
      playground.present('house-consignment', as, {
        transportDocumentHouseLevel: { documentNumber, type: 'N740' },
        mrn: MRN,
        customsOfficeOfPresentation: office,
      });

    test('each first presentation counts in its hour and at its office, with its current decision', async () => {
      const put = await playground.call(`${BASE}/entry-summary-declarations/${MRN}`, {
        as: 'authority',
        method: 'PUT',
        body: {
          mrn: MRN,
          customsOfficeOfFirstEntry: 'NO351001',
          declarant: '0192:310000078',
          houseConsignments: ['W1', 'W2', 'W3', 'W4'].map((documentNumber) => ({
            transportDocumentHouseLevel: { documentNumber, type: 'N740' },
            ...(documentNumber === 'W2' && {
              receptacleId: 'GBASFZMLBKONAUN30001001019999',
              containerId: ['JARU0000010', 'JARU0000026'],
            }),
          })),
        },
      });
      assert.equal(put.status, 201, put.text);
      await decide('W4', 'TO_CONTROL');
      assert.deepEqual((await count()).arrivals, []);

      await setClock(-MINUTE_MS);
      await presentHouse('W2', 'carrier', 'NO351001');
      await setClock(-1);
      await presentHouse('W1', 'carrier', 'NO342001');
      await setClock(0);
      await playground.present('entry-summary-declaration', 'forwarder', {
        mrn: MRN,
        customsOfficeOfPresentation: 'NO351001',
      });
      // Presenting again is no arrival.
      await setClock(MINUTE_MS);
      await presentHouse('W1', 'carrier', 'NO351001');
      await presentHouse('W3', 'express', 'NO351001');

      const none = { toControl: 0, toEntry: 0 };
      const expected = [
        {
          customsOfficeOfPresentation: 'NO342001',
          hour: time(-HOUR_MS),
          presented: 1,
          ...none,
          undecided: 1,
          oldestUndecided: time(-1),
        },
        {
          customsOfficeOfPresentation: 'NO351001',
          hour: time(-HOUR_MS),
          presented: 1,
          ...none,
          undecided: 1,
          oldestUndecided: time(-MINUTE_MS),
        },
        {
          customsOfficeOfPresentation: 'NO351001',
          hour: time(0),
          presented: 2,
          toControl: 1,
          toEntry: 0,
          undecided: 1,
          oldestUndecided: time(0),
        },
      ];
      const all = await count();
      assert.deepEqual(all, {
        from: time(MINUTE_MS - 24 * HOUR_MS),
        to: time(MINUTE_MS),
        arrivals: expected,
      });
      const atOne = await count({ office: 'NO342001' });
      assert.deepEqual(atOne.arrivals, expected.slice(0, 1));
      // The beginning of a range belongs to it, and its end does not.
      const hour = await count({ from: time(-MINUTE_MS), to: time(0) });
      assert.deepEqual(hour.arrivals, expected.slice(0, 2));
      assert.deepEqual((await count({ from: time(1) })).arrivals, []);
    });

    test('what waits for a decision is listed by the time of its first presentation, page by page', async () => {
      const { waiting, documents, next } = await list();
      assert.deepEqual(documents, ['W2', 'W1', 'W3']);
      assert.equal(next, undefined);
      assert.deepEqual(
        waiting.map(({ presentedAt, customsOfficeOfPresentation: office }) => [
          presentedAt,
          office,
        ]),
        [
          [time(-MINUTE_MS), 'NO351001'],
          [time(-1), 'NO342001'],
          [time(0), 'NO351001'],
        ],
      );
      // As an officer's queue shows and filters them.
      const shown = waiting.map((one) => [
        one.customsOfficeOfFirstEntry,
        one.declarant,
        one.receptacleId,
        one.containerId,
      ]);
      assert.deepEqual(shown, [
        [
          'NO351001',
          '0192:310000078',
          'GBASFZMLBKONAUN30001001019999',
          ['JARU0000010', 'JARU0000026'],
        ],
        ['NO351001', '0192:310000078', undefined, undefined],
        ['NO351001', '0192:310000078', undefined, undefined],
      ]);
      assert.deepEqual((await list({ office: 'NO342001' })).documents, ['W1']);
      const first = await list({ limit: '2' });
      assert.deepEqual(first.documents, ['W2', 'W1']);
      assert(first.next);
      // A marker that was decided meanwhile still leads to the next page.
      await decide('W1', 'TO_ENTRY');
      assert.deepEqual((await list({ limit: '2', marker: first.next })).documents, ['W3']);
      assert.deepEqual((await list()).documents, ['W2', 'W3']);
      // The same decision again, and another one, change nothing of that.
      await decide('W1', 'TO_ENTRY');
      await decide('W1', 'TO_CONTROL');
      assert.deepEqual((await list()).documents, ['W2', 'W3']);
      const [counted] = (await count({ office: 'NO342001' })).arrivals;
      assert.deepEqual([counted?.toControl, counted?.undecided], [1, 0]);
      assert.equal(counted?.oldestUndecided, undefined);
    });

    test('a range that is too long or ends before it begins is refused, and so is an unknown marker', async () => {
      const to = time(0);
      const week = new Date(Date.parse(to) - 7 * 24 * HOUR_MS).toISOString();
      await count({ from: week, to });
      const tooEarly = new Date(Date.parse(week) - 1).toISOString();
      for (const [path, query, error] of [
        ['arrivals', { from: tooEarly, to }, 'from SIZE'],
        ['arrivals', { from: to, to }, 'from SIZE'],
        ['arrivals', { from: 'yesterday' }, 'from FORMAT'],
        ['arrivals', { office: 'Oslo' }, 'office FORMAT'],
        ['undecided-arrivals', { marker: randomUUID() }, 'marker UNKNOWN_MARKER'],
        ['undecided-arrivals', { marker: 'x' }, 'marker FORMAT'],
        ['undecided-arrivals', { limit: '0' }, 'limit FORMAT'],
      ] as const) {
        const response = await playground.get(
          `${BASE}/${path}?${new URLSearchParams(query)}`,
          'authority',
        );
        assert.equal(response.status, 400, error);
        const { validationErrors } = response.body as {
          validationErrors: { field: string; code: string }[];
        };
        assert.deepEqual(
          validationErrors.map(({ field, code }) => `${field} ${code}`),
          [error],
        );
      }
      for (const path of ['arrivals', 'undecided-arrivals']) {
        assert.equal((await playground.get(`${BASE}/${path}`, 'carrier')).status, 403);
      }
    });
  });
}
