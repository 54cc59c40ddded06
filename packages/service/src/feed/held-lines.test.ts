// An organisation or a declaration that is held for long delays the lines that need it, and no other line of their block.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RegistrationResult, RoutingDecisionResult } from '@landfall/contract';
import type { Database, Statement } from '../database/database.js';
import { FEED_LOCK } from '../database/locks.js';
import { openPostgresql } from '../database/postgresql.js';
import { testDatabases } from '../testing/databases.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { TestPlayground } from '../testing/playground-client.js';
import { DECLARATIONS, declaration, house } from '../testing/registry-client.js';

const [, { skip } = { skip: false }] = await testDatabases();

const MRNS = ['26NO000000000HELD1', '26NO000000000FREE1'] as const;

describe('lines of a block in which something is held', { skip }, () => {
  let playground: TestPlayground;
  let holder: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createMigratedPostgresql();
    drop = created.drop;
    holder = openPostgresql(created.url);
    playground = await TestPlayground.start(openPostgresql(created.url));
    const declarants = ['0192:310000019', '0192:310000027'];
    for (const [index, mrn] of MRNS.entries()) {
      const response = await playground.call(`${DECLARATIONS}/${mrn}`, {
        as: 'authority',
        method: 'PUT',
        body: declaration([house(`${index}-1`), house(`${index}-2`)], {
          declarant: declarants[index] ?? '',
        }),
      });
      assert.equal(response.status, 201, response.text);
    }
  });
  after(async () => {
    await playground.close();
    await holder.close();
    await drop();
  });

  /** Holds something as long as the work takes. */
  const whileHeld = <Result>(lock: Statement, work: () => Promise<Result>): Promise<Result> =>
    holder.transact(async (transaction) => {
      const beat = setInterval(() => {
        transaction.query({ name: '', text: 'select 1', values: [] }).catch(() => undefined);
      }, 2000);
      try {
        await transaction.query(lock);
        return await work();
      } finally {
        clearInterval(beat);
      }
    });

  const lockDeclarant: Statement = {
    name: '',
    text: `select pg_advisory_xact_lock(${FEED_LOCK}, declarant) from entry_summary_declaration where mrn = $1`,
    values: [MRNS[0]],
  };
  const lockRow: Statement = {
    name: '',
    text: 'select from entry_summary_declaration where mrn = $1 for update',
    values: [MRNS[0]],
  };

  const send = async <Result>(path: string, lines: readonly object[]): Promise<Result[]> => {
    const response = await playground.call(path, {
      as: 'authority',
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      raw: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    });
    assert.equal(response.status, 200, response.text);
    return response.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

  const summary = (results: readonly (RegistrationResult | RoutingDecisionResult)[]) =>
    results.map(({ status, validationErrors }) => validationErrors?.[0]?.code ?? status);

  const decide = (routing: string) =>
    send<RoutingDecisionResult>(
      '/api/authority/v1/routing-decisions',
      MRNS.flatMap((mrn, index) => [
        { mrn, ...house(`${index}-1`), routing },
        { mrn, ...house(`${index}-2`), routing },
      ]),
    );

  test('decisions on goods of others apply, and those on goods of an organisation that is held are refused', async () => {
    const results = await whileHeld(lockDeclarant, () => decide('TO_CONTROL'));
    assert.deepEqual(summary(results), ['HELD', 'HELD', 'DECIDED', 'DECIDED']);
    const again = await decide('TO_CONTROL');
    assert.deepEqual(summary(again), ['DECIDED', 'DECIDED', 'UNCHANGED', 'UNCHANGED']);
  });

  for (const [what, lock] of [
    ['a declaration', lockRow],
    ['an organisation', lockDeclarant],
  ] as const) {
    test(`lines about other declarations are registered while ${what} is held`, async () => {
      const containerId = [what === 'a declaration' ? 'JARU0000026' : 'JARU0000010'];
      const lines = MRNS.flatMap((mrn, index) => [
        { mrn, houseConsignment: house(`${index}-1`, { containerId, routing: 'TO_ENTRY' }) },
        { mrn, houseConsignment: house(`${index}-${what}`) },
      ]);
      const results = await whileHeld(lock, () => send<RegistrationResult>(DECLARATIONS, lines));
      assert.deepEqual(summary(results), ['HELD', 'HELD', 'CHANGED', 'REGISTERED']);
      const again = await send<RegistrationResult>(DECLARATIONS, lines);
      assert.deepEqual(summary(again), ['CHANGED', 'REGISTERED', 'UNCHANGED', 'UNCHANGED']);
    });
  }
});
