// The built site: its search finds each thing by its name, its pages are accessible, and they load little.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operations, scenarioKindNames } from '@landfall/contract';
import { checkAccessibility } from '../packages/console/dist/testing/open-console.js';
import { addApiReference } from '../packages/service/dist/http/api-reference.js';
import { addDocumentationSite } from '../packages/service/dist/http/documentation-site.js';
import { hashScripts } from '../packages/service/dist/http/hash-scripts.js';
import { makeServer } from '../packages/service/dist/http/server.js';
import { noBrowser, openBrowser } from '../packages/service/dist/testing/browser.js';
import { wideLimits } from '../packages/service/dist/testing/wide-limits.js';
import { checkSite } from './check-site.js';
import { listErrors } from './error-pages.js';
import { listOptions, listVariables } from './generate-pages.js';
import { options, searchOptions } from './search-options.js';

const site = fileURLToPath(new URL('../packages/playground/dist/site/', import.meta.url));
const isInstalled = existsSync(new URL('node_modules/minisearch', import.meta.url));
const skip =
  isInstalled && existsSync(join(site, 'index.html'))
    ? false
    : 'needs the documentation site: run `npm run docs` once';

/** What a first visit may load, in bytes as they are sent. */
const MAX_FIRST_LOAD = 150_000;

/** Pages of every kind: the start page, a guide, a reference, a page that the build makes, and the list of decisions. */
const PAGES = [
  '',
  'guide/first-integration.html',
  'reference/scenarios.html',
  'reference/operations/presentation.html',
  'decisions/',
];

/** Everything that a busy machine takes is within this time, in milliseconds. */
const TIMEOUT_MS = 180_000;

describe('the search', { skip }, () => {
  /** @type {(query: string) => { id: string, title: string }[]} */
  let search;
  before(async () => {
    const chunks = join(site, 'assets/chunks');
    const name = readdirSync(chunks).find((file) => /^@localSearchIndexroot\..*\.js$/.test(file));
    assert(name);
    const { default: index } = await import(join(chunks, name));
    const { default: MiniSearch } = await import('minisearch');
    const loaded = MiniSearch.loadJSON(index, { ...options, searchOptions });
    // The cast is true because these members are stored.
    search = (query) => /** @type {any} */ (loaded.search(query));
  });

  const names = {
    operation: Object.keys(operations),
    option: [...listOptions().keys()],
    variable: listVariables().map(({ variable }) => variable),
    scenario: scenarioKindNames,
    error: listErrors().flatMap(({ errors }) => errors.map(({ name }) => name)),
  };
  for (const [kind, list] of Object.entries(names)) {
    test(`finds each ${kind} by its name as the first result`, () => {
      assert(list.length > 10, `${list.length} names`);
      const others = list
        .map((name) => ({ name, first: search(name)[0] }))
        .filter(({ name, first }) => first?.title !== name)
        .map(({ name, first }) => `${name}: ${first?.id}`);
      assert.deepEqual(others, []);
    });
  }

  test('finds words in the pages about them before options and decisions', () => {
    for (const words of ['lost response', 'receptacle', 'rotate keys', 'retention', 'identity']) {
      const [first] = search(words);
      assert(first, words);
      assert.doesNotMatch(first.id, /options|decisions|sql|changelog/, words);
    }
  });
});

describe('the pages', { skip }, () => {
  test('no link leads nowhere', () => {
    assert.deepEqual(checkSite(site), []);
  });

  test('the content policy of the start page admits the scripts of every page', () => {
    const admitted = hashScripts(readFileSync(join(site, 'index.html'), 'utf8'));
    assert.equal(admitted.length, 2);
    const pages = readdirSync(site, { recursive: true }).filter((name) =>
      String(name).endsWith('.html'),
    );
    assert(pages.length > 250);
    for (const page of pages) {
      const scripts = hashScripts(readFileSync(join(site, String(page)), 'utf8'));
      assert.deepEqual(scripts, admitted, String(page));
    }
  });
});

test('in a browser', { skip: skip || noBrowser }, async (context) => {
  const { app } = await makeServer({ logLevel: 'silent' });
  after(() => app.close());
  await addApiReference(app, {
    findBaseUrl: () => 'http://localhost:8080',
    scopePrefix: 'customs:',
    identityProvider: true,
    unread: wideLimits().unread,
  });
  await addDocumentationSite(app, site);
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const browser = await openBrowser();
  const page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  /** @type {string[]} */
  const reported = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== base) reported.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') reported.push(message.text());
  });
  page.on('pageerror', (error) => reported.push(error.message));

  await context.test('a first load is small', async () => {
    for (const path of PAGES.slice(0, 2)) {
      await page.goto(`${base}/docs/${path}`, { waitUntil: 'load' });
      /** @type {{ bytes: number, name: string }[]} */
      const loaded = await page.evaluate(`performance
        .getEntries()
        .filter(({ encodedBodySize }) => encodedBodySize > 0)
        .map(({ encodedBodySize: bytes, name }) => ({ bytes, name }))`);
      const bytes = loaded.reduce((sum, entry) => sum + entry.bytes, 0);
      context.diagnostic(`first load of /docs/${path}: ${bytes} bytes, ${loaded.length} files`);
      assert(loaded.length > 5 && bytes < MAX_FIRST_LOAD, JSON.stringify(loaded));
      // Each page is measured as the first one.
      await (await browser.newCDPSession(page)).send('Network.clearBrowserCache');
    }
  });

  await context.test('the search opens, and finds without another server', async () => {
    await page.goto(`${base}/docs/`);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('searchbox').fill('lost-response');
    const first = page.locator('.results a').first();
    await first.waitFor();
    assert.equal(await first.getAttribute('href'), '/docs/reference/scenarios.html#lost-response');
    await page.keyboard.press('Escape');
  });

  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    await context.test(`axe finds nothing in ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme });
      for (const path of PAGES) {
        await page.goto(`${base}/docs/${path}`);
        await page.locator('.VPContent').waitFor();
        const isDark = await page.evaluate("document.documentElement.classList.contains('dark')");
        assert.equal(isDark, colorScheme === 'dark');
        await checkAccessibility(page, `/docs/${path}`);
      }
    });
  }

  await context.test('the navigation leads to the API reference', async () => {
    await page.goto(`${base}/docs/`);
    await page.getByRole('link', { name: 'API', exact: true }).first().click();
    await page.waitForURL(`${base}/docs/api/`);
  });

  assert.deepEqual(reported, []);
});
