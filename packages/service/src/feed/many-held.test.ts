// Many requests that need an organisation which is held: each ends in time, and delays no request about others.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoutingDecisionResult } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';
import { openPostgresql } from '../database/postgresql.js';
import { testDatabases } from '../testing/databases.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import type { ReceivedResponse } from '../testing/openapi-responses.js';
import { TestPlayground } from '../testing/playground-client.js';
import { DECLARATIONS, declaration, house } from '../testing/registry-client.js';

const [, { skip } = { skip: false }] = await testDatabases();

/** Requests that wait at once. */
const WAITING = 40;

const HELD = '26NO000000000HELD1';
const FREE = '26NO000000000FREE1';
const DECISIONS = '/api/authority/v1/routing-decisions';

describe('requests about an organisation that is held', { skip }, () => {
  let playground: TestPlayground;
  let holder: Database;
  let drop: () => Promise<void>;
  const put = (mrn: string, more: object = {}, declarant = '0192:310000019') =>
    playground.call(`${DECLARATIONS}/${mrn}`, {
      as: 'authority',
      method: 'PUT',
      body: declaration(
        Array.from({ length: WAITING }, (_, index) => house(`${index}`)),
        { declarant, ...more },
      ),
    });
  const decide = (mrn: string, index: number, routing: string) =>
    playground.post(DECISIONS, 'authority', [{ mrn, ...house(`${index}`), routing }]);

  before(async () => {
    const created = await createMigratedPostgresql();
    drop = created.drop;
    holder = openPostgresql(created.url);
    playground = await TestPlayground.start(openPostgresql(created.url));
    assert.equal((await put(HELD)).status, 201);
    assert.equal((await put(FREE, {}, '0192:310000027')).status, 201);
    for (let index = 0; index < WAITING; index++) {
      const response = await put(`26NO00000000${String(index).padStart(4, '0')}P1`);
      assert.equal(response.status, 201, response.text);
    }
  });
  after(async () => {
    await playground.close();
    await holder.close();
    await drop();
  });

  const works: Record<string, (index: number) => Promise<ReceivedResponse>> = {
    'single decisions': (index) => decide(HELD, index, 'TO_CONTROL'),
    'changes of declarations': (index) =>
      put(`26NO00000000${String(index).padStart(4, '0')}P1`, {
        customsOfficeOfFirstEntry: 'NO342001',
      }),
  };
  for (const [what, work] of Object.entries(works)) {
    test(`${WAITING} ${what} take no session from requests about others`, async () => {
      await holder.transact(async (transaction) => {
        await transaction.query({
          name: '',
          text: `select pg_advisory_xact_lock(${FEED_LOCK}, declarant) from entry_summary_declaration where mrn = $1`,
          values: [HELD],
        });
        const beat = setInterval(() => {
          transaction.query({ name: '', text: 'select 1', values: [] }).catch(() => undefined);
        }, 2000);
        try {
          const waiting = Array.from({ length: WAITING }, (_, index) => work(index));
          let ended = 0;
          for (const one of waiting) one.finally(() => ended++).catch(() => undefined);
          // All that is done about others, one after the other, ends before the first that waits gives up. With a turn for
          // each that waits, one alone took longer.
          for (let index = 0; index < 8; index++) {
            const routing = index % 2 === 0 ? 'TO_ENTRY' : 'TO_CONTROL';
            const response = await decide(FREE, index, routing);
            assert.equal(response.status, 200, response.text);
            assert.equal(ended, 0, `${index} decisions about others took as long as the wait`);
          }
          assert.equal(
            (
              await put(
                `26NO00000000${String(what.length).padStart(4, '0')}N1`,
                {},
                '0192:310000027',
              )
            ).status,
            201,
          );
          assert.equal(ended, 0, 'a new declaration took as long as the wait');
          if (what === 'single decisions') {
            const codes = (await Promise.all(waiting)).map(({ body }) =>
              // Safe cast: the response was checked against openapi.json.
              (body as RoutingDecisionResult[]).map(
                ({ validationErrors }) => validationErrors?.[0]?.code,
              ),
            );
            assert.deepEqual(new Set(codes.flat()), new Set(['HELD']));
          } else {
            for (const { status } of await Promise.all(waiting)) assert.equal(status, 503);
          }
        } finally {
          clearInterval(beat);
        }
      });
    });
  }
});
