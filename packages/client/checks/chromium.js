// Runs the checks in a page of Chromium, whose origin is another one than that of the service: its port differs.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';

const executablePath = process.env.TEST_CHROMIUM ?? '/usr/bin/chromium';

/** Flags for a machine without a display, as root, that must reach no other host. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
];

/** The results of the checks, or why they were skipped. */
export async function checkInChromium(folder, accesses) {
  if (!existsSync(executablePath)) {
    return `no browser at ${executablePath}: install chromium, or name one in TEST_CHROMIUM`;
  }
  const { outputFiles } = await build({
    stdin: {
      contents:
        "import { runChecks } from './runtime-checks.js'; globalThis.runChecks = runChecks;",
      resolveDir: folder,
    },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
  });
  const server = await servePage(outputFiles[0].contents);
  const profile = await mkdtemp(join(tmpdir(), 'landfall-browser-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: flags,
  });
  try {
    const origin = `http://127.0.0.1:${server.address().port}`;
    const page = await browser.newPage();
    await page.goto(`${origin}/checks.html`);
    return await page.evaluate((given) => globalThis.runChecks(given), accesses);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await rm(profile, { recursive: true, force: true });
  }
}

/** Serves the page and its script. */
async function servePage(script) {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/checks.html') {
      outgoing.setHeader('content-type', 'text/html');
      outgoing.end('<!doctype html><title>Checks</title><script src="/checks.js"></script>');
    } else if (incoming.url === '/checks.js') {
      outgoing.setHeader('content-type', 'text/javascript');
      outgoing.end(script);
    } else outgoing.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return server;
}
