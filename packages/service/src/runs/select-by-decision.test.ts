// Runs select goods by who made their current decision: a profile, its version or rule, or a run.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { drawnDatabases } from '../testing/databases.js';
import { errorsOf } from '../testing/registry-client.js';
import { RUNS, TestRuns } from '../testing/run-client.js';

const PROFILES = '/api/authority/v1/routing-profiles';
const LIVE = '/api/authority/v1/live-routing-profile';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`runs by decision on ${name}`, { skip }, () => {
    let runs: TestRuns;
    before(async () => {
      runs = await TestRuns.start(await open());
      const { playground } = runs.registry;
      const profile = (salt: string) => ({
        salt,
        rules: [
          { name: 'post', when: { transportDocumentType: ['N750'] }, routing: 'TO_CONTROL' },
          { name: 'others', routing: 'TO_ENTRY' },
        ],
      });
      const put = (path: string, body: object) =>
        playground.call(path, { as: 'authority', method: 'PUT', body });
      for (const [version, salt] of ['a', 'b'].entries()) {
        assert.equal((await put(`${PROFILES}/all`, profile(salt))).status, 200);
        const live = await put(LIVE, { name: 'all', version: version + 1 });
        assert.equal(live.status, 200, live.text);
        await runs.preNotify([`X${salt}1`, `X${salt}2`]);
        await runs.preNotify([`P${salt}`], {
          transportDocumentHouseLevel: { documentNumber: `P${salt}`, type: 'N750' },
        });
      }
      await playground.call(LIVE, { as: 'authority', method: 'DELETE' });
    });
    after(() => runs.close());

    const selected = async (select: object) => {
      const run = await runs.create({ select, routing: 'UNDECIDED' });
      await runs.completed(run.id);
      return (await runs.outcomes(run.id))
        .map(([document, status]) => `${document} ${status}`)
        .sort();
    };

    test('what a profile, a version, a rule or a run has decided is taken back, and nothing else', async () => {
      assert.deepEqual(await selected({ profile: 'all', profileVersion: 1, profileRule: 1 }), [
        'Pa DECIDED',
      ]);
      assert.deepEqual(await selected({ profile: 'all', profileVersion: 1 }), [
        'Xa1 DECIDED',
        'Xa2 DECIDED',
      ]);
      assert.deepEqual(await selected({ profile: 'all', profileRule: 1 }), ['Pb DECIDED']);
      const select = { profile: 'all' };
      const run = await runs.create({ select, routing: 'TO_CONTROL' });
      await runs.completed(run.id);
      assert.deepEqual(errorsOf(await runs.post({ select, routing: 'UNDECIDED', reason: 'r' })), [
        'select SIZE',
      ]);
      assert.deepEqual(await selected({ run: run.id }), ['Xb1 DECIDED', 'Xb2 DECIDED']);
      assert.equal(
        (await runs.registry.playground.get(`${RUNS}/${run.id}`, 'authority')).status,
        200,
      );
    });
  });
}
