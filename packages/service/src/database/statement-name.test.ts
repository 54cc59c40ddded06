// Names of prepared statements: distinct in PostgreSQL for every combination of filters.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { listHouseConsignments } from '../consignments/list-house-consignments.js';
import { type Framing, framings, selectPage } from '../feed/queries.js';
import { validationStatuses } from '../presentation/status-feed.js';
import { makeStatusFilter } from '../presentation/status-queries.js';
import { drawnDatabases } from '../testing/databases.js';
import type { Database } from './database.js';
import { shortName } from './statement-name.js';

/** Every combination of the members of an object. */
function combinations<Members extends object>(members: Members): Partial<Members>[] {
  return Object.entries(members).reduce<Partial<Members>[]>(
    (all, [name, value]) => all.concat(all.map((one) => ({ ...one, [name]: value }))),
    [{}],
  );
}

test('a name that PostgreSQL would cut is replaced by one that differs, and a short one is kept', () => {
  const long = 'find-'.repeat(20);
  const names = [`${long}a`, `${long}b`, 'ö'.repeat(40), 'ö'.repeat(41)].map(shortName);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.ok(Buffer.byteLength(name) <= 63, name);
  assert.equal(shortName('read-note'), 'read-note');
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`every combination of filters on ${name}`, { skip }, () => {
    let database: Database;
    before(async () => {
      database = await open();
    });
    after(() => database.close());

    test('finds house consignments, each twice and many at once', async () => {
      const queries = combinations({
        documentNumber: 'HC001',
        containerId: 'MSKU1234565',
        receptacleId: 'SEMMAASEOSLBAUN12345600010001',
        masterDocumentNumber: 'M1',
        mrn: '24NO00000000000010',
        type: 'N740',
        office: 'NO010000',
        organisation: '0192:310000078',
        state: 'PRESENTED',
        from: '2024-01-01T00:00:00Z',
      } as const);
      assert.equal(queries.length, 1024);
      const all = [...queries, ...queries];
      // No more at once than a busy machine completes before the pool's timeout.
      for (let start = 0; start < all.length; start += 128) {
        const pages = await Promise.all(
          all.slice(start, start + 128).map((query) => listHouseConsignments(database, query)),
        );
        assert.ok(pages.every(({ body }) => body === '[]'));
      }
    });

    test('reads validation statuses, in every framing, each twice and all at once', async () => {
      const filters = combinations({
        requestId: randomUUID(),
        mrn: '24NO00000000000010',
        status: 'FAILURE',
      } as const).map(makeStatusFilter);
      // The cast is true because the keys of `framings` are typed so.
      const pages = (Object.keys(framings) as Framing[]).flatMap((framing) =>
        [...filters, ...filters].map((filter) =>
          database.query<{ entries: number }>(
            selectPage({ kind: validationStatuses, owner: 1 }, 0, 100, framing, filter),
          ),
        ),
      );
      for (const [page] of await Promise.all(pages)) assert.equal(page?.entries, 0);
    });
  });
}
