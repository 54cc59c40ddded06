// Decisions are found by their run and by the id of their client without reading others.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { KeptDecision } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { house, TestRegistry } from '../testing/registry-client.js';
import { countScannedRows } from '../testing/scanned-rows.js';
import { findDecisions } from './decision-queries.js';
import { listRoutingDecisions } from './list-routing-decisions.js';

/** Decisions, each of them of a run of ten. */
const DECISIONS = 20_000;
const OWNER = '0192:310000043';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`finding decisions on ${name}`, { skip }, () => {
    let database: Database;
    let run: string;
    let decisionId: string;
    before(async () => {
      database = await open();
      await database.transact((transaction) =>
        transaction.run(`
          insert into organisation (identifier) values ('${OWNER}');
          insert into routing_decision (house_consignment_id, number, routing, origin, organisation_id, client_id,
              request_id, decided_at, decision_id, run_id, takes_effect)
            select gen_random_uuid(), 1, 'TO_ENTRY', 'ENGINE', (select id from organisation where identifier = '${OWNER}'),
              'c', 'r', now() - n * interval '1 s', gen_random_uuid(),
              case when n % 2 = 0 then md5((n / 20)::text)::uuid end, true
            from generate_series(1, ${DECISIONS}) n;
          analyze`),
      );
      const [row] = await database.query<{ run: string; id: string }>({
        name: '',
        text: 'select run_id as run, decision_id as id from routing_decision where run_id is not null limit 1',
        values: [],
      });
      assert(row);
      run = row.run;
      decisionId = row.id;
    });
    after(() => database.close());

    test('a page reads what it returns, however many others there are', async () => {
      for (const filters of [{ run }, { decidedBy: OWNER, decisionId }]) {
        const statement = findDecisions(filters, undefined, 100, 10_000);
        const read = await countScannedRows(database, statement);
        assert(read < 200, `${JSON.stringify(filters)}: ${read} rows`);
      }
    });

    test('pages of a run have each of its decisions once', async () => {
      const found: string[] = [];
      let marker: string | undefined;
      do {
        const page = await listRoutingDecisions(database, {
          run,
          limit: 3,
          ...(marker && { marker }),
        });
        found.push(...page.decisions);
        marker = page.next;
      } while (marker !== undefined);
      assert.equal(found.length, 10);
      assert.equal(new Set(found).size, 10);
      assert(found.every((decision) => (JSON.parse(decision) as KeptDecision).run === run));
    });
  });

  describe(`finding a decision by its id on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    test('the id of a client finds its decision, and that of another organisation only by name', async () => {
      const mrn = registry.nextMrn();
      await registry.put(mrn, {
        customsOfficeOfFirstEntry: 'NO351001',
        declarant: '0192:310000019',
        houseConsignments: [house('D1')],
      });
      const decisionId = randomUUID();
      const path = '/api/authority/v1/routing-decisions';
      const decision = { mrn, ...house('D1'), routing: 'TO_ENTRY', decisionId };
      await registry.playground.post(path, 'authority', [decision]);
      const find = async (more: string) => {
        const query = `${path}?decisionId=${decisionId}${more}`;
        return (await registry.playground.get(query, 'authority')).body as KeptDecision[];
      };
      const [found, ...others] = await find('');
      assert.equal(others.length, 0);
      assert.equal(found?.decisionId, decisionId);
      assert.deepEqual(await find(`&decidedBy=${found.decidedBy}`), [found]);
      assert.deepEqual(await find('&decidedBy=0192:310000019'), []);
    });
  });
}
