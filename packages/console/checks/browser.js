// The browser of the checks, and a page of the console in it.
import { chromium } from 'playwright-core';
import { executablePath } from '../../service/dist/testing/browser.js';

/**
 * Starts Chromium, the one in `TEST_CHROMIUM` or that of the system.
 *
 * @param {readonly string[]} args more arguments of the browser
 */
export function launchBrowser(args = []) {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', ...args],
  });
}

/**
 * Opens an address of the console, and waits for its heading.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} address
 */
export async function openPage(page, address) {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/**
 * Signs in as an identity of the playground at an address.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} baseUrl
 * @param {string} identity
 */
export async function signIn(page, baseUrl, identity) {
  await page.context().clearCookies();
  await openPage(page, `${baseUrl}/console/`);
  await page.getByRole('button', { name: `Continue as ${identity}` }).click();
  await page.getByRole('navigation').waitFor();
}
