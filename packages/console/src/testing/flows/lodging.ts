// Messages that are lodged, replaced and cancelled by the form.
import assert from 'node:assert/strict';
import type { Landfall, ModeName, MovementLevel, MovementMessage } from '@landfall/client';
import { keysOf, modes, movementLevels } from '@landfall/contract';
import { setMember } from '@landfall/contract/movement-cases/change-message';
import { makeExample } from '@landfall/contract/movement-cases/examples';
import type { Locator, Page, Request } from 'playwright-core';
import { clientOf } from './act.js';
import { flow } from './flow.js';

/** An instant some hours from now, to the second. */
const inHours = (hours: number) =>
  `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16)}:00Z`;

/** A message that is accepted now. */
function exampleOf(level: MovementLevel, mode: ModeName): MovementMessage {
  const message = makeExample(level, mode);
  if (level === 'transport') {
    setMember(message, 'estimatedDateAndTimeOfArrival', inHours(5));
    setMember(message, 'scheduledDateAndTimeOfArrival', inHours(4));
  }
  // Safe cast: the example is one of the level.
  return message as MovementMessage;
}

async function lodge(landfall: Landfall, level: MovementLevel, mode: ModeName): Promise<string> {
  const status = await landfall.lodgeMovement(mode, exampleOf(level, mode), { level });
  assert.equal(status.status, 'SUCCESS', JSON.stringify(status));
  return status.mrn ?? '';
}

const press = (page: Page | Locator, name: string) =>
  page.getByRole('button', { name, exact: true }).click();

const group = (page: Page | Locator, name: string) =>
  page.getByRole('group', { name, exact: true });

const field = (page: Page | Locator, name: string) => page.getByLabel(name, { exact: true });

/** Fills a consignor or a consignee. */
async function fillParty(page: Page, name: string, country: string): Promise<void> {
  const party = group(page, name);
  await field(party, 'Name').fill(`The ${name}`);
  await field(party, 'Type of person').selectOption('2');
  await field(party, 'City').fill('Oslo');
  await field(party, 'Country').selectOption(country);
  await field(party, 'Postcode').fill('0150');
  await field(party, 'Street (optional)').fill('Storgatan 1');
}

/** Fills what a house consignment must have. */
async function fillHouse(page: Page, documentNumber: string): Promise<void> {
  const document = group(page, 'Transport document');
  await field(document, 'Number').fill(documentNumber);
  await field(document, 'Type').selectOption('N730');
  await field(page, 'Are the goods in containers?').selectOption('0');
  await field(page, 'Gross mass in kilograms').fill('800,5');
  await field(page, 'Number of packages').fill('3');
  await field(page, 'Description of the goods').fill('Wooden chairs');
  await fillParty(page, 'Consignor', 'SE');
  await fillParty(page, 'Consignee', 'NO');
}

flow('a house consignment is lodged, completed and cancelled by the form', async (shown) => {
  const { page, open, playground, signIn } = shown;
  await signIn('forwarder');
  await open('/lodge?mode=road&level=house-consignment');
  await page.getByText('18 fields are missing or wrong.').waitFor();

  // What is pressed too early says what is missing, in the order of the form, and leads there.
  await press(page, 'Lodge');
  const summary = group(page, 'There is a problem');
  const links = summary.getByRole('link');
  await links.first().waitFor();
  await page.waitForFunction(() =>
    document.activeElement?.matches('[role=group], ds-error-summary'),
  );
  const positions: number[] = [];
  const count = await links.count();
  assert.equal(count, 18);
  for (let index = 0; index < count; index++) {
    const id = (await links.nth(index).getAttribute('href'))?.slice(1);
    positions.push((await page.locator(`[id="${id}"]`).boundingBox())?.y ?? -1);
  }
  const rows = positions.map((y, index) => y - (positions[index - 1] ?? y));
  // Fields that are beside each other begin at the same height, but for the lines of their labels.
  assert(Math.min(...rows) > -40, rows.join(' '));
  await links.nth(2).click();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'SELECT');
  await summary.getByText('Fill in “Consignee, Address: City”').waitFor();
  await summary.getByText('a post office box in “Consignor: Address”').waitFor();

  await fillHouse(page, 'FORM-1');
  await summary.waitFor({ state: 'detached' });
  // Judged while one types: what is missing before the border, and what breaks a rule.
  await page.getByText('It can be lodged and is incomplete.').waitFor();
  await page.getByRole('link', { name: /^Procedures: Import procedure: an import/ }).click();
  await field(page, 'Gross mass in kilograms').fill('-1');
  await page
    .getByText(/^Check “Gross mass in kilograms”: it numeric/)
    .first()
    .waitFor();
  await field(page, 'Gross mass in kilograms').fill('800.5');
  await press(page, 'Lodge');
  await page.getByRole('heading', { name: 'Accepted, and incomplete' }).waitFor();
  await page.getByText('A procedure or its document is missing').waitFor();
  const forwarder = await clientOf(playground, 'forwarder');
  const query = { documentNumber: 'FORM-1' };
  const [lodged] = (await forwarder.listMovements('road', 'house-consignment', query)).entries;
  assert.equal(lodged?.complete, false);
  await page
    .getByText(lodged?.mrn ?? '')
    .first()
    .waitFor();

  // From the list, with what it has.
  await page.getByRole('link', { name: 'All messages of this kind' }).click();
  const row = page.getByRole('row', { name: /FORM-1/ });
  await row.getByText('Incomplete').waitFor();
  await row.getByRole('link', { name: 'Replace' }).click();
  const number = field(group(page, 'Transport document'), 'Number');
  await number.waitFor();
  assert.equal(await number.inputValue(), 'FORM-1');
  assert.equal(await number.getAttribute('readonly'), '');
  await field(page, 'Import procedure (optional)').selectOption('CUSTOMS_DECLARATION');
  await field(page, 'Is a transit or an export to be ended? (optional)').selectOption('false');
  await page.getByText('CUSTOMS_DECLARATION needs a document of type CUDE').waitFor();
  await press(page, 'Add: Previous document');
  // What was added has the focus.
  assert.match(
    await page.evaluate(() => document.activeElement?.id ?? ''),
    /previousDocuments-0-typeOfReference$/,
  );
  const declaration = group(page, 'Previous document 1');
  await field(declaration, 'Type of the document').fill('CUDE');
  await field(declaration, 'Number of the declarant (optional)').fill('123456789');
  await field(declaration, 'Day of the declaration (optional)').fill('2022-08-10');
  await field(declaration, 'Sequence number of that day (optional)').fill('1');
  await page.getByText('Nothing is missing, and no rule is broken.').waitFor();
  await press(page, 'Replace');
  await page.getByRole('heading', { name: 'Replaced' }).waitFor();
  const read = await forwarder.getMovement('road', 'house-consignment', lodged?.mrn ?? '');
  assert.equal(read.complete, true);
  const { consignmentHouseLevel: house } = Object(read.message);
  assert.equal(house.totalGrossMass, 800.5);
  assert.equal(house.previousDocuments[0].declarationDate, '2022-08-10');

  // Once more, and not with what it had before.
  await press(page, 'Replace it');
  await field(page, 'Description of the goods').waitFor();
  await group(page, 'Previous document 1').waitFor();
  await press(page, 'Cancel this message');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Cancel House consignment FORM-1?' }).waitFor();
  await dialog.getByText(lodged?.mrn ?? '').waitFor();
  await press(dialog, 'Cancel this message');
  await page.getByRole('heading', { name: 'Cancelled' }).waitFor();
  const ended = await forwarder.getMovement('road', 'house-consignment', lodged?.mrn ?? '');
  assert.equal(ended.state, 'CANCELLED');

  await open(`/lodge?mode=road&level=house-consignment&mrn=${lodged?.mrn}`);
  await page.getByRole('heading', { name: 'The message has ended' }).waitFor();
  await press(page, 'Lodge it as a new message');
  await field(group(page, 'Transport document'), 'Number').waitFor();
  await press(page, 'Lodge');
  await page.getByRole('heading', { name: 'Lodged' }).waitFor();
});

flow(
  'a transport is lodged once, and another lorry is cancelled and lodged again',
  async (shown) => {
    const { page, browser, open, playground, signIn } = shown;
    await signIn('haulier');
    await open('/lodge');
    const means = group(page, 'Means of transport');
    await field(means, 'Plate of the tractor').fill(' AB12345 ');
    await field(means, 'Type of the means of transport').fill('31');
    await field(means, 'Country of registration').selectOption('SE');
    await field(means, 'Full name').fill('Kim');
    // What is said of a field that was left moves nothing away from under the pointer.
    await press(means, 'Add: How to reach them');
    await field(means, 'Address or number').fill('+46700000000');
    await field(means, 'Type').selectOption('TE');
    const carrier = group(page, 'Carrier');
    await field(carrier, 'Name').fill('Haulier AS');
    await field(carrier, 'Number of the carrier').fill('NO310000124');
    await field(carrier, 'City').fill('Halden');
    await field(carrier, 'Country').selectOption('NO');
    await field(page, 'Customs office of first entry').fill('NO999999');
    await field(page, 'Estimated arrival (Europe/Oslo)').fill('2020-01-01T10:00');
    await field(page, 'Scheduled arrival (Europe/Oslo)').fill('2099-06-01T12:00');
    // Nothing is sent: two names, an office that exists, and a time to come.
    await page.getByText('3 fields are missing or wrong.').waitFor();
    await field(means, 'Full name').fill('Kim Berg');
    await field(page, 'Customs office of first entry').fill('NO371001');
    await page.getByText('1 field is missing or wrong.').waitFor();
    await field(page, 'Estimated arrival (Europe/Oslo)').fill('2099-06-01T12:00');
    const masters = group(page, 'Master consignment (optional)');
    for (const [index, name] of ['M1', 'M2', 'M3'].entries()) {
      await press(masters, 'Add: Master consignment');
      const item = group(masters, `Master consignment ${index + 1}`);
      await field(item, 'Number').fill(name);
      await field(item, 'Type').selectOption('N730');
    }
    await press(masters, 'Remove: Master consignment 2');
    assert.equal(await field(group(masters, 'Master consignment 2'), 'Number').inputValue(), 'M3');
    await page.getByText('Nothing is missing, and no rule is broken.').waitFor();

    await browser.route('**/movement/road/**', async (route) => {
      setTimeout(() => route.continue().catch(() => undefined), 700);
    });
    let sent = 0;
    page.on('request', (request: Request) => {
      if (request.method() === 'POST') sent++;
    });
    await page.getByRole('button', { name: 'Lodge', exact: true }).press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Lodged' }).waitFor();
    await page.waitForTimeout(1_000);
    assert.equal(sent, 1);
    await browser.unrouteAll({ behavior: 'ignoreErrors' });

    await page.getByRole('link', { name: 'What the transport reaches' }).click();
    await page.getByText('2 documents are not lodged or incomplete.').waitFor();
    await page.getByRole('link', { name: 'Replace or cancel the transport' }).click();
    const plate = field(group(page, 'Means of transport'), 'Plate of the tractor');
    await plate.waitFor();
    assert.equal(await plate.inputValue(), 'AB12345');
    assert.equal(await plate.getAttribute('readonly'), '');
    await press(page, 'Cancel and lodge again');
    await page.getByRole('heading', { name: 'Cancel Transport AB12345?' }).waitFor();
    await press(page.getByRole('dialog'), 'Cancel and lodge again');
    await page.waitForURL(/lodge\?mode=road&level=transport$/);
    assert.equal(await plate.getAttribute('readonly'), null);
    // What it had is kept, also by a reload.
    await page.reload();
    await plate.waitFor();
    assert.equal(await plate.inputValue(), 'AB12345');
    await plate.fill('CD67890');
    await press(page, 'Lodge');
    await page.getByRole('heading', { name: 'Lodged' }).waitFor();
    const haulier = await clientOf(playground, 'haulier');
    const { entries } = await haulier.listMovements('road', 'transport');
    assert.deepEqual(
      entries.map(({ identificationNumber, state }) => [identificationNumber, state]),
      [
        ['CD67890', 'CURRENT'],
        ['AB12345', 'CANCELLED'],
      ],
    );
  },
);

flow('what the service refuses is said at its field, until that is changed', async (shown) => {
  const { page, open, playground, signIn } = shown;
  const forwarder = await clientOf(playground, 'forwarder');
  const mrn = await lodge(forwarder, 'house-consignment', 'air');
  await signIn('forwarder');
  await open(`/lodge?mode=air&level=house-consignment&document=H1&type=N730`);
  await page.getByRole('link', { name: 'Replace H1' }).click();
  const id = field(page, 'Number of the document (optional)');
  await id.first().waitFor();
  await id.last().fill('26SEINVALID000000T');
  await press(page, 'Replace');
  await page.getByRole('heading', { name: 'Refused: nothing was changed' }).waitFor();
  const summary = group(page, 'There is a problem');
  const link = summary.getByRole('link');
  assert.match(
    await link.innerText(),
    /Number of the document”: Document with typeOfReference N820/,
  );
  await page.waitForFunction(() =>
    document.activeElement?.matches('[role=group], ds-error-summary'),
  );
  await link.click();
  assert.equal(
    await page.evaluate(() => document.activeElement?.id),
    await id.last().getAttribute('id'),
  );
  await id.last().fill('26SE000000000000T2');
  await summary.waitFor({ state: 'detached' });
  await press(page, 'Replace');
  await page.getByRole('heading', { name: 'Replaced' }).waitFor();

  // The same document again: its key is taken, which only the service knows.
  await open('/lodge?mode=air&level=house-consignment');
  await fillHouse(page, 'H1');
  await press(page, 'Add: Master consignment');
  const master = group(page, 'Master consignment');
  await field(master, 'Number of the carrier').fill('NO888888888');
  await field(master, 'Number').fill('M1');
  await field(master, 'Type').selectOption('N730');
  await press(page, 'Lodge');
  await page.getByText(`is already in use: ${mrn}`).first().waitFor();
  // What the form has is still there.
  assert.equal(await field(page, 'Description of the goods').inputValue(), 'Wooden chairs');
});

flow(
  'what was typed is kept when the session ends, and a lost response is settled',
  async (shown) => {
    const { page, browser, open, playground, signIn } = shown;
    await signIn('forwarder');
    await open('/lodge?mode=rail&level=house-consignment');
    await fillHouse(page, 'KEPT-1');
    await browser.clearCookies();
    await press(page, 'Lodge');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await dialog.getByRole('button', { name: 'Continue as forwarder' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await field(group(page, 'Transport document'), 'Number').inputValue(), 'KEPT-1');
    await page.reload();
    const number = field(group(page, 'Transport document'), 'Number');
    await number.waitFor();
    assert.equal(await number.inputValue(), 'KEPT-1');
    playground.scenarios.add({
      kind: 'lost-response',
      operation: 'lodgeHouseConsignment',
      times: 1,
    });
    await press(page, 'Lodge');
    await page.getByRole('heading', { name: 'Accepted, and incomplete' }).waitFor();
    const forwarder = await clientOf(playground, 'forwarder');
    const { entries } = await forwarder.listMovements('rail', 'house-consignment');
    assert.equal(entries.length, 1);
    // What was sent is kept no longer.
    await open('/lodge?mode=rail&level=house-consignment');
    await number.waitFor();
    assert.equal(await number.inputValue(), '');
  },
);

for (const level of keysOf(movementLevels)) {
  flow(
    `a ${level} of each mode is replaced by what the form has, which is what it was`,
    async (shown) => {
      const { page, open, playground, signIn } = shown;
      await signIn('carrier');
      const carrier = await clientOf(playground, 'carrier');
      for (const mode of keysOf(modes)) {
        const mrn = await lodge(carrier, level, mode);
        const before = await carrier.getMovement(mode, level, mrn);
        await open(`/lodge?mode=${mode}&level=${level}&mrn=${mrn}`);
        await page.getByText('Nothing is missing, and no rule is broken.').waitFor();
        await press(page, 'Replace');
        await page.getByRole('heading', { name: 'Replaced' }).waitFor();
        const after = await carrier.getMovement(mode, level, mrn);
        assert(after.replacedAt !== undefined);
        const issued = Object(after.message).documentIssueDate;
        assert.deepEqual(after.message, { ...before.message, documentIssueDate: issued });
      }
    },
  );
}

flow('the command that is copied lodges what the form has', async (shown) => {
  const { page, open, signIn } = shown;
  await signIn('forwarder');
  await open('/lodge?mode=road&level=house-consignment');
  await fillHouse(page, 'COPIED-1');
  await press(page, 'Copy');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [command, ...rest] = copied.split('\n');
  assert.match(
    command ?? '',
    /^npx landfall movement lodge house-consignment --mode road --file - --as forwarder/,
  );
  assert.equal(rest.pop(), 'END');
  const message = JSON.parse(rest.join('\n'));
  assert.equal(
    message.consignmentHouseLevel.transportDocumentHouseLevel.documentNumber,
    'COPIED-1',
  );
  assert.equal(message.consignmentHouseLevel.totalGrossMass, 800.5);
});

flow(
  'somebody else cannot replace a message, and one that is not there is not found',
  async (shown) => {
    const { page, open, playground, signIn } = shown;
    const carrier = await clientOf(playground, 'carrier');
    const mrn = await lodge(carrier, 'master-consignment', 'maritime');
    await signIn('forwarder');
    await open(`/lodge?mode=maritime&level=master-consignment&mrn=${mrn}`);
    await page.getByRole('heading', { name: 'There is no such message' }).waitFor();
    await open('/lodge?mode=maritime&level=master-consignment&document=M1&type=N730');
    await page.getByRole('heading', { name: 'There is no such message' }).waitFor();
  },
);
