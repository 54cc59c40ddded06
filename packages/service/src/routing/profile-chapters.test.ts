// The condition of a routing profile on chapters of the Harmonized System, over HTTP.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type {
  AppliedRoutingProfile,
  DryRun,
  HouseConsignment,
  Problem,
  RoutingProfile,
} from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const PROFILES = '/api/authority/v1/routing-profiles';
const LIVE = '/api/authority/v1/live-routing-profile';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`a condition on the chapter on ${name}`, { skip }, () => {
    let playground: TestPlayground;
    before(async () => {
      playground = await TestPlayground.start(await open());
    });
    after(() => playground.close());

    const send = (method: string, path: string, body?: unknown) =>
      playground.call(path, { as: 'authority', method, ...(body !== undefined && { body }) });

    test('applies in a dry run, when goods are pre-notified, and when the profile is applied', async () => {
      const declarations = '/api/authority/v1/entry-summary-declarations';
      const codes = [['640399', '240220'], ['030214'], [], undefined];
      const declare = async (mrn: string) => {
        const response = await send('PUT', `${declarations}/${mrn}`, {
          customsOfficeOfFirstEntry: 'NO351001',
          declarant: '0192:310000019',
          houseConsignments: codes.map((harmonizedSystemSubheadingCode, house) => ({
            transportDocumentHouseLevel: { documentNumber: `HS${house}`, type: 'N740' },
            harmonizedSystemSubheadingCode,
          })),
        });
        assert.equal(response.status, 201, response.text);
      };
      const decided = async (mrn: string) => {
        const response = await send('GET', `/api/authority/v1/house-consignments?mrn=${mrn}`);
        return (response.body as HouseConsignment[])
          .filter(({ routing }) => routing !== undefined)
          .map(
            ({ transportDocumentHouseLevel: { documentNumber }, routing }) =>
              `${documentNumber} ${routing}`,
          );
      };
      const [before, after] = ['26NO00000000000004', '26NO00000000000005'];
      await declare(before);
      assert.deepEqual(await decided(before), []);

      const tobacco: RoutingProfile = {
        salt: 'a',
        rules: [
          {
            name: 'spirits and tobacco',
            when: { harmonizedSystemChapter: ['22', '24'] },
            routing: 'TO_CONTROL',
          },
        ],
      };
      const put = await send('PUT', `${PROFILES}/tobacco`, tobacco);
      assert.equal(put.status, 200, put.text);
      const tried = await send('POST', `${PROFILES}/tobacco/dry-run`, { limit: codes.length });
      const run = tried.body as DryRun;
      assert.deepEqual([run.rules[0]?.held, run.undecided, run.comparison.new], [1, 3, 1]);
      const [example] = run.rules[0]?.examples ?? [];
      assert.equal(example?.transportDocumentHouseLevel.documentNumber, 'HS0');

      await send('PUT', LIVE, { name: 'tobacco', version: 1 });
      await declare(after);
      assert.deepEqual(await decided(after), ['HS0 TO_CONTROL']);
      const applied = (await send('POST', `${LIVE}/apply`)).body as AppliedRoutingProfile;
      assert.equal(applied.decided, 1);
      assert.deepEqual(await decided(before), ['HS0 TO_CONTROL']);

      const unknown = await send('PUT', `${PROFILES}/tobacco`, {
        ...tobacco,
        rules: [{ ...tobacco.rules[0], when: { harmonizedSystemChapter: ['240220'] } }],
      });
      assert.equal(unknown.status, 400);
      assert.deepEqual((unknown.body as Problem).validationErrors, [
        {
          field: 'rules.0.when.harmonizedSystemChapter.0',
          error: 'must be a chapter of the Harmonized System, 01 to 99',
          code: 'FORMAT',
        },
      ]);
    });
  });
}
