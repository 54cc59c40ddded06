// What officers do with transports and messages of all organisations: the list, one message, and cancelling it.
import assert from 'node:assert/strict';
import type { Landfall, ModeName, MovementMessage } from '@landfall/client';
import { generateJourney, type JourneyKind } from '@landfall/samples';
import { clientOf } from './act.js';
import { flow } from './flow.js';

const HOUR_MS = 3_600_000;

/** The MRNs of a journey that was lodged: of its transport, its first master consignment and its first house consignment. */
type Lodged = { transport: string; master: string; house: string; document: string };

/** Lodges a journey whose goods are complete, in so many hours. */
async function lodge(
  carrier: Landfall,
  {
    kind,
    mode,
    seed,
    inHours,
  }: { kind: JourneyKind; mode: ModeName; seed: number; inHours: number },
  means?: string,
): Promise<Lodged> {
  const journey = generateJourney({
    kind,
    houses: 2,
    incomplete: 0,
    carrier: 'NO310000019',
    arrivesAt: new Date(Date.now() + inHours * HOUR_MS),
    seed,
  });
  const lodged: Lodged = { transport: '', master: '', house: '', document: '' };
  for (const { level, message } of journey) {
    if (level === 'transport' && means !== undefined) {
      message.activeBorderTransportMeans.identificationNumber = means;
    }
    // The cast is true because both types are those of the contract.
    const given = message as MovementMessage;
    const { mrn = '', status } = await carrier.lodgeMovement(mode, given, { level });
    assert.equal(status, 'SUCCESS');
    if (level === 'transport') lodged.transport = mrn;
    else if (level === 'master-consignment') lodged.master ||= mrn;
    else {
      lodged.document ||= message.consignmentHouseLevel.transportDocumentHouseLevel.documentNumber;
      lodged.house ||= mrn;
    }
  }
  return lodged;
}

const now = () => `${new Date().toISOString().slice(0, 19)}Z`;

flow('an officer lists transports, finds one, and reports its arrival', async (shown) => {
  const { page, browser, open, playground, signIn } = shown;
  const carrier = await clientOf(playground, 'carrier');
  await signIn('authority');
  await open('/transport-list');
  await page.getByRole('heading', { name: 'No transport matches' }).waitFor();

  // What is lodged appears by itself, in the order of the estimated arrival.
  const lorry = await lodge(
    carrier,
    { kind: 'lorry', mode: 'road', seed: 1, inHours: 3 },
    'AB12345',
  );
  const flight = await lodge(carrier, { kind: 'freighter', mode: 'air', seed: 2, inHours: 2 });
  const table = page.getByRole('table', { name: 'Transports' });
  const row = (mrn: string) => table.getByRole('row', { name: new RegExp(mrn) });
  await page.getByText('2 transports', { exact: true }).waitFor();
  const order = await table.getByRole('row').allInnerTexts();
  assert(order[1]?.includes(flight.transport) && order[2]?.includes(lorry.transport), `${order}`);
  await row(lorry.transport).getByText('Playground carrier').waitFor();
  await row(lorry.transport)
    .getByText(/NO371001 \w+/)
    .waitFor();

  // Each filter is in the address, and leaves out the others.
  await page.getByLabel('Mode of transport').selectOption('air');
  await page.waitForURL(/mode=air/);
  await row(lorry.transport).waitFor({ state: 'detached' });
  await row(flight.transport).waitFor();
  await page.getByLabel('Mode of transport').selectOption('');
  const office = page.getByLabel('Customs office', { exact: true });
  await office.fill('no37');
  await page.getByText('Enter a country and 6 letters or digits, such as NO351001').waitFor();
  assert.equal(await table.count(), 0);
  await office.fill('no371001');
  await row(lorry.transport).waitFor();
  assert.equal(await row(flight.transport).count(), 0);
  await office.fill('');
  await row(flight.transport).waitFor();
  await page.getByLabel(/^Estimated before/).fill('2020-01-01T00:00');
  await page.getByRole('heading', { name: 'No transport matches' }).waitFor();
  await page.getByLabel(/^Estimated before/).fill('');
  await row(flight.transport).waitFor();
  await page.getByLabel('State').selectOption('arrived');
  await page.getByRole('heading', { name: 'No transport matches' }).waitFor();
  await page.getByLabel('State').selectOption('expected');

  // A plate as somebody writes it, and then as it was lodged.
  const means = page.getByLabel('Means of transport or MRN');
  await means.fill('ab 12345');
  await page.getByRole('button', { name: 'Look for AB12345' }).click();
  await row(lorry.transport).waitFor();
  assert.equal(await row(flight.transport).count(), 0);
  assert.equal(await means.inputValue(), 'AB12345');

  // Keys act on the list, and are characters in a field.
  await means.press('End');
  await means.press('j');
  assert.equal(await means.inputValue(), 'AB12345j');
  await means.fill('AB12345');
  await row(lorry.transport).waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('j');
  await table.locator('[aria-current=true]').waitFor();
  await page.keyboard.press('a');
  await page.waitForURL(/arrivals\?view=report/);
  const field = (label: string) => page.getByLabel(label, { exact: true });
  assert.equal(await field('MRN of the transport, if it is known').inputValue(), lorry.transport);
  assert.equal(await field('Customs office of arrival').inputValue(), 'NO371001');
  await page.getByRole('button', { name: 'Report the arrival' }).click();
  await page.getByRole('heading', { name: 'The arrival is recorded' }).waitFor();
  await page.getByRole('link', { name: lorry.transport }).click();
  await page.getByText('Arrived', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'All transports' }).click();
  await row(flight.transport).waitFor();
  await row(lorry.transport).waitFor({ state: 'detached' });
  await page.getByLabel('State').selectOption('arrived');
  await row(lorry.transport)
    .getByRole('link', { name: /^Correct arrival: / })
    .waitFor();

  // A list that shows a part says so, and a page of it is read on demand.
  await browser.route('**/authority/v1/transports?*', (route) =>
    route.continue({ url: route.request().url().replace('limit=200', 'limit=1') }),
  );
  await open('/transport-list?state=all');
  await page.getByText('The first 1 transports').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await row(lorry.transport).waitFor();
  await row(flight.transport).waitFor();
  await browser.unrouteAll({ behavior: 'ignoreErrors' });

  // What cannot be read is said, and read again on demand.
  await browser.route('**/authority/v1/transports?*', (route) =>
    route.fulfill({ status: 400, contentType: 'application/problem+json', body: '{}' }),
  );
  await open('/transport-list?state=all');
  await page.getByRole('alert').waitFor();
  assert.equal(await table.count(), 0);
  await browser.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await row(flight.transport).waitFor();

  // An MRN is one message.
  await means.fill(flight.transport.toLowerCase());
  await page.getByRole('link', { name: `Open the message ${flight.transport}` }).waitFor();
  await means.press('Enter');
  await page.getByRole('heading', { level: 1, name: `Message ${flight.transport}` }).waitFor();

  // Others have no such list.
  await signIn('carrier');
  await open('/transport-list');
  await page.getByRole('heading', { name: /may not see/ }).waitFor();
});

flow('an officer reads the message behind goods, which is recorded, once', async (shown) => {
  const { page, open, playground, signIn } = shown;
  const carrier = await clientOf(playground, 'carrier');
  const { transport, master, house, document } = await lodge(carrier, {
    kind: 'lorry',
    mode: 'road',
    seed: 5,
    inHours: 2,
  });
  await signIn('authority');
  let readings = 0;
  page.on('request', (request) => {
    if (/\/authority\/v1\/movements\//.test(request.url())) readings++;
  });
  await open(`/search?id=${document}`);
  await page.getByRole('link', { name: new RegExp(`^${document}`) }).click();
  await page.getByRole('link', { name: 'The message behind it' }).click();
  await page.getByRole('heading', { level: 1, name: `Message ${house}` }).waitFor();
  await page.getByRole('region', { name: 'Consignor' }).getByText('Address').waitFor();
  await page.getByRole('region', { name: 'Transport document' }).getByText(document).waitFor();
  await page.getByText('Playground carrier').first().waitFor();
  // Nothing reads it by itself: not time, not another tab, not the way back to the window.
  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.getByText(`"documentNumber": "${document}"`).waitFor();
  await page.evaluate(() => {
    for (const event of ['visibilitychange', 'focus', 'online']) {
      dispatchEvent(new Event(event));
      globalThis.document.dispatchEvent(new Event(event));
    }
  });
  await page.waitForTimeout(6_000);
  assert.equal(readings, 1);
  await page.getByRole('button', { name: 'Read it again' }).click();
  await page.waitForTimeout(500);
  assert.equal(readings, 2);
  await page.getByRole('link', { name: 'Decision and history of the goods' }).waitFor();

  // From message to message: up to the transport, and down to goods.
  await page.getByRole('tab', { name: 'Belongs to it' }).click();
  const above = page.getByRole('table', { name: 'What it hangs on' });
  await above
    .getByRole('row', { name: new RegExp(master) })
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: `Message ${master}` }).waitFor();
  await open(`/movements/${transport}?view=coupled`);
  const below = page.getByRole('table', { name: 'What hangs on it' });
  const ofMaster = below.getByRole('row', { name: new RegExp(master) });
  await ofMaster.getByRole('link', { name: /^Goods: / }).click();
  await page.waitForURL(/search\?id=/);
  await page.getByRole('link', { name: new RegExp(`^${document}`) }).waitFor();

  // Whatever is no message says so.
  for (const mrn of ['26NO7K2M4Q9XWR5HT0', 'NOTHING']) {
    await open(`/movements/${mrn}`);
    await page.getByRole('heading', { name: 'There is no such message' }).waitFor();
  }
  await open('/search?id=26NO7K2M4Q9XWR5HT0');
  await page.getByRole('region', { name: 'Movement message' }).getByRole('link').waitFor();
  await signIn('carrier');
  await open(`/movements/${house}`);
  await page.getByRole('heading', { name: /may not see/ }).waitFor();
});

flow('an officer cancels a message, once, and learns what became of it', async (shown) => {
  const { page, browser, open, playground, signIn } = shown;
  const carrier = await clientOf(playground, 'carrier');
  const authority = await clientOf(playground, 'authority');
  const lodgeOne = (seed: number) =>
    lodge(carrier, { kind: 'lorry', mode: 'road', seed, inHours: 1 }, `CD${seed}0000`);
  const { transport, house, master } = await lodgeOne(11);
  await signIn('authority');
  await open(`/movements/${house}`);
  const cancel = page.getByRole('main').getByRole('button', { name: 'Cancel the message' });
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Cancel the message' });
  await cancel.click();
  // Nothing is done without a reason, nor by whoever keeps it.
  await confirm.click();
  await dialog.getByText('Fill in the reason').waitFor();
  await dialog.getByRole('button', { name: 'Keep it' }).last().click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await authority.getMovementAsAuthority(house)).state, 'CURRENT');

  let sent = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await browser.route('**/authority/v1/movements/*', async (route) => {
    if (route.request().method() === 'DELETE') {
      sent++;
      await held;
    }
    await route.continue().catch(() => undefined);
  });
  await cancel.click();
  await dialog.getByLabel('Reason').fill('lodged by mistake');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Cancelling' }).waitFor();
  release();
  await page.getByRole('heading', { name: 'Cancelled', exact: true }).waitFor();
  await page.waitForTimeout(1_000);
  assert.equal(sent, 1);
  assert.equal(await cancel.count(), 0);
  assert.equal((await authority.getMovementAsAuthority(house)).state, 'CANCELLED');
  const { entries } = await carrier.listMovementStatuses({ limit: 1000 });
  assert.equal(entries.at(-1)?.cancelledBy, 'AUTHORITY');
  await browser.unrouteAll({ behavior: 'ignoreErrors' });

  const tryIt = async (mrn: string, meanwhile: () => Promise<unknown>) => {
    await open(`/movements/${mrn}`);
    await cancel.click();
    await dialog.getByLabel('Reason').fill('lodged by mistake');
    await meanwhile();
    await confirm.click();
  };
  // Somebody else was faster.
  await tryIt(master, () => authority.cancelMovementAsAuthority(master, { reason: 'a test' }));
  await page.getByRole('heading', { name: 'Somebody else has cancelled it' }).waitFor();
  assert.equal(await cancel.count(), 0);
  // It has arrived meanwhile.
  await tryIt(transport, () =>
    carrier.reportArrival({
      mrn: transport,
      dateAndTimeOfArrival: now(),
      customsOfficeOfArrival: { referenceNumber: 'NO371001' },
    }),
  );
  await page.getByRole('heading', { name: 'Not cancelled' }).waitFor();
  await page.getByText(/^The transport has arrived, or the goods are presented/).waitFor();
  // The page has what is true now.
  await page.getByRole('link', { name: 'Correct its arrival' }).waitFor();
  assert.equal((await authority.getMovementAsAuthority(transport)).state, 'CURRENT');

  // The response was lost: that it is not known is said, and another attempt tells.
  const { house: other } = await lodgeOne(12);
  await browser.route('**/authority/v1/movements/*', async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue();
    await route.fetch();
    return route.abort();
  });
  await tryIt(other, async () => undefined);
  await page.getByRole('heading', { name: /^It is not known|^Somebody else/ }).waitFor();
  await browser.unrouteAll({ behavior: 'ignoreErrors' });
  assert.equal((await authority.getMovementAsAuthority(other)).state, 'CANCELLED');
});
