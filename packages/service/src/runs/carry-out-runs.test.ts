// Carrying out runs: what a server leaves another one continues, what is paused or given up stops at once, and what
// somebody else has decided stays.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { RoutingRun, RoutingRunResult } from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { feedKinds } from '../feed-kinds.js';
import { DecisionCommits } from '../routing/commit-decisions.js';
import type { DecisionContext } from '../routing/decision-context.js';
import { postRoutingDecisions } from '../routing/post-routing-decisions.js';
import { readDecision } from '../routing/read-decision.js';
import { drawnDatabases } from '../testing/databases.js';
import { holdingOtherFeeds } from '../testing/locked-feeds.js';
import { organisationOf } from '../testing/organisation-of.js';
import { registerDeclaration } from '../testing/register-declaration.js';
import { until } from '../testing/until.js';
import { RunJob } from './carry-out-runs.js';
import { changeRoutingRun, type RequestedState } from './change-routing-run.js';
import { createRoutingRun } from './create-routing-run.js';
import { getRoutingRun } from './get-routing-run.js';
import { listRoutingRunResults } from './list-routing-run-results.js';
import { reverseRoutingRun } from './reverse-routing-run.js';
import { RunChangedError, type Runs } from './runs.js';
import type { StartedRun } from './start-run.js';

/** Two decisions, and then nothing until the job is closed. */
const ONE_BATCH = { batch: 2, pauseMs: 3_600_000 };
const WITHOUT_PAUSE = { batch: 2, pauseMs: 0 };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`carrying out runs on ${name}`, { skip }, () => {
    let database: Database;
    let watch: FeedWatch;
    let runs: Runs;
    let authority: DecisionContext;
    let declarations = 0;
    let wakes = 0;

    before(async () => {
      database = await open();
      watch = new FeedWatch(database);
      runs = {
        database,
        audit: new AuditTrail(),
        clock: () => new Date(),
        readHouseConsignments: async () => '[]',
        wake: () => {
          wakes++;
        },
        results: 'standard',
        fourEyes: { release: false, runSize: 0 },
      };
      const organisation = '0192:310000043';
      authority = {
        at: undefined,
        origin: 'OFFICER',
        organisationId: await organisationOf(database, organisation),
        organisation,
        clientId: 'officer',
        requestId: randomUUID(),
      };
      await change(`insert into organisation_scope (organisation_id, scope)
        values (${authority.organisationId}, 'authority/routing')`);
    });
    after(async () => {
      watch.close();
      await database.close();
    });

    /** Changes rows as another part of the service does, with a record. */
    const change = (sql: string) =>
      database.transact((transaction) =>
        transaction.run(`${sql}; select append_audit_record(3, '{"action":"test","details":{}}')`),
      );

    /** The job of a server of its own. */
    const makeJob = (
      pace = WITHOUT_PAUSE,
      on = database,
      report: (error: unknown) => void = assert.ifError,
    ) =>
      new RunJob(
        {
          database: on,
          audit: runs.audit,
          commits: new DecisionCommits(on, watch),
          clock: runs.clock,
          movedClock: undefined,
          enginesAboveOfficers: false,
          fourEyes: { release: false },
        },
        report,
        pace,
      );

    const documents = (count: number) => Array.from({ length: count }, (_, index) => `H${index}`);

    const preNotify = async (houses: readonly string[], office?: string) => {
      const mrn = `26NO${String(++declarations).padStart(14, '0')}`;
      await lodge(mrn, houses, office);
      return mrn;
    };
    const lodge = (mrn: string, houses: readonly string[], office = 'NO351001') =>
      registerDeclaration(database, {
        mrn,
        customsOfficeOfFirstEntry: office,
        declarant: `0192:${mrn}`,
        houseConsignments: houses.map((documentNumber) => ({
          transportDocumentHouseLevel: { documentNumber, type: 'N740' },
        })),
      });

    const decide = async (mrn: string, documentNumber: string, routing: string, more = {}) => {
      const decision = {
        mrn,
        transportDocumentHouseLevel: { documentNumber, type: 'N740' },
        routing,
        reason: 'single',
      };
      const [outcome] = await postRoutingDecisions(
        new DecisionCommits(database, watch),
        [readDecision(decision, 'standard')],
        { ...authority, ...more },
      );
      assert.match(outcome?.status ?? '', /^(?:DECIDED|UNCHANGED)$/);
    };

    const idOf = (started: StartedRun) => ('run' in started ? started.run.id : assert.fail());
    const create = async (mrn: string, more: Partial<DecisionContext> = {}) =>
      idOf(
        await createRoutingRun(
          runs,
          { select: { mrn }, routing: 'TO_CONTROL', reason: 'run' },
          { ...authority, ...more },
        ),
      );
    const reverse = async (id: string, more: Partial<DecisionContext> = {}) =>
      idOf(await reverseRoutingRun(runs, id, { reason: 'reversal' }, { ...authority, ...more }));
    const read = async (id: string) =>
      JSON.parse((await getRoutingRun(database, id)).body) as RoutingRun;
    const setState = (id: string, state: RequestedState, etag?: string) =>
      changeRoutingRun(runs, id, state, (one) => etag === undefined || one === etag, authority);
    const results = async (id: string) =>
      (await listRoutingRunResults(database, id, {})).entries.map(
        (entry) => JSON.parse(entry) as RoutingRunResult,
      );
    /** Each result as `status before after`. */
    const outcomes = async (id: string) =>
      (await results(id)).map(({ status, code, before: previous, after: next, current }) =>
        [status, code, previous?.routing ?? '-', next?.routing ?? '-', current?.routing]
          .filter((part) => part !== undefined)
          .join(' '),
      );
    const decisionsOf = async (run: string) => {
      const text = 'select count(*)::integer as count from routing_decision where run_id = $1';
      const [row] = await database.query<{ count: number }>({ name: '', text, values: [run] });
      return row?.count;
    };
    const progress = async (id: string) => {
      const { state, decided, pending } = await read(id);
      return [state, decided, pending];
    };

    test('what a server leaves in the middle, another one continues: each is decided once', async () => {
      const id = await create(await preNotify(documents(5)));
      const first = makeJob(ONE_BATCH);
      const running = first.run();
      await until(async () => (await read(id)).decided === 2);
      if (database.kind === 'postgresql') {
        await makeJob().run();
        assert.deepEqual(await progress(id), ['RUNNING', 2, 3]);
      }
      await first.close();
      await running;
      assert.deepEqual(await progress(id), ['RUNNING', 2, 3]);
      await makeJob().run();
      assert.deepEqual(await progress(id), ['COMPLETED', 5, 0]);
      assert.equal(await decisionsOf(id), 5);
      await makeJob().run();
      assert.equal(await decisionsOf(id), 5);
    });

    test('decisions and their results are stored together, or not at all', async () => {
      const id = await create(await preNotify(documents(3)));
      let failures = 1;
      const failing: Database = {
        ...database,
        transact: (work, lane) =>
          database.transact(
            (transaction) =>
              work({
                ...transaction,
                run: (script) => transaction.run(script),
                query: async (statement) => {
                  if (statement.name === 'write-routing-run-results' && failures-- > 0) {
                    throw new Error('the server ends here');
                  }
                  return transaction.query(statement);
                },
              }),
            lane,
          ),
      };
      const reported: unknown[] = [];
      await makeJob(WITHOUT_PAUSE, failing, (error) => reported.push(error)).run();
      assert.match(String(reported), /the server ends here/);
      assert.deepEqual(await progress(id), ['RUNNING', 0, 3]);
      assert.equal(await decisionsOf(id), 0);
      await makeJob().run();
      assert.deepEqual(await progress(id), ['COMPLETED', 3, 0]);
    });

    test('a run that is paused decides nothing until it is resumed', async () => {
      const id = await create(await preNotify(documents(3)));
      const { etag } = await read(id);
      await setState(id, 'PAUSED', etag);
      await makeJob().run();
      assert.deepEqual(await progress(id), ['PAUSED', 0, 3]);
      await assert.rejects(setState(id, 'RUNNING', etag), RunChangedError);
      // The response to the request that paused it may have been lost.
      await setState(id, 'PAUSED', etag);
      const before = wakes;
      await setState(id, 'RUNNING');
      assert.equal(wakes, before + 1);
      await makeJob().run();
      assert.deepEqual(await progress(id), ['COMPLETED', 3, 0]);
    });

    test('after the response to pausing or giving up, nothing more is decided', async () => {
      for (const state of ['PAUSED', 'GIVEN_UP'] as const) {
        const id = await create(await preNotify(documents(60)));
        const job = makeJob();
        const running = job.run();
        await until(async () => (await read(id)).decided > 0);
        await setState(id, state);
        const then = await progress(id);
        await running;
        assert.deepEqual(await progress(id), then);
        assert.equal(await decisionsOf(id), then[1]);
        assert.equal(then[0], state);
      }
    });

    test('a run that was given up or is completed stays so', async () => {
      const id = await create(await preNotify(documents(1)));
      await setState(id, 'GIVEN_UP');
      for (const state of ['RUNNING', 'PAUSED'] as const) {
        const refused = await setState(id, state);
        assert('errors' in refused);
        assert.deepEqual(
          refused.errors.map(({ field, code }) => [field, code]),
          [['state', 'RUN_STATE']],
        );
      }
      assert.deepEqual(await progress(id), ['GIVEN_UP', 0, 1]);
      const completed = await create(await preNotify(documents(1)));
      await makeJob().run();
      assert('errors' in (await setState(completed, 'GIVEN_UP')));
    });

    test('what somebody has decided since the run was created stays, and is listed', async () => {
      const mrn = await preNotify(documents(4));
      await decide(mrn, 'H0', 'TO_ENTRY');
      await decide(mrn, 'H1', 'TO_ENTRY');
      const id = await create(mrn);
      await decide(mrn, 'H1', 'TO_ENTRY', { clientId: 'other' });
      await decide(mrn, 'H2', 'TO_ENTRY');
      await lodge(mrn, ['H0', 'H1', 'H2']);
      await makeJob().run();
      assert.deepEqual(await outcomes(id), [
        'DECIDED TO_ENTRY TO_CONTROL',
        // A confirmation is a decision too.
        'CONFLICT TO_ENTRY - TO_ENTRY',
        'CONFLICT - - TO_ENTRY',
        'REFUSED REFERENCE_NOT_FOUND - -',
      ]);
      const { conflicts, refused, decided, pending } = await read(id);
      assert.deepEqual([conflicts, refused, decided, pending], [2, 1, 1, 0]);
    });

    test('a run of a system does not replace what an officer has decided, one of an officer does', async () => {
      const mrn = await preNotify(documents(2));
      await decide(mrn, 'H0', 'TO_ENTRY');
      const bySystem = await create(mrn, { origin: 'ENGINE' });
      await makeJob().run();
      assert.deepEqual(await outcomes(bySystem), [
        'CONFLICT TO_ENTRY - TO_ENTRY',
        'DECIDED - TO_CONTROL',
      ]);
      const byOfficer = await create(mrn, { clientId: 'another' });
      await makeJob().run();
      assert.deepEqual(await outcomes(byOfficer), [
        'DECIDED TO_ENTRY TO_CONTROL',
        'UNCHANGED TO_CONTROL TO_CONTROL',
      ]);
    });

    test('a run stops with a reason when its organisation may not decide any more', async () => {
      const id = await create(await preNotify(documents(1)));
      await change('update organisation set blocked = true');
      await makeJob().run();
      assert.equal((await read(id)).problem, 'ACCESS_ENDED');
      assert.deepEqual(await progress(id), ['PAUSED', 0, 1]);
      await change('update organisation set blocked = false');
      await setState(id, 'RUNNING');
      await makeJob().run();
      assert.deepEqual(await progress(id), ['COMPLETED', 1, 0]);
      assert.equal((await read(id)).problem, undefined);
    });

    test('whatever ends the access of its creator stops a run with its next transaction', async () => {
      const own = authority.organisationId;
      const client = `organisation_id = ${own} and client_id = 'system'`;
      const ends = {
        'a blocked organisation': [
          `update organisation set blocked = true where id = ${own}`,
          `update organisation set blocked = false where id = ${own}`,
        ],
        'a withdrawn scope': [
          `delete from organisation_scope where organisation_id = ${own}`,
          `insert into organisation_scope values (${own}, 'authority/routing')`,
        ],
        'a blocked client': [
          `insert into client (organisation_id, client_id, blocked) values (${own}, 'system', true)`,
          `update client set blocked = false where ${client}`,
        ],
        'a removed client': [
          `delete from client where ${client}; insert into removed_client values (${own}, 'system')`,
          `delete from removed_client where ${client}`,
        ],
      };
      for (const [what, [end = '', undo = '']] of Object.entries(ends)) {
        const id = await create(await preNotify(documents(100)), { clientId: 'System' });
        const job = makeJob();
        const running = job.run();
        await until(async () => (await read(id)).decided > 0);
        await change(end);
        const then = (await read(id)).decided;
        await running;
        const [state, decided] = await progress(id);
        assert.deepEqual([state, (await read(id)).problem], ['PAUSED', 'ACCESS_ENDED'], what);
        // The transaction that was deciding may have ended after that.
        assert(Number(decided) <= then + WITHOUT_PAUSE.batch, `${what}: ${then}, then ${decided}`);
        assert.equal(await decisionsOf(id), decided, what);
        await change(undo);
        await setState(id, 'GIVEN_UP');
      }
    });

    // The embedded database has one session: nobody holds anything there while a run decides.
    if (name !== 'embedded') {
      test('who is held delays only their own goods', async () => {
        const office = 'NO010001';
        const free = await preNotify(['H0'], office);
        await preNotify(['held'], office);
        const started = await createRoutingRun(
          runs,
          { select: { office }, routing: 'TO_ENTRY', reason: 'run' },
          authority,
        );
        const id = idOf(started);
        const one = await organisationOf(database, `0192:${free}`);
        await holdingOtherFeeds(database, one, () => makeJob().run());
        assert.deepEqual(await progress(id), ['RUNNING', 1, 1]);
        await makeJob().run();
        assert.deepEqual(await progress(id), ['COMPLETED', 2, 0]);
      });
    }

    test('runs take turns: a large one does not delay a small one', async () => {
      const large = await create(await preNotify(documents(20)));
      const small = await create(await preNotify(documents(2)));
      const job = makeJob({ batch: 2, pauseMs: 20 });
      const running = job.run();
      await until(async () => (await read(small)).state === 'COMPLETED');
      assert.equal((await read(large)).state, 'RUNNING');
      await running;
      assert.equal((await read(large)).state, 'COMPLETED');
    });

    test('a reversal decides again what was before, where nobody has decided since', async () => {
      const mrn = await preNotify(documents(4));
      await decide(mrn, 'H0', 'TO_ENTRY');
      await decide(mrn, 'H1', 'TO_CONTROL');
      const id = await create(mrn, { clientId: 'another' });
      await makeJob().run();
      await decide(mrn, 'H3', 'TO_ENTRY');
      const reversal = await reverse(id);
      await makeJob().run();
      assert.deepEqual(await outcomes(reversal), [
        'DECIDED TO_CONTROL TO_ENTRY',
        'DECIDED TO_CONTROL UNDECIDED',
        'CONFLICT TO_CONTROL - TO_ENTRY',
      ]);
      assert.equal((await read(reversal)).reverses, id);
      // Again, there is nothing to reverse.
      const again = await reverse(id);
      await makeJob().run();
      assert.deepEqual(
        (await results(again)).map(({ status }) => status),
        ['CONFLICT', 'CONFLICT', 'CONFLICT'],
      );
      const back = await reverse(reversal);
      await makeJob().run();
      assert.deepEqual(await outcomes(back), [
        'DECIDED TO_ENTRY TO_CONTROL',
        'DECIDED UNDECIDED TO_CONTROL',
      ]);
    });

    test('a system reverses the run of an officer, because it names its decisions', async () => {
      const id = await create(await preNotify(documents(1)));
      await makeJob().run();
      const reversal = await reverse(id, { origin: 'ENGINE' });
      await makeJob().run();
      assert.deepEqual(await outcomes(reversal), ['DECIDED TO_CONTROL UNDECIDED']);
    });

    test('a run is reversed when it has ended, and only if it has changed something', async () => {
      const mrn = await preNotify(documents(1));
      const id = await create(mrn);
      const refused = () => reverseRoutingRun(runs, id, { reason: 'r' }, authority);
      assert.match(JSON.stringify(await refused()), /the run is RUNNING.*RUN_STATE/);
      await setState(id, 'GIVEN_UP');
      assert.match(JSON.stringify(await refused()), /has not changed.*RUN_STATE/);
    });

    test('the audit trail has every row of the runs', async () => {
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    });
  });
}
