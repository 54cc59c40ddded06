// Applying a profile decides by the facts and the profile of the moment in which it decides, not of the one in which it read.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Statement } from '../database/database.js';
import { FeedWatch } from '../feed/watch-feeds.js';
import { drawnDatabases } from '../testing/databases.js';
import { organisationOf } from '../testing/organisation-of.js';
import { declaration, house, TestRegistry } from '../testing/registry-client.js';
import { applyRoutingProfile } from './apply-routing-profile.js';
import { DecisionCommits } from './commit-decisions.js';
import { LiveProfiles } from './profiles.js';

const PROFILE = '/api/authority/v1/routing-profiles/tobacco';
const LIVE = '/api/authority/v1/live-routing-profile';
const AUTHORITY = '0192:310000043';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`applying a profile on ${name} while`, { skip }, () => {
    let registry: TestRegistry;
    let watch: FeedWatch;
    before(async () => {
      registry = await TestRegistry.start(await open());
      watch = new FeedWatch(registry.database);
    });
    after(async () => {
      watch.close();
      await registry.close();
    });

    const as = 'authority';
    const send = async (method: string, path: string, body?: object) => {
      const { playground } = registry;
      const response = await playground.call(path, { as, method, ...(body && { body }) });
      assert(response.status < 300, response.text);
    };
    const goods = (code: string) => house('T1', { harmonizedSystemSubheadingCode: [code] });

    /** How many goods of a tobacco profile are decided if something happens after they were read. */
    const applyWhile = async (happens: (mrn: string) => Promise<unknown>) => {
      const mrn = registry.nextMrn();
      await registry.put(mrn, declaration([goods('240220')]));
      const rules = [
        { name: 'all', when: { harmonizedSystemChapter: ['24'] }, routing: 'TO_ENTRY' },
      ];
      await send('PUT', PROFILE, { salt: randomUUID(), rules });
      const versions = await registry.playground.get('/api/authority/v1/routing-profiles', as);
      const version = (versions.body as object[]).length;
      await send('PUT', LIVE, { name: 'tobacco', version });
      const { database } = registry;
      let hasHappened = false;
      const query = async <Row extends object>(statement: Statement<Row>) => {
        const rows = await database.query(statement);
        if (statement.name === 'select-undecided-consignments' && !hasHappened) {
          hasHappened = true;
          await happens(mrn);
        }
        return rows;
      };
      const { decided } = await applyRoutingProfile(
        {
          database: { ...database, query },
          profiles: new LiveProfiles(),
          commits: new DecisionCommits(database, watch),
        },
        undefined,
        100,
        {
          at: undefined,
          origin: 'OFFICER',
          organisationId: await organisationOf(database, AUTHORITY),
          organisation: AUTHORITY,
          clientId: 'an officer',
          requestId: 'r',
        },
      );
      assert(hasHappened);
      await send('DELETE', LIVE);
      await registry.withdraw(mrn);
      return decided;
    };

    test('nothing happens decides by it', async () => {
      assert.equal(await applyWhile(async () => undefined), 1);
    });

    test('the facts change decides nothing by those of before', async () => {
      assert.equal(await applyWhile((mrn) => registry.put(mrn, declaration([goods('640399')]))), 0);
    });

    test('it is replaced or deactivated decides nothing by it', async () => {
      assert.equal(await applyWhile(() => send('DELETE', LIVE)), 0);
      assert.equal(
        await applyWhile(async () => {
          await send('PUT', PROFILE, {
            salt: 'other',
            rules: [{ name: 'all', routing: 'TO_CONTROL' }],
          });
          const versions = await registry.playground.get('/api/authority/v1/routing-profiles', as);
          await send('PUT', LIVE, { name: 'tobacco', version: (versions.body as object[]).length });
        }),
        0,
      );
    });
  });
}
