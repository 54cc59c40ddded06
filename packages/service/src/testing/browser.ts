// The browser that tests use: Chromium, if it is installed.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type BrowserContext, chromium } from 'playwright-core';

/** The first is Chromium without windows: the same pages take three quarters of the processor time. */
const known = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Chromium, or an empty text if it is not installed. */
export const executablePath =
  process.env.TEST_CHROMIUM ?? known.find((path) => existsSync(path)) ?? '';

/** Why tests in a browser cannot run, and what to do. In CI they fail instead of being skipped. */
export const noBrowser: string | false =
  process.env.CI === 'true' || existsSync(executablePath)
    ? false
    : 'no browser: install chromium-headless-shell, or name Chromium in TEST_CHROMIUM';

/** Opens a browser with an empty profile that sends no requests by itself. It is closed after the test. */
export async function openBrowser(): Promise<BrowserContext> {
  const profile = await mkdtemp(join(tmpdir(), 'landfall-browser-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport: { width: 1400, height: 900 },
    // On a busy machine, a dialog that slides in moves away between the press of the mouse and its release.
    reducedMotion: 'reduce',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  after(async () => {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  });
  return browser;
}
