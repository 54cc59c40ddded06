// Reading movement messages and the statuses of requests: what is said of each, to whom, and when.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { modes, type Problem } from '@landfall/contract';
import { makeExample } from '../../../contract/dist/movement/cases/examples.js';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  appendMovementStatuses,
  insertMovements,
  makeMovementStatus,
} from '../testing/movement-rows.js';
import { organisationOf } from '../testing/organisation-of.js';
import { TestPlayground } from '../testing/playground-client.js';

const MRN = '26NOAAAAAAAAAAAAT0';
const TRANSPORT = '26NOAAAAAAAAAAAAT1';
const UNKNOWN = '26NOAAAAAAAAAAAAT9';
const message = makeExample('house-consignment', 'road');
const transport = makeExample('transport', 'air');
const allScopes = Object.values(modes).map(({ scope }) => scope);

/** Three organisations with the scopes of all modes. */
const identities = ['submitter', 'agent', 'stranger'].map((name, index) => ({
  name,
  kind: 'domestic' as const,
  organisation: `0192:31000020${index}`,
  organisationName: name,
  scopes: allScopes,
  granted: allScopes,
}));

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`reading movement messages on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let submitter: number;
    const titleOf = (body: unknown) => {
      const { title, detail } = body as Problem;
      return `${title}: ${detail}`;
    };
    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database, { consignmentExpiry: 0 }, { identities });
      submitter = await organisationOf(database, '0192:310000200');
      const representative = await organisationOf(database, '0192:310000201');
      await insertMovements(database, [
        {
          mrn: MRN,
          submitter,
          representative,
          message,
          reasons: ['INCOMPLETE_CUDE_DOCUMENTATION'],
        },
        {
          mrn: TRANSPORT,
          submitter,
          level: 'TRANSPORT',
          mode: 'air',
          state: 'CANCELLED',
          message: transport,
        },
      ]);
    });
    after(() => playground.close());

    test('a message is read by whoever lodged it and by the representative, with its state', async () => {
      const address = `/api/movement/road/v2/house-consignment/${MRN}`;
      const read = await playground.get(address, 'submitter');
      assert.equal(read.status, 200);
      assert.deepEqual(read.body, {
        mrn: MRN,
        mode: 'road',
        level: 'HOUSE_CONSIGNMENT',
        state: 'CURRENT',
        lodgedAt: '2026-01-01T12:00:01.000Z',
        complete: false,
        incompleteDocumentationReasonList: ['INCOMPLETE_CUDE_DOCUMENTATION'],
        message,
      });
      assert.equal((await playground.get(address, 'agent')).text, read.text);
      const ended = await playground.get(
        `/api/movement/air/v1/transport/${TRANSPORT}`,
        'submitter',
      );
      assert.deepEqual(ended.body, {
        mrn: TRANSPORT,
        mode: 'air',
        level: 'TRANSPORT',
        state: 'CANCELLED',
        lodgedAt: '2026-01-01T12:00:02.000Z',
        endedAt: '2026-01-01T12:00:02.000Z',
        message: transport,
      });
    });

    test('a message of others, of another kind, and one that is unknown are 404 in the same words', async () => {
      const details = new Set<string>();
      const expectNone = async (path: string, as: string, mrn: string) => {
        const { status, body } = await playground.get(`/api/movement/${path}/${mrn}`, as);
        assert.equal(status, 404, `${as} ${path}`);
        details.add(titleOf(body).replace(mrn, 'MRN'));
      };
      await expectNone('road/v2/house-consignment', 'stranger', MRN);
      await expectNone('air/v1/transport', 'agent', TRANSPORT);
      await expectNone('air/v1/house-consignment', 'submitter', MRN);
      await expectNone('road/v2/master-consignment', 'submitter', MRN);
      await expectNone('road/v2/house-consignment', 'submitter', UNKNOWN);
      await expectNone('road/v2/house-consignment', 'submitter', '23NO00000000000003'); // an ENS
      await expectNone('road/v2/house-consignment', 'submitter', 'nothing');
      assert.equal(details.size, 1, [...details].join('\n'));
    });

    test('a mode in another version and a level that there is not are 404', async () => {
      for (const path of ['road/v1', 'air/v2', 'toString/v1', 'road/toString', 'canal/v1']) {
        for (const rest of ['house-consignment', `house-consignment/${MRN}`, 'test-auth']) {
          const { status } = await playground.get(`/api/movement/${path}/${rest}`, 'submitter');
          assert.equal(status, 404, `${path}/${rest}`);
        }
      }
      for (const level of ['container', 'toString']) {
        const paths = [
          `road/v2/${level}`,
          `road/v2/${level}/${MRN}`,
          `road/status/v2/${level}/validation-status/${randomUUID()}`,
        ];
        for (const path of paths) {
          const { status } = await playground.get(`/api/movement/${path}`, 'submitter');
          assert.equal(status, 404, path);
        }
      }
    });

    test('each mode has its address to test a token, whatever the scope', async () => {
      for (const { name: mode, version } of Object.values(modes)) {
        const address = `/api/movement/${mode}/${version}/test-auth`;
        for (const as of ['submitter', 'statistics']) {
          assert.equal((await playground.get(address, as)).text, 'OK', address);
        }
        assert.equal((await playground.call(address)).status, 401);
      }
    });

    test('a token without the scope of the mode reads nothing of that mode', async () => {
      // The haulier has the scope of road.
      for (const path of ['rail/v1/transport', `rail/v1/transport/${MRN}`]) {
        assert.equal((await playground.get(`/api/movement/${path}`, 'haulier')).status, 403, path);
      }
      const status = `/api/movement/rail/status/v1/transport/validation-status/${randomUUID()}`;
      assert.equal((await playground.get(status, 'haulier')).status, 403);
      assert.equal((await playground.get('/api/movement/air/v1/transport', 'carrier')).status, 200);
      const feed = '/api/movement/status/v1/validation-status';
      assert.equal((await playground.get(feed, 'carrier')).status, 200);
      assert.equal((await playground.get(feed, 'statistics')).status, 403);
    });

    test('the status of a request is that of its mode and level, for whoever has sent it', async () => {
      const failed = makeMovementStatus({
        status: 'FAILURE',
        mode: 'air',
        level: 'MASTER_CONSIGNMENT',
        validationErrorList: [
          {
            // What would be taken for another kind, if texts of errors were read.
            description: 'is not "mode":"road","level":"HOUSE_CONSIGNMENT","operation":"',
            code: 'UNKNOWN_CODE',
            pointer: { messageElementPath: 'consignmentMasterLevel' },
          },
        ],
      });
      const { requestId } = failed;
      await appendMovementStatuses(database, submitter, [failed]);
      const at = (kind: string, id = requestId) => `/api/movement/${kind}/validation-status/${id}`;
      const right = at('air/status/v1/master-consignment');
      const read = await playground.get(right, 'submitter');
      assert.deepEqual([read.status, read.body], [200, failed]);
      const capitals = at('air/status/v1/master-consignment', requestId.toUpperCase());
      assert.equal((await playground.get(capitals, 'submitter')).text, read.text);
      const none: [string, string][] = [
        [right, 'stranger'],
        [right, 'agent'],
        [at('road/status/v2/master-consignment'), 'submitter'],
        [at('air/status/v1/house-consignment'), 'submitter'],
        [at('road/status/v2/house-consignment'), 'submitter'],
        [at('air/status/v1/master-consignment', randomUUID()), 'submitter'],
        [at('air/status/v1/master-consignment', MRN), 'submitter'],
      ];
      const details = new Set<string>();
      for (const [address, as] of none) {
        const { status, body } = await playground.get(address, as);
        assert.equal(status, 404, `${as} ${address}`);
        details.add(titleOf(body).replace(address.split('/').at(-1) ?? '', 'ID'));
      }
      assert.equal(details.size, 1, [...details].join('\n'));
    });

    test('a reader that prefers to wait gets the status once the request is recorded', async () => {
      const status = makeMovementStatus({ mrn: MRN });
      const address = `/api/movement/road/status/v2/house-consignment/validation-status/${status.requestId}`;
      const waiting = playground.get(address, 'submitter', { prefer: 'wait=30' });
      const early = await Promise.race([waiting, delay(500, 'still waiting')]);
      assert.equal(early, 'still waiting');
      await appendMovementStatuses(database, submitter, [status]);
      const { body, headers } = await waiting;
      assert.deepEqual(body, status);
      assert.equal(headers.get('preference-applied'), 'wait=30');
    });

    test('waiting for a request of another kind ends at once, and one that is not recorded at its end', async () => {
      const { requestId } = makeMovementStatus();
      await appendMovementStatuses(database, submitter, [makeMovementStatus({ requestId })]);
      const wait = async (kind: string, id: string, seconds: number) => {
        const began = performance.now();
        const address = `/api/movement/${kind}/validation-status/${id}`;
        const read = await playground.get(address, 'submitter', { prefer: `wait=${seconds}` });
        assert.equal(read.status, 404);
        return performance.now() - began;
      };
      assert((await wait('air/status/v1/house-consignment', requestId, 60)) < 30_000);
      assert((await wait('road/status/v2/house-consignment', randomUUID(), 1)) >= 990);
    });

    test('the feed has all statuses of the organisation, and no others', async () => {
      const feed = '/api/movement/status/v1/validation-status';
      const all = await playground.get(feed, 'submitter');
      const own = await database.query<{ entry: string }>({
        name: '',
        text: 'select entry from movement_status where owner = $1 order by position',
        values: [submitter],
      });
      assert(own.length >= 3);
      assert.equal(all.text, `[${own.map(({ entry }) => entry).join(',')}]`);
      const others = await organisationOf(database, '0192:310000202');
      const status = makeMovementStatus();
      await appendMovementStatuses(database, others, [status]);
      assert.deepEqual((await playground.get(feed, 'stranger')).body, [status]);
      const [first] = all.body as { requestId: string }[];
      const after = await playground.get(`${feed}?marker=${first?.requestId}`, 'submitter');
      assert.deepEqual(after.body, (all.body as unknown[]).slice(1));
      const foreign = await playground.get(`${feed}?marker=${status.requestId}`, 'submitter');
      assert.match(foreign.text, /UNKNOWN_MARKER/);
    });

    test('statuses are covered by the audit trail', async () => {
      const changed = async () =>
        (await verifyAudit(database, feedKinds)).breaks.filter(
          ({ code }) => code === 'CONTENT_CHANGED',
        );
      assert.deepEqual(await changed(), []);
      await database.query({
        name: '',
        text: `update movement_status set entry = replace(entry, 'LODGE', 'CANCEL')`,
        values: [],
      });
      assert((await changed()).length > 0);
    });
  });
}
