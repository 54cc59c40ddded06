// Links of the built site that lead nowhere are found.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkSite } from './check-site.js';

test('links to pages, parts of pages, images and other sites', () => {
  const site = mkdtempSync(join(tmpdir(), 'landfall-site-'));
  try {
    mkdirSync(join(site, 'guide'));
    writeFileSync(join(site, 'index.html'), '<h2 id="top">Top</h2><a href="#top"></a>');
    const links = [
      '/docs/',
      '/docs/#top',
      '/docs/api/',
      '../index.html#top',
      'push.html',
      'https://example.com/',
      '/docs/none.html',
      '/docs/#none',
      '#none',
      '/elsewhere',
    ];
    const anchors = links.map((link) => `<a class="x" href="${link}">x</a>`);
    writeFileSync(join(site, 'guide/push.html'), `${anchors.join('')}<img src="/docs/none.png">`);
    const dead = ['/docs/none.html', '/docs/#none', '#none', '/elsewhere', '/docs/none.png'];
    assert.deepEqual(
      checkSite(site),
      dead.map((link) => `guide/push.html: ${link}`),
    );
  } finally {
    rmSync(site, { recursive: true });
  }
});
