// What everybody does: sessions, settings, drafts, rights, the keyboard, a phone.
import assert from 'node:assert/strict';
import { playgroundIdentities } from '@landfall/contract';
import { pageList } from '../../layout/page-list.js';
import { present, removeServiceWorkers } from './act.js';
import { flow } from './flow.js';

flow(
  'when the session has ended, signing in again continues where the form was',
  async (console) => {
    const { page, browser, signIn } = console;
    await signIn('carrier');
    await console.open('/present');
    await page.getByLabel('Number of the transport document').fill('HC001');
    await browser.clearCookies();
    await page.getByRole('button', { name: 'Present', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await dialog.getByRole('button', { name: 'Continue as carrier' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Number of the transport document').inputValue(), 'HC001');
    await page.getByRole('button', { name: 'Present', exact: true }).click();
    await page.getByText('Presented', { exact: true }).waitFor();
  },
);

flow(
  'what was typed is there after signing in again, but not for another identity or after signing out',
  async (console) => {
    const { page, open, browser, signIn } = console;
    await signIn('carrier');
    await open('/present');
    const field = page.getByLabel('Number of the transport document');
    const continueAs = async (identity: string) => {
      await browser.clearCookies();
      await page.reload();
      await page.getByRole('button', { name: `Continue as ${identity}` }).click();
      await field.waitFor();
    };
    await field.fill('TYPED');
    await continueAs('carrier');
    assert.equal(await field.inputValue(), 'TYPED');
    await continueAs('express');
    assert.equal(await field.inputValue(), 'HC002');
    await continueAs('carrier');
    assert.equal(await field.inputValue(), 'HC002');

    // Without leaving the page: the form of another identity is another one.
    await field.fill('TYPED');
    await browser.clearCookies();
    await page.getByRole('button', { name: 'Present', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Continue as express' }).click();
    await page.getByText('Signed in as express').waitFor();
    await open('/present');
    assert.equal(await field.inputValue(), 'HC002');

    await field.fill('TYPED');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Change identity' }).click();
    await page.getByRole('button', { name: 'Continue as express' }).click();
    await open('/present');
    assert.equal(await field.inputValue(), 'HC002');
  },
);

flow('language, theme and time zone are chosen in the settings, and kept', async (console) => {
  const { page, open, signIn } = console;
  await signIn('carrier');
  await present(console);
  await page.getByText('Presented', { exact: true }).waitFor();
  await open('/requests');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Times').selectOption('utc');
  await page
    .getByText(/\d\d:\d\d UTC$/)
    .first()
    .waitFor();
  await page.getByLabel('Theme').selectOption('dark');
  await page.getByLabel('Language').selectOption('nb');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Forespørsler' }).waitFor();
  const html = page.locator('html');
  assert.equal(await html.getAttribute('lang'), 'nb');
  assert.equal(await html.getAttribute('data-color-scheme'), 'dark');
  await page
    .getByText(/^\d+\. \w+\.? \d{4}, \d\d:\d\d:\d\d UTC$/)
    .first()
    .waitFor();
});

flow(
  'an identity sees the pages of its rights alone',
  async ({ page, open, playground, signIn }) => {
    await signIn('newcomer');
    await open('/');
    await page.getByText('You have no rights').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Gate' }).count(), 0);
    await page.goto(`${playground.baseUrl}/console/gate`);
    await page.getByText('You may not see this').waitFor();
    await open('/nowhere');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  },
);

flow('everybody sees the pages of their rights alone, whatever the address', async (console) => {
  const { page, open, signIn } = console;
  const responses: string[] = [];
  page.on('response', (response) => {
    if (response.ok()) responses.push(new URL(response.url()).pathname);
  });
  const rights: Record<string, readonly string[]> = {
    carrier: playgroundIdentities.find(({ name }) => name === 'carrier')?.scopes ?? [],
    newcomer: [],
  };
  const refused = new Set<string>();
  for (const [identity, granted] of Object.entries(rights)) {
    await signIn(identity);
    for (const { name, path, scopes, everybodyInPlayground } of pageList) {
      if (
        everybodyInPlayground ||
        scopes === undefined ||
        scopes.some((scope) => granted.includes(scope))
      )
        continue;
      await open(path.replaceAll(/:\w+/g, 'HC001'));
      await page.getByText('You may not see this').waitFor();
      refused.add(name);
    }
  }
  page.removeAllListeners('response');
  const withScopes = pageList.filter(
    ({ scopes, everybodyInPlayground }) => scopes !== undefined && !everybodyInPlayground,
  );
  assert.equal(refused.size, withScopes.length);
  assert.deepEqual(
    responses.filter((path) => path.startsWith('/console/api/api/authority/')),
    [],
  );
});

flow('signing out without a connection says that one is still signed in', async (console) => {
  const { page, browser, open, signIn } = console;
  await signIn('carrier');
  await open('/present');
  await browser.setOffline(true);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Change identity' }).click();
  await page.getByText('You are still signed in').waitFor();
  await browser.setOffline(false);
});

flow('with the keyboard alone: to the content, to a page, and a presentation', async (console) => {
  const { page, open, signIn } = console;
  await signIn('carrier');
  await open('/present');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to the content' });
  assert(await skip.evaluate((link) => link === document.activeElement));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert(await page.getByLabel('What arrives').evaluate((one) => one === document.activeElement));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Presented', { exact: true }).waitFor();
});

flow('on a phone, the navigation is behind a button', async ({ page, open, signIn }) => {
  await signIn('carrier');
  await page.setViewportSize({ width: 360, height: 740 });
  await open('/');
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  await navigation.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Menu' }).click();
  await navigation.getByRole('link', { name: 'Gate' }).click();
  await page.getByRole('heading', { level: 1, name: 'Gate' }).waitFor();
  await navigation.waitFor({ state: 'hidden' });
});

flow(
  'a page whose scripts cannot be loaded says so, and is loaded again',
  async ({ page, browser, open, signIn, leave, playground }) => {
    await signIn('carrier');
    await leave();
    await removeServiceWorkers(page);
    const scripts = '**/render-app-*.js';
    await browser.route(scripts, (route) => route.fulfill({ status: 404 }));
    await page.goto(`${playground.baseUrl}/console/signals`);
    await page.getByText('Landfall could not be loaded').waitFor();
    await browser.unroute(scripts);
    await page.getByRole('heading', { level: 1, name: 'Routing signals' }).waitFor();
    await open('/');
  },
);

flow(
  'a tab is told at once that somebody else has signed in, and keeps what was typed',
  async (console) => {
    const { page, browser, playground, open, signIn } = console;
    await signIn('carrier');
    await open('/present');
    const field = page.getByLabel('Number of the transport document');
    await field.fill('TYPED');
    const other = await browser.newPage();
    const go = async () => {
      await other.goto(`${playground.baseUrl}/console/gate`);
      await other.getByRole('button', { name: 'Settings' }).click();
      await other.getByRole('button', { name: 'Change identity' }).click();
    };
    const dialog = page.getByRole('dialog');
    const first = dialog.getByRole('button').first();
    try {
      await go();
      await dialog.getByRole('heading', { name: 'Your session has ended' }).waitFor();
      await other.getByRole('button', { name: 'Continue as authority' }).click();
      await other.getByText('Signed in as authority').waitFor();
      await dialog
        .getByRole('heading', { name: 'Signed in as authority in another tab' })
        .waitFor();
      assert.equal(await first.textContent(), 'Continue as carrier');
      await first.click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await field.inputValue(), 'TYPED');
      await page.getByText('Signed in as carrier').waitFor();
      // The other tab is told as well, and can go on with the one who is here.
      const otherDialog = other.getByRole('dialog');
      await otherDialog
        .getByRole('heading', { name: 'Signed in as carrier in another tab' })
        .waitFor();
      await otherDialog.getByRole('button', { name: 'Continue as carrier' }).click();
      await other.getByText('Signed in as carrier').waitFor();
      assert.equal(await dialog.count(), 0);
      // Who it is stands at the top of a phone too.
      await page.setViewportSize({ width: 390, height: 844 });
      assert(await page.getByText('Signed in as carrier').isVisible());
      // A page that may not be seen names the right, and who gives it.
      await open('/arrivals');
      await page
        .getByText('It needs the right authority/registry or authority/routing. Customs grants it')
        .waitFor();
    } finally {
      await other.close();
    }
  },
);

flow('each identity says what it is for', async ({ page, open, browser }) => {
  await browser.clearCookies();
  await open('/');
  const purposes = new Set<string>();
  for (const { name } of playgroundIdentities) {
    const card = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name, exact: true }) });
    purposes.add(await card.getByRole('paragraph').first().innerText());
  }
  assert.equal(purposes.size, playgroundIdentities.length, [...purposes].join('\n'));
});

flow('with forced colours, only the current page is marked', async ({ page, open, signIn }) => {
  await signIn('carrier');
  await page.emulateMedia({ forcedColors: 'active' });
  try {
    await open('/present');
    const marks = await page
      .getByRole('navigation')
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => getComputedStyle(link).borderInlineStartColor));
    const current = await page
      .getByRole('navigation')
      .locator('[aria-current=page]')
      .evaluate((link) => getComputedStyle(link).borderInlineStartColor);
    assert.equal(marks.filter((mark) => mark === current).length, 1, marks.join('\n'));
  } finally {
    await page.emulateMedia({ forcedColors: 'none' });
  }
});

flow('from the reference, the way back is the tab that it was opened from', async (console) => {
  const { page, browser, open, signIn } = console;
  await signIn('carrier');
  await open('/present');
  const field = page.getByLabel('Number of the transport document');
  await field.fill('TYPED');
  const opened = browser.waitForEvent('page');
  await page.getByRole('link', { name: 'API reference (in a new tab)' }).click();
  await (await opened).close();
  assert.equal(await field.inputValue(), 'TYPED');
});
