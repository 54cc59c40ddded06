// How a feed is sent to a receiver, from the first secret to the end of the subscription.
import assert from 'node:assert/strict';
import { confirm, TestReceiver, verifySecret } from '../../../../service/dist/testing/receiver.js';
import { until } from '../../../../service/dist/testing/until.js';
import { clientOf, makeGate, presentByApi } from './act.js';
import { flow } from './flow.js';

flow(
  'a subscription is created, tried, resumed after a failure, given another secret and address, and deleted',
  async (console, context) => {
    const { page, browser, playground, open, signIn } = console;
    const receiver = await TestReceiver.start();
    context.after(() => receiver.close());
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const dialog = page.getByRole('dialog');
    const carrier = await clientOf(playground, 'carrier');

    await signIn('carrier');
    await open('/subscriptions');
    await page.getByText('No subscriptions').waitFor();
    await page.getByRole('link', { name: 'New subscription' }).click();
    const url = page.getByLabel('Address of the receiver');
    await url.fill('ftp://receiver.example');
    await press('Subscribe');
    await page
      .getByRole('group', { name: 'There is a problem' })
      .getByText(/^Check “Address of the receiver”/)
      .waitFor();
    await url.fill(receiver.url());
    await press('Subscribe');
    await page.getByText(/^Your receiver verifies .* It is not shown again/).waitFor();
    const secretShown = page.getByRole('region', { name: 'Secret', exact: true });
    const first = (await secretShown.textContent()) ?? '';
    await press('Copy');
    await page.getByText('Copied').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), first);
    await page.getByText('Active', { exact: true }).waitFor();
    const [challenge = assert.fail()] = receiver.received;
    verifySecret(first, challenge);
    await page.reload();
    const attempts = page.getByRole('table', { name: 'The last attempts to reach the receiver' });
    await attempts.getByRole('row', { name: /Challenge HTTP 200 Confirmed/ }).waitFor();
    assert.equal(await secretShown.count(), 0);

    await press('Send a test event');
    await page.getByText('The receiver has confirmed the test event').waitFor();
    receiver.answer = (_, response) => response.writeHead(500).end();
    await press('Send a test event');
    await page.getByText('The receiver has not confirmed the test event').waitFor();
    await presentByApi(playground, {
      transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
    });
    await attempts
      .getByRole('row', { name: /One entry HTTP 500/ })
      .first()
      .waitFor();
    await page.getByText('Fails', { exact: true }).waitFor();
    await press('Pause');
    await page.getByText('Paused', { exact: true }).waitFor();
    receiver.answer = confirm;
    const failed = receiver.received.length;
    await press('Resume');
    await attempts.getByRole('row', { name: /One entry HTTP 200/ }).waitFor();
    assert.deepEqual(receiver.received[failed]?.body.data?.length, 1);
    await page.getByText('Active', { exact: true }).waitFor();

    await press('Replace the secret');
    await dialog.getByRole('button', { name: 'Replace the secret' }).click();
    await secretShown.waitFor();
    const second = (await secretShown.textContent()) ?? '';
    assert.notEqual(second, first);
    await press('I have kept it');
    await secretShown.waitFor({ state: 'detached' });
    await press('Send a test event');
    await page.getByText('The receiver has confirmed the test event').waitFor();
    const signed = receiver.received.at(-1) ?? assert.fail();
    verifySecret(first, signed);
    verifySecret(second, signed);

    await url.fill(receiver.url('/other'));
    await press('Change the address');
    await dialog.getByRole('button', { name: 'Change the address' }).click();
    await page.getByRole('heading', { name: receiver.url('/other') }).waitFor();
    await until(() => receiver.received.some(({ path }) => path === '/other'));

    await press('Delete');
    await dialog.getByRole('button', { name: 'Cancel' }).last().click();
    assert.equal((await carrier.listSubscriptions()).length, 1);
    // What is said of the end does not depend on what is read of the subscription after it.
    await browser.route(/\/attempts/, async (route) => {
      await page.waitForTimeout(500);
      await route.continue().catch(() => undefined);
    });
    await press('Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The subscription has ended').waitFor();
    await page.getByText('No subscriptions').waitFor();
    assert.deepEqual(await carrier.listSubscriptions(), []);
  },
);

flow(
  'a secret that is made after its page was left is kept until it is seen',
  async (console, context) => {
    const { page, browser, playground, open, signIn } = console;
    const receiver = await TestReceiver.start();
    context.after(() => receiver.close());
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const carrier = await clientOf(playground, 'carrier');
    const secretShown = page.getByRole('region', { name: 'Secret', exact: true });
    const waits = page.getByText('A new secret is still to be kept');
    const all = page.getByRole('link', { name: 'All subscriptions' });
    const list = page.getByRole('link', { name: 'New subscription' });
    /** Leaves the page for the list while what is pressed is sent, whose response comes then. */
    const leaveDuring = async (pressIt: () => Promise<void>) => {
      const left = makeGate();
      const sent = makeGate();
      await browser.route(/\/subscriptions(\/[^/]+\/secret)?$/, async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        const response = await route.fetch();
        sent.open();
        await left.opened;
        await route.fulfill({ response });
      });
      await pressIt();
      await sent.opened;
      await all.click();
      await list.waitFor();
      left.open();
      await waits.waitFor();
      await browser.unrouteAll({ behavior: 'ignoreErrors' });
      // The list is still what is shown.
      await list.waitFor();
    };
    const secretOfLink = async (url: string) => {
      await page.getByRole('status').getByRole('link', { name: url }).click();
      await secretShown.waitFor();
      assert.equal(await waits.count(), 0);
      return (await secretShown.textContent()) ?? '';
    };

    await signIn('carrier');
    await open('/subscriptions?view=new');
    await page.getByLabel('Address of the receiver').fill(receiver.url());
    await leaveDuring(() => press('Subscribe'));
    const first = await secretOfLink(receiver.url());
    await page.getByText('Active', { exact: true }).waitFor();
    const [challenge = assert.fail()] = receiver.received;
    verifySecret(first, challenge);
    await press('I have kept it');
    await secretShown.waitFor({ state: 'detached' });

    await leaveDuring(async () => {
      await press('Replace the secret');
      await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click();
    });
    // It waits on every page, and again when its own was left.
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await waits.waitFor();
    const second = await secretOfLink(receiver.url());
    assert.notEqual(second, first);
    await all.click();
    await waits.waitFor();
    assert.equal(await secretOfLink(receiver.url()), second);
    const [{ id } = assert.fail()] = await carrier.listSubscriptions();
    await carrier.testSubscription(id);
    verifySecret(second, receiver.received.at(-1) ?? assert.fail());
    await press('I have kept it');
    await all.click();
    await list.waitFor();
    assert.equal(await waits.count(), 0);

    // Whoever acts after that has none of it.
    await page.getByRole('link', { name: receiver.url() }).click();
    await press('Replace the secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click();
    await secretShown.waitFor();
    await all.click();
    await waits.waitFor();
    await page.setViewportSize({ width: 320, height: 800 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    const other = await browser.newPage();
    context.after(() => other.close());
    await other.goto(`${playground.baseUrl}/console/gate`);
    await other.getByRole('button', { name: 'Settings' }).click();
    await other.getByRole('button', { name: 'Change identity' }).click();
    await other.getByRole('button', { name: 'Continue as express' }).click();
    await page.getByRole('heading', { name: 'Signed in as express in another tab' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Continue as express' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Signed in as express').waitFor();
    await page.getByText('No subscriptions').waitFor();
    assert.equal(await waits.count(), 0);
  },
);
