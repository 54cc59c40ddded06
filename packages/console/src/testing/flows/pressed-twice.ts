// What is sent is sent once, whatever somebody presses meanwhile: the button again, Enter twice as some scanners do, or
// the other button.
import assert from 'node:assert/strict';
import type { Locator, Request } from 'playwright-core';
import type { ConsolePage } from '../open-console.js';
import { clientOf, makeGate, presentByApi } from './act.js';
import { flow } from './flow.js';

const MRN = '26NO00000000000070';

/** How long a further request has time to be sent, in milliseconds. */
const FURTHER_MS = 1_000;

/** Something that is sent, and what the page then says of it. */
type Sending = {
  name: string;
  identity: string;
  /** `:id`: that of the first of the goods. */
  path: string;
  /** Fills the form, and returns what is pressed. */
  fill: (page: ConsolePage['page']) => Promise<Locator>;
  /** Whether a request is one of those that change data. */
  isSent: (request: Request) => boolean;
  says: string | RegExp;
};

const isTo =
  (address: RegExp) =>
  (request: Request): boolean =>
    request.method() !== 'GET' &&
    address.test(request.url()) &&
    !/"preview":true/.test(request.postData() ?? '');

const sendings: readonly Sending[] = [
  {
    name: 'a presentation',
    identity: 'carrier',
    path: '/present?documentNumber=HC001',
    fill: async (page) => page.getByLabel('Number of the transport document'),
    isSent: isTo(/\/presentation\/v1\/house-consignment/),
    says: 'The presentation is stored.',
  },
  {
    name: 'a decision on the page of the goods',
    identity: 'authority',
    path: '/consignments/:id',
    fill: async (page) => {
      await page.getByRole('radio', { name: 'Entry' }).check();
      await page.getByLabel('Reason').fill('seen');
      return page.getByRole('button', { name: 'Decide' });
    },
    isSent: isTo(/\/routing-decisions/),
    says: 'The decision is stored.',
  },
  {
    name: 'a decision in the queue',
    identity: 'authority',
    path: '/arrivals?document=T001',
    fill: async (page) => {
      await page.getByText(/^1 of /).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('c');
      const reason = page.getByRole('dialog').getByLabel('Reason');
      await reason.fill('a tip');
      return reason;
    },
    isSent: isTo(/\/routing-decisions/),
    says: 'The decision is stored.',
  },
  {
    name: 'a run of the queue',
    identity: 'authority',
    path: '/arrivals',
    fill: async (page) => {
      await page.getByRole('button', { name: 'Select all 2' }).click();
      await page.getByRole('button', { name: 'Entry' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('checked');
      const count = dialog.getByLabel('Enter 2 to confirm');
      await count.fill('2');
      return count;
    },
    isSent: isTo(/\/routing-runs/),
    says: 'One run on 2: Entry',
  },
];

flow('what is pressed twice is sent once, and the page says what became of it', async (console) => {
  const { page, browser, open, playground, signIn } = console;
  const authority = await clientOf(playground, 'authority');
  await authority.putEntrySummaryDeclaration(MRN, {
    customsOfficeOfFirstEntry: 'NO342001',
    declarant: '0192:310000078',
    houseConsignments: ['T000', 'T001', 'T002', 'T003'].map((documentNumber) => ({
      transportDocumentHouseLevel: { documentNumber, type: 'N740' as const },
    })),
  });
  await presentByApi(playground, { mrn: MRN });
  const [first] = (await authority.listHouseConsignments({ mrn: MRN })).entries;
  for (const { name, identity, path, fill, isSent, says } of sendings) {
    await signIn(identity);
    await open(path.replace(':id', first?.id ?? ''));
    const pressed = await fill(page);
    let sent = 0;
    const gate = makeGate();
    await browser.route(
      () => true,
      async (route) => {
        if (isSent(route.request())) {
          sent++;
          await gate.opened;
        }
        // Those that the page gave up are gone.
        await route.continue().catch(() => undefined);
      },
    );
    await pressed.press('Enter');
    await page.keyboard.press('Enter');
    gate.open();
    await page.getByText(says).first().waitFor();
    // Further ones would be on their way by now.
    await page.waitForTimeout(FURTHER_MS);
    await browser.unrouteAll({ behavior: 'ignoreErrors' });
    assert.equal(sent, 1, name);
    await page.getByText(says).first().waitFor();
    assert.equal(await page.getByText('Somebody else has decided').count(), 0, name);
  }
});

flow('a decision that is on its way is not cancelled without a word', async (console) => {
  const { page, browser, open, playground, signIn } = console;
  const authority = await clientOf(playground, 'authority');
  await authority.putEntrySummaryDeclaration(MRN, {
    customsOfficeOfFirstEntry: 'NO342001',
    declarant: '0192:310000078',
    houseConsignments: [{ transportDocumentHouseLevel: { documentNumber: 'T000', type: 'N740' } }],
  });
  await presentByApi(playground, { mrn: MRN });
  await signIn('authority');
  await open('/arrivals');
  await page.getByText('1 waits for a decision').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('seen');
  const gate = makeGate();
  await browser.route('**/house-consignment*/**', async (route) => {
    await gate.opened;
    await route.continue().catch(() => undefined);
  });
  await page.keyboard.press('Enter');
  await dialog.locator('button[aria-busy=true]').waitFor();
  // Twice: a browser closes a dialog then, whatever the page wants.
  for (let presses = 0; presses < 2; presses++) await page.keyboard.press('Escape');
  const cancel = dialog.getByRole('button', { name: 'Cancel' });
  assert.deepEqual(await cancel.evaluateAll((all) => all.map((one) => one.matches(':disabled'))), [
    true,
  ]);
  gate.open();
  await page.getByText('The decision is stored.').waitFor();
  assert.equal(await dialog.count(), 0);
});
