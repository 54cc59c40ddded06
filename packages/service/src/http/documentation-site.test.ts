// The documentation site at /docs/, beside the API reference.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { addDocumentationSite } from './documentation-site.js';
import { makeServer } from './server.js';

/** Serves the site of a folder; returns its base address. */
async function serveSite(folder: string): Promise<string> {
  const { app } = await makeServer({ logLevel: 'silent' });
  await addDocumentationSite(app, folder);
  await app.listen({ host: '127.0.0.1', port: 0 });
  after(() => app.close());
  // The cast is true because the server listens on a port, not on a pipe.
  const { port } = app.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** A folder with a page of one script, and one asset. */
async function makeSite(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-site-'));
  after(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, 'guide'));
  await writeFile(join(folder, 'index.html'), '<script>window.page = 1</script>');
  await writeFile(join(folder, 'guide/push.html'), 'push');
  await writeFile(join(folder, 'assets/app.1.js'), 'export {}');
  await writeFile(join(folder, 'assets/app.1.js.br'), brotliCompressSync('export {}'));
  return folder;
}

test('without a site, /docs/ leads to the API reference, also behind a proxy that adds a path', async () => {
  const base = await serveSite('');
  for (const [path, location] of [
    ['/docs', 'docs/api/'],
    ['/docs/', 'api/'],
  ] as const) {
    const response = await fetch(`${base}${path}`, { redirect: 'manual' });
    assert.equal(response.status, 302);
    assert.equal(response.headers.get('location'), location);
    assert.equal(new URL(location, `${base}${path}`).pathname, '/docs/api/');
  }
});

test('pages are served with a policy that admits their script, and assets may be kept', async () => {
  const base = await serveSite(await makeSite());
  const page = await fetch(`${base}/docs`);
  assert.equal(page.url, `${base}/docs/`);
  assert.equal(await page.text(), '<script>window.page = 1</script>');
  assert.match(
    page.headers.get('content-security-policy') ?? '',
    /script-src 'self' 'sha256-[\w+/]{43}='; /,
  );
  assert.equal(page.headers.get('cache-control'), 'no-cache');
  assert.equal(await (await fetch(`${base}/docs/guide/push.html`)).text(), 'push');
  const asset = await fetch(`${base}/docs/assets/app.1.js`, {
    headers: { 'accept-encoding': 'br' },
  });
  assert.equal(asset.headers.get('content-encoding'), 'br');
  assert.match(asset.headers.get('cache-control') ?? '', /immutable/);
  assert.equal(await asset.text(), 'export {}');
});

test('what is not in the folder is not found, also with a path that leaves it', async () => {
  const base = await serveSite(await makeSite());
  for (const path of ['none.html', '..%2f..%2fetc/passwd', '%00', 'assets', 'a%ff']) {
    const { status } = await fetch(`${base}/docs/${path}`, { headers: { 'if-match': '"x"' } });
    assert([400, 404].includes(status), `${path}: ${status}`);
  }
});

test('a folder without a site is refused with what to do', async () => {
  await assert.rejects(serveSite(tmpdir()), /has no documentation site: .*npm run docs/);
});
