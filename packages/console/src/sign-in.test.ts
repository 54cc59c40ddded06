// A person signs in at a real OpenID provider in Chromium, sees the pages of their roles, and signs out.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findPort } from '../../playground/dist/find-port.js';
import { grantScopes } from '../../service/dist/access/grant-scopes.js';
import { makeApp } from '../../service/dist/app.js';
import { AuditTrail } from '../../service/dist/audit/audit-trail.js';
import { readConfig } from '../../service/dist/config.js';
import { readRoles } from '../../service/dist/console/openid/roles.js';
import { noBrowser, openBrowser } from '../../service/dist/testing/browser.js';
import { drawnDatabases } from '../../service/dist/testing/databases.js';
import { startProvider } from '../../service/dist/testing/openid-provider.js';
import { checkAccessibility } from './testing/open-console.js';

const CARRIER = '0192:310000019';

/** Everything that a busy machine takes is within this time, in milliseconds. */
const TIMEOUT_MS = 60_000;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  test(`a person signs in and out in a browser, on ${name}`, {
    skip: skip || noBrowser,
  }, async (context) => {
    const database = await open();
    context.after(() => database.close());
    await grantScopes(database, new AuditTrail(), new Date(), CARRIER, {
      scopes: ['movement/entry', 'declaration.feed'],
    });
    const port = await findPort('localhost', 0);
    const baseUrl = `http://localhost:${port}`;
    const provider = await startProvider(baseUrl, {
      porter: { name: 'Porter', organisation: CARRIER, roles: ['gate'] },
      manager: { name: 'Manager', organisation: CARRIER, roles: ['gate', 'reader'] },
      visitor: { name: 'Visitor', organisation: CARRIER, roles: [] },
    });
    context.after(() => provider.close());
    const keysFolder = await mkdtemp(join(tmpdir(), 'landfall-sign-in-'));
    context.after(() => rm(keysFolder, { recursive: true }));
    const { app } = await makeApp({
      config: readConfig({ LANDFALL_LOG_LEVEL: 'silent' }),
      database,
      baseUrl,
      keysFolder,
      identityProvider: { issuer: 'http://localhost:1', jwksUrl: 'http://localhost:1/jwks' },
      console: {
        openIdConnect: {
          ...provider,
          scope: 'openid profile',
          rolesClaim: 'roles',
          organisationClaim: 'organisation',
          roles: readRoles('gate=movement/entry; reader=declaration.feed'),
          subjectKey: 'a key of the pseudonyms, 32 characters or more',
          timeZone: 'Europe/Oslo',
        },
      },
    });
    context.after(() => app.close());
    await app.listen({ port, host: 'localhost' });

    const browser = await openBrowser();
    const page = await browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    const signInAs = async (account: string) => {
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.locator('input[name=login]').fill(account);
      await page.locator('input[name=password]').fill('any');
      await page.locator('form button[type=submit]').click();
    };

    // Without a role: the page says why, in words, and is accessible.
    await page.goto(`${baseUrl}/console/gate?id=HC001`);
    await signInAs('visitor');
    await page.getByRole('alert').getByText('no role').waitFor();
    await checkAccessibility(page, 'the sign-in page with a reason');
    await browser.clearCookies();

    // With a role: the page that was wanted, which the address still names.
    await signInAs('porter');
    await page.getByRole('navigation').waitFor();
    assert.equal(page.url(), `${baseUrl}/console/gate?id=HC001`);
    await page.getByText('Signed in as Porter').waitFor();

    // With several roles: the narrowest at first. Another one is chosen in the header; another tab notices.
    const other = await browser.newPage();
    other.setDefaultTimeout(TIMEOUT_MS);
    await browser.clearCookies();
    await page.goto(`${baseUrl}/console/present`);
    await signInAs('manager');
    const choice = page.getByLabel('Act as');
    await choice.waitFor();
    await checkAccessibility(page, 'the header with a choice of roles');
    // The choice names no organisation when all roles are of one.
    await page.getByText(/^Signed in as .+ · \d{4}:\d+$/).waitFor();
    assert.equal(await choice.locator('option:checked').textContent(), 'reader');
    await page.getByText('You have other roles').waitFor();
    await other.goto(`${baseUrl}/console/present`);
    await other.getByText('You may not see this').waitFor();
    await choice.selectOption('gate');
    const document = page.getByLabel('Number of the transport document');
    await document.fill('TYPED');
    await other.reload();
    await other.getByLabel('Act as').selectOption('reader');
    await other.getByText('You may not see this').waitFor();
    // This tab is told at once, and keeps what was typed.
    await choice.locator('option:checked', { hasText: 'reader' }).waitFor({ state: 'attached' });
    await page.getByText('You may not see this').waitFor();
    await choice.selectOption('gate');
    await document.waitFor();
    assert.equal(await document.inputValue(), 'TYPED');

    // Another tab has chosen another role: signing out here ends what the browser has, and not only what this tab knows.
    await other.reload();
    await other.getByLabel('Act as').selectOption('reader');
    await other.getByText('You may not see this').waitFor();
    await other.close();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${provider.issuer}/**`);
    assert.equal((await page.request.get(`${baseUrl}/console/session`)).status(), 204);
    await browser.clearCookies();
    await page.goto(`${baseUrl}/console/gate`);
    await signInAs('porter');
    await page.getByRole('navigation').waitFor();

    // The session ends, and signing in leaves the page: what was typed is there afterwards.
    await page.goto(`${baseUrl}/console/present`);
    await document.fill('TYPED');
    await browser.clearCookies({ name: /^landfall/ });
    await page.getByRole('button', { name: 'Present', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: 'Sign in' }).click();
    // The page behind the dialog has a navigation as well.
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('navigation').waitFor();
    assert.equal(await document.inputValue(), 'TYPED');

    // Signing out ends the session here and at the provider, which returns to the console.
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${provider.issuer}/**`);
    await page.getByRole('button', { name: /yes/i }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/console/');
    assert.equal((await page.request.get(`${baseUrl}/console/session`)).status(), 204);
  });
}
