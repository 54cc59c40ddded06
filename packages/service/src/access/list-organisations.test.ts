// The list of organisations: order, pages, who is in it, and who may read it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OrganisationSummary } from '@landfall/contract';
import type { Database } from '../database/database.js';
import { insertOrganisations } from '../registry/declaration-queries.js';
import { drawnDatabases } from '../testing/databases.js';
import { call, getCustomsToken, type Running, startAccess } from '../testing/running-access.js';

const path = '/api/authority/v1/organisations';

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`the list of organisations on ${name}`, { skip }, () => {
    let database: Database;
    let running: Running;
    let token: string;
    before(async () => {
      database = await open();
      running = await startAccess({ database });
      token = await getCustomsToken(running, 'authority');
      // Collations of a language would sort these differently than the numbers of their characters.
      for (const id of ['NTRSE-b', 'NTRSE-B', 'NTRSE-a', 'NTRSE-Ä', 'NTRSE-A']) {
        const entry = {
          name: `Name of ${id}`,
          kind: 'foreign',
          blocked: id === 'NTRSE-A',
        } as const;
        assert.ok('organisation' in (await running.access.putOrganisation(id, entry)));
      }
      await database.query(insertOrganisations(['NTRSE-only-declared']));
    });
    after(async () => {
      await running?.close();
      await database?.close();
    });

    const read = async (address: string) => {
      const response = await call(running, token, address);
      assert.equal(response.status, 200);
      // The cast is true because the contract says so of a 200.
      const page = (await response.json()) as OrganisationSummary[];
      return { page, link: response.headers.get('link') };
    };

    test('has every organisation once, whatever the size of its pages', async () => {
      const { page: all, link } = await read(path);
      assert.equal(link, null);
      const ids = all.map(({ id }) => id);
      assert.deepEqual(ids.slice(-6), [
        'NTRSE-A',
        'NTRSE-B',
        'NTRSE-a',
        'NTRSE-b',
        'NTRSE-only-declared',
        'NTRSE-Ä',
      ]);
      assert.deepEqual(ids, [...ids].sort());
      assert.ok(ids.includes('0192:310000019'));
      for (const limit of [1, 2, all.length]) {
        const found: OrganisationSummary[] = [];
        let next: string | undefined = `${path}?limit=${limit}`;
        while (next !== undefined) {
          const { page, link }: Awaited<ReturnType<typeof read>> = await read(next);
          assert.ok(page.length <= limit);
          found.push(...page);
          assert.ok(found.length <= all.length, 'an organisation is in two pages');
          next = link?.match(/^<https?:\/\/[^/]+([^>]+)>; rel="next"$/)?.[1];
        }
        assert.deepEqual(found, all);
      }
    });

    test('shows scopes and blocks, but no clients', async () => {
      const { page } = await read(`${path}?marker=0192:310000018&limit=1`);
      const [carrier] = page;
      assert.deepEqual(carrier, {
        id: '0192:310000019',
        name: 'Playground carrier',
        kind: 'domestic',
        grantedScopes: [
          'movement/air',
          'movement/entry',
          'movement/maritime',
          'movement/rail',
          'movement/road/v2',
          'movement/transportarrival',
        ],
        identificationNumbers: [],
        blocked: false,
      });
      const { page: foreign } = await read(`${path}?marker=NTRSE-&limit=1`);
      assert.equal(foreign[0]?.blocked, true);
    });

    test('is refused to others, and with a wrong query', async () => {
      const carrier = await getCustomsToken(running, 'carrier');
      assert.equal((await call(running, carrier, path)).status, 403);
      for (const query of ['limit=0', 'limit=1001', 'marker=', 'marker=a%00', 'kind=foreign']) {
        assert.equal((await call(running, token, `${path}?${query}`)).status, 400, query);
      }
    });
  });
}
