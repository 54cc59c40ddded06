// The console of a playground in a browser, for tests.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { type Playground, type PlaygroundOptions, startPlayground } from '@landfall/playground';
import type { BrowserContext, Page } from 'playwright-core';
import { noBrowser, openBrowser } from '../../../service/dist/testing/browser.js';
import { createPostgresql, whyNoPostgresql } from '../../../service/dist/testing/postgresql.js';
import { SECOND_OFFICER } from './second-officer.js';

/** Everything that a busy machine takes is within this time, in milliseconds. */
const TIMEOUT_MS = 180_000;

/** A page of the console, and what the browser reported meanwhile. */
export type ConsolePage = {
  page: Page;
  browser: BrowserContext;
  playground: Playground;
  /** Errors and warnings of the page, violations of the content policy among them. */
  reported: string[];
  /** Opens an address below `/console`, and waits for its heading. */
  open(path: string): Promise<void>;
  /** Signs in as an identity; pages are opened afterwards. */
  signIn(identity: string): Promise<void>;
  /** Leaves the console for an address of its origin that has no script, and does nothing. */
  leave(): Promise<void>;
};

/** A console on one of the databases. */
export type ConsoleOnDatabase = {
  database: 'embedded' | 'PostgreSQL';
  /** Why it cannot be tested, and what to do. */
  skip: string | false;
  opened: ConsolePage | undefined;
};

/** Opens a console on each database. */
export async function openConsoles(): Promise<ConsoleOnDatabase[]> {
  const skip = noBrowser || (await whyNoPostgresql());
  const [onEmbedded, onPostgresql] = await Promise.all([
    noBrowser ? undefined : openConsole(),
    skip ? undefined : openOnPostgresql(),
  ]);
  return [
    { database: 'embedded', skip: noBrowser, opened: onEmbedded },
    { database: 'PostgreSQL', skip, opened: onPostgresql },
  ];
}

async function openOnPostgresql(): Promise<ConsolePage> {
  const { url, drop } = await createPostgresql();
  const opened = await openConsole({ databaseUrl: url });
  // After the playground was closed: that was registered before.
  after(drop);
  return opened;
}

/** Starts a playground and a browser for the tests of a file; both end after them. */
export async function openConsole(options: PlaygroundOptions = {}): Promise<ConsolePage> {
  const playground = await startPlayground({ identities: [SECOND_OFFICER], ...options });
  after(() => playground.close());
  const browser = await openBrowser();
  await browser.grantPermissions(['clipboard-read', 'clipboard-write'], {
    origin: playground.baseUrl,
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const reported: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) reported.push(message.text());
  });
  page.on('pageerror', (error) => reported.push(error.message));
  // The browser logs no violation that code catches, such as an attempt to compile code.
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      reportError(new Error(`violates ${effectiveDirective}: ${blockedURI}`)),
    ),
  );
  const open = async (path: string) => {
    await page.goto(`${playground.baseUrl}/console${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const leave = async () => {
    await page.goto(`${playground.baseUrl}/livez`);
  };
  const signIn = async (identity: string) => {
    // A page of another session would notice that it is replaced.
    if (page.url().includes('/console/')) await leave();
    await browser.clearCookies();
    const response = await browser.request.post(`${playground.baseUrl}/playground/sign-in`, {
      data: { identity },
    });
    assert.equal(response.status(), 204);
  };
  return { page, browser, playground, reported, open, signIn, leave };
}

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * Fails if axe finds that the page is not accessible.
 *
 * @param what the page, for the message
 * @param rules the rules that are checked; default: all that axe checks by default
 */
export async function checkAccessibility(
  page: Page,
  what: string,
  rules?: readonly string[],
): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(await readFile(axeSource, 'utf8'));
  }
  const violations = await page.evaluate(
    async (values) => {
      // Colours that are changing are not those of the page. A spinner never ends.
      const passing = document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
      await Promise.all(passing.map(({ finished }) => finished.catch(() => undefined)));
      // The cast is true because the script above has defined it.
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
      const only = values && { runOnly: { type: 'rule' as const, values } };
      const result = await axe.run(only ?? {});
      return result.violations.map(({ id, help, nodes }) => ({
        id,
        help,
        nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
      }));
    },
    rules && [...rules],
  );
  assert.deepEqual(violations, [], what);
}
