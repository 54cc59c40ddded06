// The list of routing profiles page by page: every version once, in bounded pages.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RoutingProfile, StoredRoutingProfile } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { TestPlayground } from '../testing/playground-client.js';

const PROFILES = '/api/authority/v1/routing-profiles';

/** About 55 KB, nearly as large as a profile may be. */
const large: RoutingProfile = {
  salt: 'a',
  rules: Array.from({ length: 5 }, (_, number) => ({
    name: `rule ${number}`,
    when: { customsOfficeOfFirstEntry: Array.from({ length: 980 }, () => 'NO351001') },
    routing: 'TO_CONTROL',
  })),
};
const LARGE = 40;

/** A million bytes of rules, a profile more, and what the list adds to each. */
const MAX_PAGE_BYTES = 1_100_000;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`the list of profiles on ${name}`, { skip }, () => {
    let playground: TestPlayground;

    before(async () => {
      playground = await TestPlayground.start(await open());
      for (let version = 1; version <= LARGE; version++) {
        await put('large', { ...large, salt: String(version) });
      }
      const rules: RoutingProfile['rules'] = [{ name: 'all', routing: 'TO_ENTRY' }];
      for (const called of ['mail', 'mail-2', 'mai', 'mailbox', 'mai-l', 'n']) {
        for (const salt of ['1', '2', '3']) await put(called, { salt, rules });
      }
    });
    after(() => playground.close());

    const put = async (called: string, body: RoutingProfile) => {
      const response = await playground.call(`${PROFILES}/${called}`, {
        as: 'authority',
        method: 'PUT',
        body,
      });
      assert.equal(response.status, 200, response.text);
    };

    /** Every page: the names and versions. */
    const readPages = async (query: Record<string, string> = {}) => {
      const pages: string[][] = [];
      let path: string | undefined = `${PROFILES}?${new URLSearchParams(query)}`;
      while (path !== undefined) {
        const response = await playground.get(path, 'authority');
        assert.equal(response.status, 200, response.text);
        assert(response.text.length < MAX_PAGE_BYTES, `${response.text.length} bytes`);
        // The cast is true because the response was checked against openapi.json.
        const page = response.body as StoredRoutingProfile[];
        assert.equal(response.headers.get('landfall-count'), String(page.length));
        pages.push(page.map(({ name: called, version }) => `${called}:${version}`));
        const next = response.headers.get('link')?.match(/^<(.*)>; rel="next"$/)?.[1];
        path = next?.replace(playground.playground.baseUrl, '');
      }
      return pages;
    };
    const versionsOf = (...names: string[]) =>
      names.flatMap((called) => [1, 2, 3].map((version) => `${called}:${version}`));
    const all = [
      ...Array.from({ length: LARGE }, (_, index) => `large:${index + 1}`),
      ...versionsOf('mai', 'mai-l', 'mail', 'mail-2', 'mailbox', 'n'),
    ];

    test('a request without a limit leads to every version, in pages of a million bytes', async () => {
      const pages = await readPages();
      assert.deepEqual(pages.flat(), all);
      assert.equal(pages.length, 3);
    });

    test('pages of any size have every version once, and no page follows the last one', async () => {
      for (const limit of [1, 7, 20, all.length - 1, all.length, all.length + 1, 1000]) {
        const pages = await readPages({ limit: String(limit) });
        assert.deepEqual(pages.flat(), all, `limit ${limit}`);
        assert(pages.every((page) => page.length > 0 && page.length <= limit));
      }
    });

    test('a name finds the profiles whose names begin with it, page by page', async () => {
      for (const [beginning, names] of [
        ['mail', ['mail', 'mail-2', 'mailbox']],
        ['mai-', ['mai-l']],
        ['mailbox', ['mailbox']],
        ['mailboxes', []],
        ['o', []],
      ] as const) {
        for (const limit of ['2', '3', '1000']) {
          const pages = await readPages({ name: beginning, limit });
          assert.deepEqual(pages.flat(), versionsOf(...names), `${beginning}, limit ${limit}`);
        }
      }
    });

    test('a marker may be of a version that does not exist, and another text is refused', async () => {
      assert.deepEqual(
        (await readPages({ marker: 'mail-1:9' })).flat(),
        versionsOf('mail-2', 'mailbox', 'n'),
      );
      assert.deepEqual((await readPages({ marker: 'mail:2', name: 'mail' })).flat(), [
        'mail:3',
        ...versionsOf('mail-2', 'mailbox'),
      ]);
      for (const query of [
        { marker: 'mail' },
        { marker: 'mail:0' },
        { marker: ':1' },
        { marker: 'mail:1:1' },
        { marker: 'mail:10000000' },
        { name: 'Mail' },
        { name: '' },
        { limit: '0' },
        { limit: '1001' },
      ]) {
        const parameters = new URLSearchParams(query as Record<string, string>);
        const { status, body } = await playground.get(`${PROFILES}?${parameters}`, 'authority');
        assert.equal(status, 400, `${parameters}`);
        const { validationErrors } = body as { validationErrors: { field: string }[] };
        assert.deepEqual(
          validationErrors.map(({ field }) => field),
          Object.keys(query),
        );
      }
    });
  });
}
