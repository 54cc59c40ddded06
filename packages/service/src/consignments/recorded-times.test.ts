// What is recorded of goods has times of the database, in the order of commits, whatever the clocks say.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { v7 } from 'uuid';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Database } from '../database/database.js';
import { AUDIT_LOCK, FEED_LOCK } from '../database/locks.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import {
  makePresentConsignment,
  type PresentConsignment,
} from '../presentation/present-consignment.js';
import { register } from '../registry/register.js';
import { DecisionCommits } from '../routing/commit-decisions.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { presentationRequest } from '../testing/present-requests.js';
import { getHouseConsignmentHistory } from './get-house-consignment-history.js';
import { listHouseConsignments } from './list-house-consignments.js';

const mrn = '26NO00000000000001';
const documentOf = (documentNumber: string) => ({
  transportDocumentHouseLevel: { documentNumber, type: 'N740' as const },
});

type Event = { event: string; at: string };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`the times of what is recorded, on ${name}`, { skip }, () => {
    let database: Database;
    let watch: FeedWatch;
    let present: PresentConsignment;
    let commits: DecisionCommits;
    let agent: number;

    before(async () => {
      database = await open();
      watch = new FeedWatch(database);
      present = makePresentConsignment(database, watch);
      commits = new DecisionCommits(database, watch);
      agent = await organisationOf(database, '0192:agent');
    });
    after(async () => {
      watch.close();
      await database.close();
    });

    const preNotify = (documentNumber: string, more: object = {}) =>
      register(
        { database, audit: new AuditTrail(), newId: v7 },
        [
          {
            mrn,
            declaration: {
              mrn,
              customsOfficeOfFirstEntry: 'NO351001',
              declarant: '0192:declarant',
            },
            houses: [{ ...documentOf(documentNumber), ...more }],
            isComplete: false,
          },
        ],
        { at: undefined, actor: undefined, requestId: randomUUID() },
      );
    const decide = (documentNumber: string, routing: 'TO_CONTROL' | 'TO_ENTRY') =>
      commits.commit({
        decisions: [{ ...documentOf(documentNumber), mrn, routing, reason: 'a test' }],
        context: {
          at: undefined,
          origin: 'ENGINE',
          isAboveOfficers: false,
          organisationId: agent,
          organisation: '0192:agent',
          clientId: 'test',
          requestId: randomUUID(),
        },
        onlyUndecided: false,
      });
    const presentHouse = (documentNumber: string) =>
      present(presentationRequest('house-consignment', agent, documentOf(documentNumber)));
    const readGoods = async (documentNumber: string) => {
      const [found] = JSON.parse(
        (await listHouseConsignments(database, { mrn, documentNumber })).body,
      );
      const history: Event[] = JSON.parse(
        (await getHouseConsignmentHistory(database, found.id)) ?? '[]',
      );
      return { found, history };
    };

    test('are not before what was recorded earlier, also if the clock of the database was set back', async () => {
      // What a primary has recorded whose clock was ahead of this one.
      const [ahead] = await database.query<{ at: string }>({
        name: '',
        text: `
          update audit_chain_end set recorded_at = clock_timestamp() + interval '1 hour'
          where chain = 7 returning api_time(recorded_at) as at`,
        values: [],
      });
      const earliest = ahead?.at ?? assert.fail();
      await preNotify('BACK');
      await presentHouse('BACK');
      await decide('BACK', 'TO_ENTRY');
      await decide('BACK', 'TO_CONTROL');
      const { found, history } = await readGoods('BACK');
      assert.deepEqual(
        // Signals have the time of their decision.
        history.map(({ event }) => event).filter((event) => event !== 'SIGNALLED'),
        ['PRE_NOTIFIED', 'PRESENTED', 'DECIDED', 'DECIDED'],
      );
      for (const { event, at } of history) assert(at >= earliest, `${event} at ${at}`);
      assert(found.presented.at >= earliest, found.presented.at);
      assert(found.lastSignal.at >= earliest, found.lastSignal.at);
      assert.equal(found.lastSignal.routing, 'TO_CONTROL');
    });

    test('have the order of commits, with servers whose clocks are two seconds apart', async (context) => {
      const steps: [event: string, work: () => Promise<unknown>][] = [
        ['PRE_NOTIFIED', () => preNotify('APART')],
        ['DECIDED', () => decide('APART', 'TO_CONTROL')],
        ['CHANGED', () => preNotify('APART', { harmonizedSystemSubheadingCode: ['240220'] })],
        ['DECIDED', () => decide('APART', 'TO_ENTRY')],
        ['CHANGED', () => preNotify('APART', { harmonizedSystemSubheadingCode: ['640399'] })],
        ['PRESENTED', () => presentHouse('APART')],
        ['DECIDED', () => decide('APART', 'TO_CONTROL')],
        ['DECIDED', () => decide('APART', 'TO_ENTRY')],
      ];
      const [clock] = await database.query<{ now: Date }>({
        name: '',
        text: 'select clock_timestamp() as now',
        values: [],
      });
      const now = clock?.now.getTime() ?? assert.fail();
      context.mock.timers.enable({ apis: ['Date'] });
      for (const [index, [, work]] of steps.entries()) {
        // One server after the other, each with the clock of its machine.
        context.mock.timers.setTime(now + (index % 2 === 0 ? 1000 : -1000));
        await work();
      }
      context.mock.timers.reset();
      const { history } = await readGoods('APART');
      assert.deepEqual(
        // Signals have the time of what issues them.
        history.map(({ event }) => event).filter((event) => event !== 'SIGNALLED'),
        steps.map(([event]) => event),
      );
    });

    test('are of different milliseconds, however fast one commit follows another', async () => {
      await database.transact((transaction) =>
        transaction.run(`
          do $$
          declare
            last timestamptz := '-infinity';
            recorded timestamptz;
          begin
            for number in 1..100 loop
              recorded := record_time(null);
              assert recorded > last, format('record %s is at %s, after %s', number, recorded, last);
              last := recorded;
              perform append_audit_record(${AUDIT_LOCK}, '{"at":"' || api_time(recorded) || '","action":"test","details":{}}');
            end loop;
          end $$`),
      );
    });

    test('are those of the database when the locks are held, not those of arrival', async () => {
      await preNotify('HELD');
      let work: Promise<unknown> | undefined;
      let released = '';
      await database.transact(async (transaction) => {
        await transaction.query({
          name: '',
          text: `select pg_advisory_xact_lock(${FEED_LOCK}, id) from organisation`,
          values: [],
        });
        work = presentHouse('HELD');
        const [free] = await transaction.query<{ at: string }>({
          name: '',
          text: 'select api_time(clock_timestamp()) as at from pg_sleep(0.3)',
          values: [],
        });
        released = free?.at ?? assert.fail();
      });
      await work;
      const { found } = await readGoods('HELD');
      assert(found.presented.at >= released, `${found.presented.at}, but free at ${released}`);
    });
  });
}
