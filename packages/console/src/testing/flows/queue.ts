// How officers work through what waits for a decision.
import assert from 'node:assert/strict';
import { until } from '../../../../service/dist/testing/until.js';
import type { ConsolePage } from '../open-console.js';
import { clientOf, presentByApi, removeServiceWorkers } from './act.js';
import { flow } from './flow.js';

/** Pre-notifies and presents as many house consignments, which wait for a decision. */
async function arrive(
  { playground }: ConsolePage,
  mrn: string,
  prefix: string,
  count: number,
  office = 'NO351001',
): Promise<void> {
  const authority = await clientOf(playground, 'authority');
  await authority.putEntrySummaryDeclaration(mrn, {
    customsOfficeOfFirstEntry: 'NO342001',
    declarant: '0192:310000078',
    houseConsignments: Array.from({ length: count }, (_, number) => ({
      transportDocumentHouseLevel: {
        documentNumber: `${prefix}${String(number).padStart(3, '0')}`,
        type: 'N740' as const,
      },
    })),
  });
  await presentByApi(playground, { mrn, customsOfficeOfPresentation: office });
}

const MRN = '26NO00000000000050';

flow('an officer works through the queue with the keyboard alone', async (console) => {
  const { page, open, playground, signIn, reported } = console;
  await arrive(console, MRN, 'Q', 30);
  const authority = await clientOf(playground, 'authority');
  const decided = async () => {
    const { entries } = await authority.listHouseConsignments({ mrn: MRN });
    return entries.flatMap(({ routing, transportDocumentHouseLevel: { documentNumber } }) =>
      routing === undefined ? [] : `${documentNumber} ${routing}`,
    );
  };
  await signIn('authority');
  await open('/arrivals');
  await page.getByText('30 wait for a decision').waitFor();
  const table = page.getByRole('table', { name: 'What waits for a decision' });
  const current = table.locator('[aria-current=true]');
  const dialog = page.getByRole('dialog');

  // One, in place, with a reason.
  await page.keyboard.press('j');
  await current.getByText('Q000').waitFor();
  await page.keyboard.press('c');
  await dialog.getByText('Decide on Q000: Control').waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByText('Enter a reason').waitFor();
  await page.keyboard.type('a tip');
  await page.keyboard.press('Enter');
  await page.getByText('The decision is stored. Signals were issued to 2 organisations.').waitFor();
  assert.deepEqual(await decided(), ['Q000 TO_CONTROL']);
  // It keeps its place until the list is wanted as it is now, and the work goes on with the next one.
  await page.getByText('29 wait for a decision').waitFor();
  await table
    .getByRole('row', { name: /^(?:Select )?Q000/ })
    .getByText('Waits no more')
    .waitFor();
  await current.getByText('Q001').waitFor();

  // Several at once are one run.
  await page.keyboard.press('x');
  for (let further = 0; further < 3; further++) await page.keyboard.press('Shift+J');
  await page.getByText('4 selected').waitFor();
  await page.keyboard.press('e');
  await dialog.getByText('Decide on 4: Entry').waitFor();
  await page.keyboard.type('checked');
  await page.keyboard.press('Tab');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await dialog.getByText('Enter the number 4').waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('4');
  await page.keyboard.press('Enter');
  await page.getByText('One run on 4: Entry').waitFor();
  await page.getByText('25 wait for a decision').waitFor();
  assert.deepEqual(await decided(), [
    'Q000 TO_CONTROL',
    ...['Q001', 'Q002', 'Q003', 'Q004'].map((document) => `${document} TO_ENTRY`),
  ]);
  const { entries: runs } = await authority.listRoutingRuns();
  assert.deepEqual(
    runs.map(({ reason, houseConsignments, decided: count }) => [reason, houseConsignments, count]),
    [['checked', 4, 4]],
  );

  // Everything about one beside the list, and the next one.
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Consignment Q005' }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'Consignment Q006' }).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  const panel = page.getByRole('region', { name: 'Consignment Q007' });
  await panel.getByText('Awaits a decision').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await current.getByText('Q007').waitFor();

  // What has come since is told, and changes nothing under the hand.
  await arrive(console, '26NO00000000000051', 'NEW', 12);
  await page.getByText('12 new, 5 no longer wait').waitFor();
  assert.equal(await table.getAttribute('aria-rowcount'), '31');
  await page.keyboard.press('n');
  await page.getByText('37 wait for a decision').waitFor();
  assert.equal(await table.getAttribute('aria-rowcount'), '38');

  // The keys are listed, and can be turned off.
  await page.keyboard.press('?');
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
  await page.getByText('Decide control on what is selected').waitFor();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Single keys').selectOption('Off');
  await page.keyboard.press('Escape');
  await page.getByText('Single keys are turned off').waitFor();
  await open('/arrivals');
  await page.getByText('37 wait for a decision').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('c');
  assert.equal(await current.count(), 0);
  assert.equal(await dialog.count(), 0);
  assert.deepEqual(reported, []);
});

flow('200 of 5,000 are decided by one run, and a colleague is not overridden', async (console) => {
  const { page, open, playground, signIn, reported } = console;
  for (let declaration = 0; declaration < 5; declaration++) {
    await arrive(console, `26NO0000000000006${declaration}`, `L${declaration}-`, 1000);
  }
  const authority = await clientOf(playground, 'authority');
  await signIn('authority');
  await open('/arrivals');
  await page.getByText('5,000 wait for a decision').waitFor();

  // A range, by the first and the last of it, in an order of the address.
  await page.getByRole('button', { name: 'House document, MRN' }).click();
  await page.waitForURL('**/arrivals?sort=document');
  await page.getByLabel('House document or MRN').fill('l3-');
  await page.getByText('1,000 of them match the filters. 5,000 wait for a decision.').waitFor();
  await page.waitForURL('**/arrivals?document=l3-&sort=document');
  const table = page.getByRole('table', { name: 'What waits for a decision' });
  await table.getByLabel('Select L3-002 N740').click();
  await table.getByLabel('Select L3-005 N740').click({ modifiers: ['Shift'] });
  await page.getByText('4 selected').waitFor();
  // Everything that matches, and nothing of what is not seen any more.
  await page.getByLabel('House document or MRN').fill('L3-0');
  await page.getByText('100 of them match the filters').waitFor();
  await page.getByRole('button', { name: 'Select all 100' }).click();
  await page.getByText('100 selected').waitFor();
  await page.getByLabel('House document or MRN').fill('26no00000000000063');
  await page.getByText('1,000 of them match').waitFor();
  await page.getByText('100 selected').waitFor();
  await table.getByLabel('Select L3-000 N740').click();
  await page.getByText('99 selected').waitFor();
  await page.getByRole('button', { name: 'Clear the selection' }).click();
  await table.getByLabel('Select L3-000 N740').click();
  for (let row = 1; row < 200; row++) await page.keyboard.press('Shift+J');
  await page.getByText('200 selected').waitFor();

  // A colleague decides one of them before.
  const document = { documentNumber: 'L3-150', type: 'N740' } as const;
  const mrn = '26NO00000000000063';
  const seen = { mrn, transportDocumentHouseLevel: document, routing: 'TO_ENTRY', reason: 'seen' };
  await page.getByRole('button', { name: 'Control', exact: true }).click();
  await (await authority.postRoutingDecisions([seen as never])).toArray();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Place of control').selectOption('At the border');
  await dialog.getByLabel('Reason').fill('a tip');
  await dialog.getByLabel('Enter 200 to confirm').fill('200');
  await page.keyboard.press('Enter');
  await dialog.getByText('Nothing was decided. 199 are left.').waitFor();
  assert.deepEqual((await authority.listRoutingRuns()).entries, []);
  await dialog.getByLabel('Enter 199 to confirm').fill('199');
  await page.keyboard.press('Enter');
  await page.getByText('One run on 199: Control, at the border').waitFor();
  await page.getByText('4,800 wait for a decision').waitFor();
  const [run] = (await authority.listRoutingRuns()).entries;
  assert.deepEqual([run?.decided, run?.conflicts, run?.reason], [199, 0, 'a tip']);
  const { entries } = await authority.listHouseConsignments({ mrn, documentNumber: 'L3-150' });
  assert.equal(entries[0]?.routing, 'TO_ENTRY');

  // The run leads to its reversal.
  await page.getByRole('link', { name: 'See, pause or reverse the run' }).click();
  await page.getByRole('heading', { name: 'Reverse this run' }).waitFor();
  assert.deepEqual(
    reported.filter((text) => !/status of 400/.test(text)),
    [],
  );
});

flow('the queue stays when the service is away, and says so', async (console) => {
  const { page, browser, open, playground, signIn } = console;
  await arrive(console, MRN, 'Q', 3);
  await signIn('authority');
  await open('/arrivals');
  await page.getByText('3 wait for a decision').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('seen');
  // The service decides, and its response is lost.
  await browser.route('**/routing-decisions', async (route) => {
    await route.fetch({ timeout: 0 });
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Decide' }).click();
  await dialog.getByText('It is not known whether it was decided').waitFor();
  await browser.unroute('**/routing-decisions');
  const authority = await clientOf(playground, 'authority');
  await until(async () =>
    (await authority.listHouseConsignments({ mrn: MRN })).entries.some(
      ({ routing }) => routing === 'TO_ENTRY',
    ),
  );
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).last().click();
  await page.getByText('2 wait for a decision').waitFor();
  await browser.setOffline(true);
  await page.getByText('No connection').first().waitFor();
  await page.getByText('2 wait for a decision').waitFor();
  await browser.setOffline(false);
  await page.getByText('No connection').first().waitFor({ state: 'detached' });
});

flow('what somebody types is not taken for keys when the panel comes late', async (console) => {
  const { page, browser, open, playground, signIn } = console;
  await arrive(console, MRN, 'Q', 3);
  await signIn('authority');
  await open('/');
  await removeServiceWorkers(page);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await browser.route('**/assets/queue-panel*', async (route) => {
    await released;
    await route.continue();
  });
  await open('/arrivals');
  await page.getByRole('link', { name: 'Q001' }).click();
  const field = page.getByLabel('Declarant');
  await field.click();
  release();
  await page.getByRole('heading', { name: 'Consignment Q001' }).waitFor();
  await page.keyboard.type('c seen');
  await page.keyboard.press('Enter');
  assert.equal(await field.inputValue(), 'c seen');
  const authority = await clientOf(playground, 'authority');
  const { entries } = await authority.listHouseConsignments({ mrn: MRN });
  assert(entries.every(({ routing }) => routing === undefined));
});

flow('a question gives the focus back to where it was asked', async (console) => {
  const { page, open, signIn } = console;
  await arrive(console, MRN, 'Q', 3);
  const dialog = page.getByRole('dialog');
  const ask = async (name: string) => {
    // One that is still disabled takes no focus.
    const button = page.getByRole('button', { name, exact: true, disabled: false });
    for (const leave of ['Cancel', 'Escape']) {
      await button.focus();
      await page.keyboard.press('Enter');
      if (leave === 'Cancel') await dialog.getByText(leave, { exact: true }).press('Enter');
      else await page.keyboard.press(leave);
      await dialog.waitFor({ state: 'detached' });
      assert(await button.evaluate((one) => one === document.activeElement), `${name}, ${leave}`);
    }
  };
  await signIn('authority');
  await open('/arrivals');
  await page.getByText('3 wait for a decision').waitFor();
  await page.keyboard.press('j');
  await ask('Control');
  // And so does the panel, also from its own button.
  const row = page.getByRole('link', { name: 'Q001' });
  for (const leave of ['Escape', 'Enter']) {
    await row.press('Enter');
    const heading = page.getByRole('heading', { name: 'Consignment Q001' });
    await heading.waitFor();
    if (leave === 'Enter') await page.getByRole('button', { name: 'Back to the list' }).focus();
    await page.keyboard.press(leave);
    await heading.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Q001'));
    await page.locator('[role=row][aria-current=true]').getByText('Q001').waitFor();
  }
  await open('/requests');
  await ask('Forget all');
});
