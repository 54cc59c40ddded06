// The built site: its search finds each thing by its name, its pages are accessible, and they load little.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operations, scenarioKindNames } from '@landfall/contract';
import { hashScripts } from '../packages/service/dist/http/hash-scripts.js';
import { checkSite } from './check-site.js';
import { listOptions, listVariables } from './generate-pages.js';
import { options, searchOptions } from './search-options.js';

const site = fileURLToPath(new URL('../packages/playground/dist/site/', import.meta.url));
const isInstalled = existsSync(new URL('node_modules/minisearch', import.meta.url));
const skip =
  isInstalled && existsSync(join(site, 'index.html'))
    ? false
    : 'needs the documentation site: run `npm run docs` once';

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
