// What people at a gate do with transports.
import assert from 'node:assert/strict';
import type { Landfall, MovementMessage } from '@landfall/client';
import { generateJourney } from '@landfall/samples';
import { clientOf } from './act.js';
import { flow } from './flow.js';

/** Lodges a lorry whose goods are complete, with another plate and times some hours later. */
async function lodgeLorry(carrier: Landfall, plate: string, seed: number, laterHours = 0) {
  const journey = generateJourney({
    kind: 'lorry',
    houses: 2,
    incomplete: 0,
    carrier: 'NO310000019',
    arrivesAt: new Date(Date.now() + (1 + laterHours) * 3_600_000),
    seed,
  });
  let transport = '';
  for (const { level, message } of journey) {
    if (level === 'transport') message.activeBorderTransportMeans.identificationNumber = plate;
    // The cast is true because both types are those of the contract.
    const given = message as MovementMessage;
    const { mrn, status } = await carrier.lodgeMovement('road', given, { level });
    assert.equal(status, 'SUCCESS');
    if (level === 'transport') transport = mrn ?? '';
  }
  return transport;
}

flow(
  'the gate says whether a transport may be unloaded, and never of the one before',
  async (shown) => {
    const { page, browser, open, playground, signIn } = shown;
    const carrier = await clientOf(playground, 'carrier');
    const arrived = await lodgeLorry(carrier, 'AB12345', 1);
    const expected = await lodgeLorry(carrier, 'CD67890', 2);
    await signIn('carrier');
    await open('/gate');
    await page.getByRole('link', { name: 'Transport', exact: true }).click();
    const field = page.getByLabel('MRN or means of transport');
    await field.waitFor();
    const panel = page.getByRole('main').locator('[data-outcome]').first();
    const says = (title: string) =>
      page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor();
    const scan = async (identifier: string) => {
      // As a scanner does, whatever has the focus.
      await page.keyboard.type(identifier);
      await page.keyboard.press('Enter');
    };
    await scan('ab 12345');
    await says('May not be unloaded');
    await panel.getByText('The transport has not arrived.').waitFor();
    await panel.getByText('Do not unload').waitFor();
    assert.equal(await panel.getAttribute('data-outcome'), 'control');
    // It turns by itself.
    await carrier.reportArrival({
      mrn: arrived,
      dateAndTimeOfArrival: `${new Date().toISOString().slice(0, 19)}Z`,
      customsOfficeOfArrival: { referenceNumber: 'NO371001' },
    });
    await says('May be unloaded');
    assert.equal(await panel.getAttribute('data-outcome'), 'release');
    assert.equal(await panel.getByText('Do not unload').count(), 0);
    await panel.getByText(/NO371001/).waitFor();

    // From the first character of the next scan, the old result is gone, also while the new one is not read.
    await page.keyboard.type('C');
    await says('Not checked yet');
    assert.equal(await page.getByText('May be unloaded').count(), 0);
    await browser.route('**/movement/road/**', () => {});
    await page.keyboard.type('D67890');
    await page.keyboard.press('Enter');
    await says('Checking');
    await page.waitForTimeout(1_000);
    assert.equal(await page.getByText('May be unloaded').count(), 0);
    await panel.getByText('Do not unload').waitFor();
    await browser.unrouteAll({ behavior: 'ignoreErrors' });
    await scan(expected);
    await says('May not be unloaded');
    await scan(arrived);
    await says('May be unloaded');

    // What was read before the connection was lost may have turned.
    await browser.setOffline(true);
    await says('Cannot be checked now');
    assert.equal(await page.getByText('May be unloaded').count(), 0);
    await browser.setOffline(false);
    await says('May be unloaded');
    await page.getByRole('link', { name: 'What it reaches' }).click();
    await page.getByText('Nothing is missing.').waitFor();
  },
);

flow('of several transports with one plate, the gate takes none by itself', async (shown) => {
  const { page, open, playground, signIn } = shown;
  const carrier = await clientOf(playground, 'carrier');
  const mrns = [
    await lodgeLorry(carrier, 'EF11111', 3),
    await lodgeLorry(carrier, 'EF11111', 4, 24),
  ];
  await signIn('carrier');
  await open('/gate?view=transport&id=EF11111');
  const panel = page.getByRole('main').locator('[data-outcome]').first();
  const says = (title: string) =>
    page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor();
  await says('Several transports');
  await panel.getByText('Do not unload').waitFor();
  await page.getByRole('button', { name: `Check ${mrns[1]} again` }).click();
  await says('May not be unloaded');
  await panel
    .getByText(mrns[1] ?? '')
    .first()
    .waitFor();

  // Others find neither the plate nor the MRN.
  await signIn('forwarder');
  for (const id of ['EF11111', mrns[0]]) {
    await open(`/gate?view=transport&id=${id}`);
    await says('Unknown to you');
  }
  await open('/gate?view=transport&id=26NO7K2M4Q9XWR5HT0');
  await says('Unknown to you');
});

flow(
  'an officer at the gate sees whether a transport is expected or has arrived',
  async (shown) => {
    const { page, browser, open, playground, signIn } = shown;
    const carrier = await clientOf(playground, 'carrier');
    const one = await lodgeLorry(carrier, 'GH22222', 5);
    await signIn('authority');
    await open('/gate?view=transport');
    const panel = page.getByRole('main').locator('[data-outcome]').first();
    const says = (title: string) =>
      page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor();
    await page.getByLabel('MRN or means of transport').waitFor();
    await page.keyboard.type('gh 22222');
    await page.keyboard.press('Enter');
    await says('Expected');
    await panel.getByText('Do not unload').waitFor();
    await panel.getByText(/NO371001/).waitFor();
    // It turns by itself, and is no permission: it has neither its colour nor its words.
    await carrier.reportArrival({
      mrn: one,
      dateAndTimeOfArrival: `${new Date().toISOString().slice(0, 19)}Z`,
      customsOfficeOfArrival: { referenceNumber: 'NO371001' },
    });
    await says('Arrived');
    await panel.getByText('This does not say whether it may be unloaded.').waitFor();
    assert.equal(await panel.getAttribute('data-outcome'), 'unknown');
    assert.equal(await page.getByText('May be unloaded', { exact: true }).count(), 0);
    await page.getByRole('link', { name: 'Correct its arrival' }).waitFor();

    // By its MRN the message is read, which is recorded: once for each scan.
    let readings = 0;
    page.on('request', (request) => {
      if (/\/authority\/v1\/movements\//.test(request.url())) readings++;
    });
    await page.getByLabel('MRN or means of transport').fill(one.toLowerCase());
    await page.keyboard.press('Enter');
    await says('Arrived');
    await page.waitForTimeout(6_000);
    assert.equal(readings, 1);
    await browser.setOffline(true);
    await says('Cannot be checked now');
    await browser.setOffline(false);
    await says('Arrived');
    await page.getByRole('link', { name: 'Its goods' }).click();
    await page.getByRole('table', { name: 'What hangs on it' }).waitFor();

    // Several with one plate, none, and what is no transport.
    await lodgeLorry(carrier, 'GH22222', 6, 24);
    await open('/gate?view=transport&id=GH22222');
    await says('Several transports');
    await panel.getByText('Do not unload').waitFor();
    await page.getByRole('button', { name: `Check ${one} again` }).click();
    await says('Arrived');
    for (const id of ['NOBODY', '26NO7K2M4Q9XWR5HT0']) {
      await open(`/gate?view=transport&id=${id}`);
      await says('No such transport');
      await panel.getByText('Do not unload').waitFor();
    }
    const houses = await carrier.listMovements('road', 'house-consignment', { limit: 1 });
    await open(`/gate?view=transport&id=${houses.entries[0]?.mrn}`);
    await says('No transport');
    await page.getByRole('link', { name: 'The message' }).waitFor();
  },
);
