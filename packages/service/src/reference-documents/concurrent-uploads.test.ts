// Two servers that register the same documents at once: neither waits for the other in turn, and what is held is refused
// after some seconds.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { openPostgresql } from '../database/postgresql.js';
import { createMigratedPostgresql } from '../testing/migrated-postgresql.js';
import { whyNoPostgresql } from '../testing/postgresql.js';
import { postReferenceDocuments } from './post-reference-documents.js';

const references = Array.from({ length: 500 }, (_, index) => `A${String(index).padStart(3, '0')}`);

describe('reference documents on two servers', { skip: await whyNoPostgresql() }, () => {
  let one: Database;
  let other: Database;
  let drop: () => Promise<void>;

  before(async () => {
    const created = await createMigratedPostgresql();
    drop = created.drop;
    one = openPostgresql(created.url);
    other = openPostgresql(created.url);
  });
  after(async () => {
    await one.close();
    await other.close();
    await drop();
  });

  const register = (database: Database, state: string, order: readonly string[]) =>
    postReferenceDocuments(
      { database, audit: new AuditTrail() },
      order.map((referenceNumber, index) => ({
        line: index + 1,
        value: { kind: 'N820', referenceNumber, state },
      })),
      { at: undefined, actor: undefined, requestId: undefined },
    );

  test('of two blocks in opposite orders, the one that is stored last counts', async () => {
    for (let round = 0; round < 20; round++) {
      const results = await Promise.all([
        register(one, 'VALID', references),
        register(other, 'INVALID', references.toReversed()),
      ]);
      assert(results.flat().every(({ status }) => status !== 'REFUSED'));
      const states = await one.query({
        name: '',
        text: 'select distinct state from reference_document',
        values: [],
      });
      assert.equal(states.length, 1, `round ${round}`);
    }
  });

  test('a document that somebody holds for long is refused with HELD, and registered when it is sent again', async () => {
    await register(one, 'VALID', ['H1']);
    let isHeld: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const holding = other.transact(async (transaction) => {
      await transaction.run(`select from reference_document where reference = 'H1' for update`);
      isHeld();
      // A session that does nothing in a transaction would be ended after 10 s.
      await transaction.run('select pg_sleep(14)');
    }, 'maintenance');
    await held;
    const unchanged = await register(one, 'VALID', ['H1']);
    assert.deepEqual(unchanged[0]?.status, 'UNCHANGED', 'what changes nothing waits for nobody');
    const refused = await register(one, 'INVALID', ['H1']);
    assert.deepEqual(
      refused.map(({ status, validationErrors }) => [status, validationErrors?.[0]?.code]),
      [['REFUSED', 'HELD']],
    );
    await holding;
    const [again] = await register(one, 'INVALID', ['H1']);
    assert.equal(again?.status, 'CHANGED');
  });
});
