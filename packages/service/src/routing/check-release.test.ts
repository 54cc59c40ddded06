// Checking whether goods may be released, over HTTP and by the rule.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HouseConsignmentEvent, ReleaseCheck } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';
import { checkRelease } from './check-release.js';

const CHECK = '/api/movement/routing/v1/release';
const AUTHORITY = '/api/authority/v1';
const RECEPTACLE = 'GBASFZMLBKONAUN30001001019999';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`checking releases on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    let database: Database;
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database);
    });
    after(() => playground.close());

    const respond = (identifier: string, as: string) =>
      playground.get(`${CHECK}?identifier=${encodeURIComponent(identifier)}`, as);
    const check = async (identifier: string, as: string): Promise<ReleaseCheck> => {
      const response = await respond(identifier, as);
      assert.equal(response.status, 200, response.text);
      // The cast is true because the response was checked against openapi.json.
      return response.body as ReleaseCheck;
    };
    const documentsOf = ({ houseConsignments }: ReleaseCheck) =>
      houseConsignments.map(
        ({ transportDocumentHouseLevel, state }) =>
          `${transportDocumentHouseLevel.documentNumber} ${state}`,
      );
    /** Registers a declaration of houses with the given decisions. */
    const register = async (
      mrn: string,
      houses: { documentNumber: string; routing?: string; routingControlLocation?: string }[],
      containerId?: string,
    ) => {
      const response = await playground.call(`${AUTHORITY}/entry-summary-declarations/${mrn}`, {
        as: 'authority',
        method: 'PUT',
        body: {
          mrn,
          customsOfficeOfFirstEntry: 'NO351001',
          declarant: playground.credentials('forwarder').organisation,
          houseConsignments: houses.map(({ documentNumber, ...decision }) => ({
            transportDocumentHouseLevel: { documentNumber, type: 'N740' },
            ...(containerId && { containerId: [containerId] }),
            ...decision,
          })),
        },
      });
      assert.equal(response.status, 201, response.text);
    };
    const present = async (level: string, as: string, reference: Record<string, unknown>) => {
      const response = await playground.present(level, as, reference);
      assert.equal(response.status, 202, response.text);
    };
    const decide = async (mrn: string, documentNumber: string, routing: string) => {
      const response = await playground.post(`${AUTHORITY}/routing-decisions`, 'authority', [
        { mrn, transportDocumentHouseLevel: { documentNumber, type: 'N740' }, routing },
      ]);
      assert.equal(response.status, 200, response.text);
    };

    test('presented goods are found by each of their identifiers, also in small letters with blanks', async () => {
      await present('entry-summary-declaration', 'carrier', { mrn: '23NO00000000000003' });
      await present('container', 'carrier', { containerId: 'JARU0000026' });
      const cases: [string, Partial<ReleaseCheck>][] = [
        ['HC001', { outcome: 'TO_ENTRY', toEntry: 1 }],
        ['hc 001', { outcome: 'TO_ENTRY', toEntry: 1 }],
        ['HC002', { outcome: 'TO_CONTROL', toControl: 1, routingControlLocation: 'ON_ENTRY' }],
        ['23NO00000000000003', { outcome: 'TO_CONTROL', toEntry: 1, toControl: 1 }],
        ['MAWB0003', { outcome: 'TO_CONTROL', toEntry: 1, toControl: 1 }],
        ['JARU 0000026', { outcome: 'TO_ENTRY', toEntry: 1 }],
      ];
      for (const [identifier, expected] of cases) {
        const found = await check(identifier, 'carrier');
        assert.deepEqual({ ...found, ...expected }, found, identifier);
        assert(found.complete);
      }
      const { houseConsignments } = await check('mawb0003', 'carrier');
      assert.deepEqual(
        houseConsignments.map(({ documentIssueDate, ...one }) => {
          assert(documentIssueDate !== undefined);
          return one;
        }),
        [
          ['HC002', { state: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY' }] as const,
          ['HC001', { state: 'TO_ENTRY' }] as const,
        ].map(([documentNumber, decision]) => ({
          entrySummaryDeclarationMRN: '23NO00000000000003',
          transportDocumentHouseLevel: {
            documentNumber,
            referenceNumber: documentNumber,
            type: 'N740',
          },
          transportDocumentMasterLevel: { documentNumber: 'MAWB0003', type: 'N741' },
          ...decision,
        })),
      );
    });

    test('the outcome follows presentation and decisions, and one consignment to control decides for all', async () => {
      const mrn = '26NO00000000000011';
      await register(mrn, [
        { documentNumber: 'F1' },
        { documentNumber: 'F2', routing: 'TO_ENTRY' },
      ]);
      assert.equal((await check(mrn, 'carrier')).outcome, 'UNKNOWN');
      assert.deepEqual(documentsOf(await check(mrn, 'authority')).sort(), [
        'F1 NOT_PRESENTED',
        'F2 NOT_PRESENTED',
      ]);
      await present('entry-summary-declaration', 'carrier', { mrn });
      const undecided = await check(mrn, 'carrier');
      assert.equal(undecided.outcome, 'UNDECIDED');
      assert.deepEqual(documentsOf(undecided), ['F1 UNDECIDED', 'F2 TO_ENTRY']);
      await decide(mrn, 'F1', 'TO_ENTRY');
      assert.equal((await check(mrn, 'carrier')).outcome, 'TO_ENTRY');
      await decide(mrn, 'F2', 'TO_CONTROL');
      for (const identity of ['carrier', 'forwarder', 'authority']) {
        const { outcome, toEntry, toControl } = await check(mrn, identity);
        assert.deepEqual(
          { outcome, toEntry, toControl },
          { outcome: 'TO_CONTROL', toEntry: 1, toControl: 1 },
        );
      }
    });

    test('who prefers to wait gets the outcome as soon as nothing is undecided, and no other change', async () => {
      const mrn = '26NO00000000000RW1';
      await register(mrn, [{ documentNumber: 'RW1' }, { documentNumber: 'RW2' }]);
      await present('entry-summary-declaration', 'forwarder', { mrn });
      const wait = async (identifier: string, as: string, seconds: number) => {
        const begunAt = performance.now();
        const path = `${CHECK}?identifier=${identifier}`;
        const response = await playground.get(path, as, { prefer: `wait=${seconds}` });
        assert.equal(response.headers.get('preference-applied'), `wait=${seconds}`);
        // The cast is true because the response was checked against openapi.json.
        const { outcome } = response.body as ReleaseCheck;
        return { outcome, elapsedMs: performance.now() - begunAt };
      };
      const waiting = Promise.all([
        wait(mrn, 'forwarder', 60),
        wait('RW1', 'forwarder', 60),
        wait(mrn, 'authority', 60),
      ]);
      // What is there is not waited for, and what nobody may know of neither.
      assert((await wait('RW1', 'carrier', 60)).elapsedMs < 10_000);
      const over = await wait(mrn, 'forwarder', 1);
      assert.equal(over.outcome, 'UNDECIDED');
      assert(over.elapsedMs >= 990, `${over.elapsedMs}`);
      await decide(mrn, 'RW1', 'TO_ENTRY');
      await decide(mrn, 'RW2', 'TO_ENTRY');
      const [whole, one, authority] = await waiting;
      assert.deepEqual(
        [whole.outcome, one.outcome, authority.outcome],
        ['TO_ENTRY', 'TO_ENTRY', 'TO_ENTRY'],
      );
      for (const { elapsedMs } of [whole, one, authority])
        assert(elapsedMs < 30_000, `${elapsedMs}`);
    });

    test('where the control is, is said if it is the same for all', async () => {
      const mrn = '26NO00000000000012';
      const control = { routing: 'TO_CONTROL' };
      await register(mrn, [
        { documentNumber: 'L1', ...control, routingControlLocation: 'AFTER_ENTRY' },
        { documentNumber: 'L2', ...control, routingControlLocation: 'ON_ENTRY' },
      ]);
      await present('entry-summary-declaration', 'carrier', { mrn });
      assert.equal((await check('L1', 'carrier')).routingControlLocation, 'AFTER_ENTRY');
      assert.equal((await check(mrn, 'carrier')).routingControlLocation, undefined);
    });

    test('goods of others are like goods that do not exist, in everything but the name of the caller', async () => {
      await present('receptacle', 'carrier', { receptacleId: RECEPTACLE });
      const comparable = async (identifier: string) => {
        const begunAt = performance.now();
        const { status, headers, text } = await respond(identifier, 'express');
        // Neither is faster than the other: both take at least as long as looking does.
        assert(performance.now() - begunAt >= 99, identifier);
        const { date: _, ...others } = Object.fromEntries(headers);
        return { status, text, headers: others };
      };
      const unknown = await comparable('26NO99999999999999');
      assert.equal(JSON.parse(unknown.text).outcome, 'UNKNOWN');
      for (const identifier of [
        RECEPTACLE,
        'NO100000001MU',
        '23NO00000000000001',
        '23NO00000000000005',
      ]) {
        assert.deepEqual(await comparable(identifier), unknown, identifier);
      }
    });

    test('of a container with goods of several organisations, each sees its own', async () => {
      const containerId = 'JARU0000031';
      await register(
        '26NO00000000000013',
        [
          { documentNumber: 'S1', routing: 'TO_ENTRY' },
          { documentNumber: 'S2', routing: 'TO_CONTROL' },
        ],
        containerId,
      );
      const presentHouse = (as: string, documentNumber: string) =>
        present('house-consignment', as, {
          transportDocumentHouseLevel: { documentNumber, type: 'N740' },
        });
      await presentHouse('carrier', 'S1');
      await presentHouse('express', 'S2');
      for (const identifier of [containerId, '26NO00000000000013']) {
        assert.deepEqual(documentsOf(await check(identifier, 'carrier')), ['S1 TO_ENTRY']);
        assert.deepEqual(documentsOf(await check(identifier, 'express')), ['S2 TO_CONTROL']);
        const all = ['S2 TO_CONTROL', 'S1 TO_ENTRY'];
        // The declarant receives the signals of both.
        assert.deepEqual(documentsOf(await check(identifier, 'forwarder')), all);
        assert.deepEqual(documentsOf(await check(identifier, 'authority')), all);
      }
    });

    test('a refused presentation shows nothing of the goods', async () => {
      const refused = await playground.present('entry-summary-declaration', 'express', {
        mrn: '23NO00000000000004',
        customsOfficeOfPresentation: 'NO000000',
      });
      assert.equal(refused.status, 400);
      assert.equal((await check('23NO00000000000004', 'express')).outcome, 'UNKNOWN');
    });

    test('signals that a check contains are recorded as read', async () => {
      const mrn = '26NO00000000000014';
      await register(mrn, [
        { documentNumber: 'R1', routing: 'TO_ENTRY' },
        { documentNumber: 'R2', routing: 'TO_ENTRY' },
      ]);
      await present('entry-summary-declaration', 'carrier', { mrn });
      await decide(mrn, 'R1', 'TO_CONTROL');
      await check('R1', 'carrier');
      const readersOf = async (documentNumber: string) => {
        const houses = await playground.get(
          `${AUTHORITY}/house-consignments?documentNumber=${documentNumber}`,
          'authority',
        );
        // The casts are true because the responses were checked against openapi.json.
        const [{ id }] = houses.body as [{ id: string }];
        const history = await playground.get(
          `${AUTHORITY}/house-consignments/${id}/history`,
          'authority',
        );
        return (history.body as HouseConsignmentEvent[])
          .filter(({ event }) => event === 'READ')
          .map(({ organisation, client }) => ({ organisation, client }));
      };
      const { organisation, client_id: client } = playground.credentials('carrier');
      // Feed accesses are recorded within about a second.
      let readers = await readersOf('R1');
      for (let times = 0; readers.length === 0; times++) {
        assert(times < 100);
        await delay(100);
        readers = await readersOf('R1');
      }
      // Only the last signal, which is the current one.
      assert.deepEqual(readers, [{ organisation, client }]);
      assert.deepEqual(await readersOf('R2'), []);
    });

    test('more than can be examined are never released, and the count is said to be incomplete', async () => {
      const mrn = '26NO00000000000015';
      await register(
        mrn,
        ['T1', 'T2', 'T3'].map((documentNumber) => ({ documentNumber, routing: 'TO_ENTRY' })),
      );
      await present('entry-summary-declaration', 'carrier', { mrn });
      const carrier = await organisationOf(
        database,
        playground.credentials('carrier').organisation,
      );
      const limited = async (max: number): Promise<ReleaseCheck> =>
        JSON.parse((await checkRelease(database, mrn, carrier, max)).body);
      const { outcome, toEntry, complete } = await limited(2);
      assert.deepEqual(
        { outcome, toEntry, complete },
        { outcome: 'TOO_MANY', toEntry: 2, complete: false },
      );
      assert.equal((await limited(3)).outcome, 'TO_ENTRY');
    });

    test('long ranges of read signals are divided as pages are', async () => {
      const mrn = '26NO00000000000016';
      const documents = Array.from({ length: 1001 }, (_, index) => `D${index}`);
      await register(
        mrn,
        documents.map((documentNumber) => ({ documentNumber, routing: 'TO_ENTRY' })),
      );
      await present('entry-summary-declaration', 'express', { mrn });
      const express = await organisationOf(
        database,
        playground.credentials('express').organisation,
      );
      const { read, body } = await checkRelease(database, mrn, express);
      assert.deepEqual(
        read.map(({ first, last }) => last - first + 1),
        [1000, 1],
      );
      assert.equal(JSON.parse(body).houseConsignments.length, 50);
    });

    test('an identifier is required, of one line and at most 100 characters', async () => {
      for (const query of [
        '',
        '?identifier=',
        '?identifier=%20',
        '?identifier=a%0Ab',
        `?identifier=${'a'.repeat(101)}`,
      ]) {
        const response = await playground.get(`${CHECK}${query}`, 'carrier');
        assert.equal(response.status, 400, query);
        assert.match(response.text, /"field":"identifier"/);
      }
      assert.equal((await respond('HC001', 'statistics')).status, 403);
    });
  });
}
