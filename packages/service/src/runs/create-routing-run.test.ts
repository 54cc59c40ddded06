// Routing runs over HTTP: what is selected, previewed, decided, listed, paused and given up, and by whom.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type {
  HouseConsignment,
  KeptDecision,
  RoutingRun,
  RoutingRunPreview,
} from '@landfall/contract';
import { AuditTrail } from '../audit/audit-trail.js';
import { verifyAudit } from '../audit/verify-audit.js';
import { feedKinds } from '../feed-kinds.js';
import { expireHouseConsignments } from '../retention/expire-house-consignments.js';
import { expireRuns } from '../retention/expire-runs.js';
import { drawnDatabases } from '../testing/databases.js';
import { errorsOf } from '../testing/registry-client.js';
import { RUNS, TestRuns } from '../testing/run-client.js';

const TO_ENTRY = { routing: 'TO_ENTRY', reason: 'because' };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`routing runs on ${name}`, { skip }, () => {
    let runs: TestRuns;

    before(async () => {
      runs = await TestRuns.start(await open());
    });
    after(() => runs.close());

    const get = (path: string, as = 'authority', headers = {}) =>
      runs.registry.playground.get(path, as, headers);
    const housesOf = async (mrn: string) =>
      (await get(`/api/authority/v1/house-consignments?mrn=${mrn}`)).body as HouseConsignment[];

    test('a run decides on what its filters select, signals it, and says what was before and after', async () => {
      const mrn = await runs.preNotify(['A1', 'A2', 'A3']);
      await runs.preNotify(['A1', 'A9']);
      await runs.registry.present('A1', mrn);
      await runs.decide(mrn, 'A2', 'TO_CONTROL', { routingControlLocation: 'ON_ENTRY' });
      await runs.decide(mrn, 'A3', 'TO_ENTRY');
      const created = await runs.create({ select: { mrn }, routing: 'TO_ENTRY' });
      assert.equal(created.houseConsignments, 3);
      const run = await runs.completed(created.id);
      const { decided, unchanged, conflicts, refused, pending, signals } = run;
      assert.deepEqual(
        { decided, unchanged, conflicts, refused, pending, signals },
        // The presenter and the declarant.
        { decided: 2, unchanged: 1, conflicts: 0, refused: 0, pending: 0, signals: 2 },
      );
      assert.deepEqual(await runs.outcomes(run.id), [
        ['A1', 'DECIDED', undefined, 'TO_ENTRY'],
        ['A2', 'DECIDED', 'TO_CONTROL', 'TO_ENTRY'],
        ['A3', 'UNCHANGED', 'TO_ENTRY', 'TO_ENTRY'],
      ]);
      assert.deepEqual(await runs.signals('forwarder'), ['A1 TO_ENTRY']);
      const made = (await get(`/api/authority/v1/routing-decisions?run=${run.id}`))
        .body as KeptDecision[];
      assert.deepEqual(
        made.map((decision) => [decision.run, decision.reason, decision.origin]),
        [1, 2, 3].map(() => [run.id, 'because', 'ENGINE']),
      );
    });

    test('goods that were taken back are taken back again with another reason', async () => {
      const mrn = await runs.preNotify(['Z1']);
      await runs.decide(mrn, 'Z1', 'TO_ENTRY');
      await runs.decide(mrn, 'Z1', 'UNDECIDED', { reason: 'first' });
      await runs.decide(mrn, 'Z1', 'UNDECIDED', { reason: 'second' });
      const run = await runs.create({ select: { mrn }, routing: 'UNDECIDED' });
      await runs.completed(run.id);
      assert.deepEqual(await runs.outcomes(run.id), [
        ['Z1', 'UNCHANGED', 'UNDECIDED', 'UNDECIDED'],
      ]);
    });

    test('a preview counts and shows, and changes nothing; its count is what is expected', async () => {
      const mrn = await runs.preNotify(['B1', 'B2', 'B3']);
      await runs.decide(mrn, 'B1', 'TO_CONTROL');
      const select = { mrn, state: 'PRE_NOTIFIED' };
      const before = (await get(RUNS)).text;
      const response = await runs.post({ ...TO_ENTRY, select: { mrn }, preview: true });
      assert.equal(response.status, 200, response.text);
      const { houseConsignments, ...counts } = response.body as RoutingRunPreview;
      assert.deepEqual(counts, {
        count: 3,
        undecided: 2,
        toControl: 1,
        toEntry: 0,
        needsConfirmation: false,
      });
      assert.deepEqual(
        houseConsignments.map(
          ({ transportDocumentHouseLevel: { documentNumber } }) => documentNumber,
        ),
        ['B1', 'B2', 'B3'],
      );
      const refused = await runs.post({ ...TO_ENTRY, select, expectedCount: 3 });
      assert.deepEqual(errorsOf(refused), ['expectedCount COUNT_DIFFERS']);
      assert.equal((await get(RUNS)).text, before);
      assert.deepEqual(
        (await housesOf(mrn)).map(({ state }) => state),
        ['DECIDED', 'PRE_NOTIFIED', 'PRE_NOTIFIED'],
      );
      const run = await runs.create({ ...TO_ENTRY, select, expectedCount: 2 });
      await runs.completed(run.id);
      assert.deepEqual(
        (await housesOf(mrn)).map(({ routing }) => routing),
        ['TO_CONTROL', 'TO_ENTRY', 'TO_ENTRY'],
      );
      const none = await runs.post({ ...TO_ENTRY, select, preview: true });
      assert.equal((none.body as RoutingRunPreview).count, 0);
    });

    test('ids select exactly these; an unknown one refuses the run and is named', async () => {
      const mrn = await runs.preNotify(['C1', 'C2', 'C3']);
      const [first = assert.fail(), , third = assert.fail()] = await housesOf(mrn);
      const unknown = randomUUID();
      const select = { houseConsignmentIds: [third.id.toUpperCase(), unknown, first.id] };
      assert.deepEqual(errorsOf(await runs.post({ ...TO_ENTRY, select })), [
        'select.houseConsignmentIds.1 REFERENCE_NOT_FOUND',
      ]);
      const ids = { houseConsignmentIds: [third.id, first.id, third.id.toUpperCase()] };
      const run = await runs.create({ routing: 'TO_CONTROL', select: ids });
      await runs.completed(run.id);
      assert.deepEqual(
        (await housesOf(mrn)).map(({ routing }) => routing),
        ['TO_CONTROL', undefined, 'TO_CONTROL'],
      );
    });

    test('ids and filters select exactly these, as long as each matches; the run has the filters', async () => {
      const mrn = await runs.preNotify(['L1', 'L2', 'L3']);
      const [first = assert.fail(), second = assert.fail()] = await housesOf(mrn);
      const houseConsignmentIds = [first.id, second.id];
      const select = { mrn, state: 'PRE_NOTIFIED', houseConsignmentIds };
      await runs.decide(mrn, 'L1', 'TO_CONTROL');
      for (const preview of [true, false]) {
        assert.deepEqual(errorsOf(await runs.post({ ...TO_ENTRY, select, preview })), [
          'select.houseConsignmentIds.0 REFERENCE_NOT_FOUND',
        ]);
      }
      const run = await runs.create({ ...TO_ENTRY, select: { mrn, houseConsignmentIds } });
      assert.deepEqual(run.select, { mrn });
      await runs.completed(run.id);
      assert.deepEqual(
        (await housesOf(mrn)).map(({ routing }) => routing),
        ['TO_ENTRY', 'TO_ENTRY', undefined],
      );
      const byIds = await runs.create({ ...TO_ENTRY, select: { houseConsignmentIds } });
      assert.deepEqual(byIds.select, {});
    });

    test('what a run selects is checked: each error has its field and its rule', async () => {
      const id = randomUUID();
      for (const [body, error] of [
        [{ select: {} }, 'select REQUIRED'],
        [{}, 'select REQUIRED'],
        [{ select: { ofice: 'NO351001' } }, 'select.ofice UNKNOWN_MEMBER'],
        [{ select: { state: 'WITHDRAWN' } }, 'select.state UNKNOWN_CODE'],
        [
          { select: { mrn: '26NO00000000000001', houseConsignmentIds: [id] } },
          'select.houseConsignmentIds.0 REFERENCE_NOT_FOUND',
        ],
        [{ select: { houseConsignmentIds: [] } }, 'select.houseConsignmentIds SIZE'],
        [{ select: { mrn: '99NO00000000000001' } }, 'select SIZE'],
        [{ select: { mrn: '99NO00000000000001' }, reason: undefined }, 'reason REQUIRED'],
        [
          { select: { state: 'DECIDED' }, routingControlLocation: 'ON_ENTRY' },
          'routingControlLocation FORMAT',
        ],
        [{ select: { state: 'DECIDED' }, expectedCount: -1 }, 'expectedCount FORMAT'],
        [{ select: { state: 'DECIDED' }, preveiw: true }, 'preveiw UNKNOWN_MEMBER'],
      ] as const) {
        const response = await runs.post({ ...TO_ENTRY, ...body });
        assert.equal(response.status, 400, response.text);
        assert(errorsOf(response).includes(error), `${errorsOf(response)} instead of ${error}`);
      }
    });

    test('only the authority has runs', async () => {
      const mrn = await runs.preNotify(['D1']);
      const run = await runs.create({ ...TO_ENTRY, select: { mrn } });
      const { playground } = runs.registry;
      for (const as of ['carrier', 'forwarder']) {
        assert.equal((await runs.post({ ...TO_ENTRY, select: { mrn } }, as)).status, 403);
        for (const path of ['', `/${run.id}`, `/${run.id}/results`]) {
          assert.equal((await get(`${RUNS}${path}`, as)).status, 403);
        }
        const path = `${RUNS}/${run.id}/reversal`;
        assert.equal((await playground.post(path, as, { reason: 'r' })).status, 403);
      }
      for (const id of [randomUUID(), 'x']) {
        assert.equal((await get(`${RUNS}/${id}`)).status, 404);
        assert.equal((await get(`${RUNS}/${id}/results`)).status, 404);
        assert.equal((await runs.changeFrom(id, 'PAUSED', { 'if-match': '"1"' })).status, 404);
        const path = `${RUNS}/${id}/reversal`;
        assert.equal((await playground.post(path, 'authority', { reason: 'r' })).status, 404);
      }
    });

    test('runs are listed page by page, by state, and each has an entity tag', async () => {
      const mrn = await runs.preNotify(['E1']);
      const created = await runs.create({ ...TO_ENTRY, select: { mrn } });
      const run = await runs.completed(created.id);
      assert.notEqual(run.etag, created.etag);
      assert.equal((await get(`${RUNS}/${run.id}`)).headers.get('etag'), run.etag);
      const all = (await get(RUNS)).body as RoutingRun[];
      assert.deepEqual(all.at(-1), run);
      const first = await get(`${RUNS}?limit=1`);
      assert.deepEqual(first.body, all.slice(0, 1));
      assert.match(first.headers.get('link') ?? '', new RegExp(`marker=${all[0]?.id}`));
      assert.equal(first.headers.get('landfall-count'), '1');
      const rest = (await get(`${RUNS}?marker=${all[0]?.id}`)).body as RoutingRun[];
      assert.deepEqual(rest, all.slice(1));
      const newest = await get(`${RUNS}?newestFirst=true&limit=2`);
      assert.deepEqual(newest.body, all.toReversed().slice(0, 2));
      const older = await get(`${RUNS}?newestFirst=true&marker=${all.at(-2)?.id}`);
      assert.deepEqual(older.body, all.toReversed().slice(2));
      assert.deepEqual((await get(`${RUNS}?state=PAUSED`)).body, []);
      assert.deepEqual((await get(`${RUNS}?state=COMPLETED`)).body, all);
    });

    test('results are pages, lines and CSV, and can be those of one status', async () => {
      const mrn = await runs.preNotify(['=F1', 'F,2', 'F3']);
      await runs.decide(mrn, 'F3', 'TO_ENTRY');
      const { id } = await runs.completed(
        (await runs.create({ select: { mrn }, routing: 'TO_ENTRY', reason: 'another' })).id,
      );
      const [first, second, third] = await runs.results(id);
      assert.deepEqual(await runs.results(id, '?limit=2'), [first, second]);
      assert.deepEqual(await runs.results(id, `?marker=${second?.houseConsignmentId}`), [third]);
      assert.deepEqual(await runs.results(id, '?status=UNCHANGED'), [third]);
      assert.deepEqual(await runs.results(id, '?status=PENDING'), []);
      const path = `${RUNS}/${id}/results`;
      const lines = await get(path, 'authority', { accept: 'application/x-ndjson' });
      assert.deepEqual(
        lines.text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
        [first, second, third],
      );
      const csv = await get(`${path}?limit=2`, 'authority', { accept: 'text/csv' });
      assert.equal(csv.headers.get('landfall-count'), '2');
      const [header, one, two, end, ...others] = csv.text.split('\r\n');
      assert.match(
        header ?? '',
        /^houseConsignmentId,mrn,documentNumber,documentType,status,code,/,
      );
      assert.match(
        one ?? '',
        new RegExp(`^${first?.houseConsignmentId},${mrn},'=F1,N740,DECIDED,`),
      );
      assert.match(two ?? '', /,"F,2",N740,DECIDED,,,,,,,1,TO_ENTRY,,ENGINE,/);
      assert.deepEqual([end, others], ['', []]);
    });

    test('a run is kept as long as one of its house consignments is', async () => {
      const mrn = await runs.preNotify(['G1', 'G2']);
      const run = await runs.completed((await runs.create({ ...TO_ENTRY, select: { mrn } })).id);
      const context = {
        database: runs.registry.database,
        audit: new AuditTrail(),
        clock: () => new Date(),
      };
      const expire = async (what: typeof expireRuns) => {
        const inAnHour = new Date(Date.now() + 3_600_000);
        for await (const _ of what(context, inAnHour));
        return (await get(`${RUNS}/${run.id}`)).status;
      };
      await runs.registry.present('G1', mrn);
      await expire(expireHouseConsignments);
      assert.equal(await expire(expireRuns), 200);
      assert.deepEqual(
        (await runs.outcomes(run.id)).map(([document]) => document),
        [undefined, 'G2'],
      );
      await runs.registry.present('G2', mrn);
      await expire(expireHouseConsignments);
      assert.equal(await expire(expireRuns), 404);
    });

    test('the audit trail has every row of the runs', async () => {
      assert.deepEqual((await verifyAudit(runs.registry.database, feedKinds)).breaks, []);
    });
  });
}
