// Runs the checks in a page of Chromium. The page and the service have one origin, because the service sends no CORS
// headers.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
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
  const service = new URL(accesses.carrier.baseUrl);
  const server = await servePage(outputFiles[0].contents, service);
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
    const moved = Object.fromEntries(
      Object.entries(accesses).map(([name, access]) => [name, moveTo(origin, access)]),
    );
    return await page.evaluate((given) => globalThis.runChecks(given), moved);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await rm(profile, { recursive: true, force: true });
  }
}

/** The same access over another address; the identity provider keeps its name. */
function moveTo(origin, { baseUrl, credentials }) {
  const { identityProvider } = credentials;
  const url = identityProvider.url.replace(baseUrl, origin);
  return {
    baseUrl: origin,
    credentials: {
      ...credentials,
      identityProvider: { audience: identityProvider.url, ...identityProvider, url },
    },
  };
}

/** Serves the page and its script, and forwards everything else to the service. */
async function servePage(script, service) {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/checks.html') {
      outgoing.setHeader('content-type', 'text/html');
      outgoing.end('<!doctype html><title>Checks</title><script src="/checks.js"></script>');
    } else if (incoming.url === '/checks.js') {
      outgoing.setHeader('content-type', 'text/javascript');
      outgoing.end(script);
    } else {
      const { method, url: path, headers } = incoming;
      const forwarded = request(
        { host: service.hostname, port: service.port, method, path, headers },
        (response) => {
          outgoing.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(outgoing);
        },
      );
      forwarded.on('error', () => outgoing.destroy());
      outgoing.on('close', () => forwarded.destroy());
      incoming.pipe(forwarded);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return server;
}
