// What two officers must decide together: one proposes a run, another one confirms it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type {
  KeptDecision,
  RoutingDecisionResult,
  RoutingRun,
  RoutingRunPreview,
} from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Config } from '../config.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import { signInAsAuthority } from '../testing/officer-session.js';
import { organisationOf } from '../testing/organisation-of.js';
import { declaration, errorsOf, house } from '../testing/registry-client.js';
import { RUNS, TestRuns } from '../testing/run-client.js';
import { changeRoutingRun } from './change-routing-run.js';

const DECISIONS = '/api/authority/v1/routing-decisions';

/** The client of the authority in a playground, with whose token an officer works here. */
const CLIENT = 'playground-authority';

/** Sends a request in the session of a person. */
type InConsole = (
  method: string,
  path: string,
  body: object,
  headers?: Record<string, string>,
) => Promise<Response>;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`four eyes on ${name}`, { skip }, () => {
    const started: TestRuns[] = [];
    after(() => Promise.all(started.map((runs) => runs.close())));

    const start = async (
      config: Partial<Config>,
    ): Promise<{ runs: TestRuns; inConsole: InConsole }> => {
      const runs = await TestRuns.start(await open(), config);
      started.push(runs);
      const { playground } = runs.registry;
      const headers = await signInAsAuthority(playground);
      const inConsole: InConsole = (method, path, body, more = {}) =>
        fetch(`${playground.playground.baseUrl}/console/api${path}`, {
          method,
          headers: { ...headers, ...more, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      return { runs, inConsole };
    };

    describe('for what is released from control', () => {
      let runs: TestRuns;
      let inConsole: InConsole;
      before(async () => {
        ({ runs, inConsole } = await start({ officerClients: CLIENT, fourEyesRelease: 'on' }));
      });

      const decideAlone = async (mrn: string, document: string, routing: string) => {
        const decision = { mrn, ...house(document), routing, reason: 'alone' };
        const { playground } = runs.registry;
        const { body } = await playground.post(DECISIONS, 'authority', [decision]);
        const [result] = body as RoutingDecisionResult[];
        return [result?.status, ...(result?.validationErrors ?? []).map(({ code }) => code)];
      };
      /** Confirms as an officer whom a playground does not have. */
      const confirm = async (id: string, clientId = 'a colleague') => {
        const { database } = runs.registry;
        const organisation = '0192:310000043';
        const changed = await changeRoutingRun(
          {
            database,
            audit: new AuditTrail(),
            clock: () => new Date(),
            readHouseConsignments: async () => '[]',
            wake: () => undefined,
            results: 'standard',
            fourEyes: { release: true, runSize: 0 },
          },
          id,
          'RUNNING',
          () => true,
          {
            at: undefined,
            origin: 'OFFICER',
            organisationId: await organisationOf(database, organisation),
            organisation,
            clientId,
            requestId: 'confirmation',
          },
        );
        // The server of the playground begins at once, instead of within seconds.
        if ('run' in changed) await runs.change(id, 'RUNNING');
        return changed;
      };

      test('nobody does so with a single decision, in any number of steps', async () => {
        const mrn = await runs.preNotify(['A1']);
        assert.deepEqual(await decideAlone(mrn, 'A1', 'TO_ENTRY'), ['DECIDED']);
        assert.deepEqual(await decideAlone(mrn, 'A1', 'TO_CONTROL'), ['DECIDED']);
        for (const routing of ['TO_ENTRY', 'UNDECIDED']) {
          assert.deepEqual(await decideAlone(mrn, 'A1', routing), ['REFUSED', 'FOUR_EYES']);
        }
        const alone = await inConsole('POST', DECISIONS, [
          { mrn, ...house('A1'), routing: 'TO_ENTRY' },
        ]);
        assert.match(await alone.text(), /FOUR_EYES/);
        assert.deepEqual(await decideAlone(mrn, 'A1', 'TO_CONTROL'), ['UNCHANGED']);
      });

      test('a run is proposed, and decides when another officer confirms it', async () => {
        const mrn = await runs.preNotify(['B1', 'B2']);
        await runs.decide(mrn, 'B1', 'TO_CONTROL');
        const preview = await runs.post({
          select: { mrn },
          routing: 'TO_ENTRY',
          reason: 'searched',
          preview: true,
        });
        assert((preview.body as RoutingRunPreview).needsConfirmation);
        const run = await runs.create({ select: { mrn }, routing: 'TO_ENTRY' });
        assert.equal(run.state, 'PROPOSED');
        assert.deepEqual(errorsOf(await runs.change(run.id, 'RUNNING')), ['state FOUR_EYES']);
        assert.deepEqual(errorsOf(await runs.change(run.id, 'PAUSED')), ['state RUN_STATE']);
        assert.deepEqual(await runs.outcomes(run.id), [
          ['B1', 'PENDING', 'TO_CONTROL', undefined],
          ['B2', 'PENDING', undefined, undefined],
        ]);
        await confirm(run.id);
        const { confirmedBy } = await runs.completed(run.id);
        assert.equal(confirmedBy?.organisation, '0192:310000043');
        assert.equal(confirmedBy.client, 'a colleague');
        assert.deepEqual(await runs.outcomes(run.id), [
          ['B1', 'DECIDED', 'TO_CONTROL', 'TO_ENTRY'],
          ['B2', 'DECIDED', undefined, 'TO_ENTRY'],
        ]);
        const made = await runs.registry.playground.get(`${DECISIONS}?run=${run.id}`, 'authority');
        assert.equal((made.body as KeptDecision[]).length, 2);
      });

      test('whoever has made it does not confirm it with another spelling of their client', async () => {
        const mrn = await runs.preNotify(['G1']);
        await runs.decide(mrn, 'G1', 'TO_CONTROL');
        const run = await runs.create({ select: { mrn }, routing: 'TO_ENTRY' });
        for (const spelling of [CLIENT, CLIENT.toUpperCase(), 'Playground-Authority']) {
          assert('errors' in (await confirm(run.id, spelling)), spelling);
        }
        assert.equal((await runs.get(run.id)).state, 'PROPOSED');
      });

      test('what somebody has decided between the proposal and its confirmation stays', async () => {
        const mrn = await runs.preNotify(['C1', 'C2']);
        for (const document of ['C1', 'C2']) await runs.decide(mrn, document, 'TO_CONTROL');
        const run = await runs.create({ select: { mrn }, routing: 'TO_ENTRY' });
        await runs.decide(mrn, 'C1', 'TO_CONTROL', { routingControlLocation: 'ON_ENTRY' });
        assert('run' in (await confirm(run.id)));
        await runs.completed(run.id);
        assert.deepEqual(
          (await runs.outcomes(run.id)).map(([document, status]) => [document, status]),
          [
            ['C1', 'CONFLICT'],
            ['C2', 'DECIDED'],
          ],
        );
      });

      test('a proposal is given up by whoever has made it, and is not confirmed afterwards', async () => {
        const mrn = await runs.preNotify(['D1']);
        await runs.decide(mrn, 'D1', 'TO_CONTROL');
        const run = await runs.create({ select: { mrn }, routing: 'UNDECIDED' });
        assert.equal((await runs.change(run.id, 'GIVEN_UP')).status, 200);
        assert('errors' in (await confirm(run.id)));
        assert.deepEqual(await runs.outcomes(run.id), [['D1', 'PENDING', 'TO_CONTROL', undefined]]);
      });

      test('a run that releases nothing, and the reversal of one that sent to control, differ', async () => {
        const mrn = await runs.preNotify(['E1']);
        await runs.decide(mrn, 'E1', 'TO_ENTRY');
        const run = await runs.create({ select: { mrn }, routing: 'TO_CONTROL' });
        assert.equal(run.state, 'RUNNING');
        await runs.completed(run.id);
        const reversal = await runs.reverse(run.id);
        assert.equal(reversal.state, 'PROPOSED');
        assert('run' in (await confirm(reversal.id)));
        await runs.completed(reversal.id);
        assert.deepEqual(await runs.outcomes(reversal.id), [
          ['E1', 'DECIDED', 'TO_CONTROL', 'TO_ENTRY'],
        ]);
      });

      test('of two officers who confirm and give up at once, one has the last word', async () => {
        const mrn = await runs.preNotify(['F1']);
        await runs.decide(mrn, 'F1', 'TO_CONTROL');
        const run = await runs.create({ select: { mrn }, routing: 'TO_ENTRY' });
        const [confirmed, givenUp] = await Promise.all([
          confirm(run.id),
          runs.change(run.id, 'GIVEN_UP'),
        ]);
        const { state } = await runs.get(run.id);
        assert('run' in confirmed || state === 'GIVEN_UP', state);
        assert(givenUp.status === 200 || state !== 'GIVEN_UP', `${givenUp.status} ${state}`);
      });

      test('proposals, confirmations and their runs are in the audit trail', async () => {
        const { database } = runs.registry;
        const { breaks } = await verifyAudit(database, feedKinds);
        assert.deepEqual(breaks, []);
      });
    });

    test('a system may release what no officer has decided, and confirms nothing', async () => {
      const { runs, inConsole } = await start({ fourEyesRelease: 'on' });
      const mrn = await runs.preNotify(['G1', 'G2']);
      for (const document of ['G1', 'G2']) await runs.decide(mrn, document, 'TO_CONTROL');
      await runs.decide(mrn, 'G1', 'TO_ENTRY');
      const proposed = await inConsole('POST', RUNS, {
        select: { mrn, state: 'DECIDED' },
        routing: 'TO_ENTRY',
        reason: 'searched',
      });
      const { id, state, etag } = (await proposed.json()) as RoutingRun;
      assert.equal(state, 'PROPOSED');
      assert.deepEqual(errorsOf(await runs.change(id, 'RUNNING')), ['state FOUR_EYES']);
      const path = `${RUNS}/${id}/state`;
      const own = await inConsole('PUT', path, { state: 'RUNNING' }, { 'if-match': etag });
      assert.match(await own.text(), /another officer/);
    });

    test('a system does not take the place of an officer who wants control, in any number of lines', async () => {
      const { runs, inConsole } = await start({ fourEyesRelease: 'on' });
      const mrn = await runs.preNotify(['J1']);
      const decision = { mrn, ...house('J1') };
      await inConsole('POST', DECISIONS, [{ ...decision, routing: 'TO_CONTROL' }]);
      const lines = [
        { ...decision, routing: 'TO_CONTROL', expected: 1 },
        { ...decision, routing: 'TO_CONTROL', routingControlLocation: 'ON_ENTRY', expected: 1 },
        { ...decision, routing: 'TO_ENTRY' },
        { ...decision, routing: 'TO_ENTRY', expected: 1 },
      ];
      const { body } = await runs.registry.playground.post(DECISIONS, 'authority', lines);
      assert.deepEqual(
        (body as RoutingDecisionResult[]).map(({ status, validationErrors: [error] = [] }) => [
          status,
          error?.code,
        ]),
        [
          ['REFUSED', 'FOUR_EYES'],
          ['REFUSED', 'FOUR_EYES'],
          ['CONFLICT', undefined],
          ['REFUSED', 'FOUR_EYES'],
        ],
      );
    });

    test('the reversal of a run whose goods were withdrawn releases nothing when they are back', async () => {
      const { runs } = await start({ officerClients: CLIENT, fourEyesRelease: 'on' });
      const mrn = await runs.preNotify(['K1']);
      const run = await runs.create({ select: { mrn }, routing: 'TO_CONTROL' });
      await runs.completed(run.id);
      await runs.registry.withdraw(mrn);
      const reversal = await runs.reverse(run.id);
      await runs.change(reversal.id, 'PAUSED');
      const body = declaration([house('K1')]);
      assert((await runs.registry.put(mrn, body)).status < 300);
      await runs.change(reversal.id, 'RUNNING');
      const { state } = await runs.get(reversal.id);
      if (state !== 'COMPLETED') await runs.completed(reversal.id);
      const [result] = await runs.results(reversal.id);
      assert.equal(result?.status, 'REFUSED');
    });

    test('a run of many house consignments is proposed whatever it decides', async () => {
      const { runs } = await start({ fourEyesRunSize: 3 });
      const few = await runs.preNotify(['H1', 'H2']);
      const many = await runs.preNotify(['I1', 'I2', 'I3']);
      const stateOf = async (mrn: string) =>
        (await runs.create({ select: { mrn }, routing: 'TO_CONTROL' })).state;
      assert.equal(await stateOf(few), 'RUNNING');
      assert.equal(await stateOf(many), 'PROPOSED');
    });
  });
}
