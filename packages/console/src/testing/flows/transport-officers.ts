// What officers do with transports and with the documents that are cited: an arrival by hand, and the list of documents.
import assert from 'node:assert/strict';
import type { MovementMessage } from '@landfall/client';
import { setMember } from '@landfall/contract/movement-cases/change-message';
import { makeExample } from '@landfall/contract/movement-cases/examples';
import { clientOf } from './act.js';
import { flow } from './flow.js';

flow('an officer reports an arrival by the plate, and corrects it by the MRN', async (shown) => {
  const { page, open, playground, signIn } = shown;
  const carrier = await clientOf(playground, 'carrier');
  const message = makeExample('transport', 'road');
  const soon = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
  setMember(message, 'estimatedDateAndTimeOfArrival', soon);
  setMember(message, 'scheduledDateAndTimeOfArrival', soon);
  // Safe cast: the example is one of the level.
  const { mrn = '' } = await carrier.lodgeMovement('road', message as MovementMessage);
  const arrivalOf = async () => (await carrier.getMovement('road', 'transport', mrn)) ?? {};

  await signIn('authority');
  await open('/arrivals');
  await page.getByRole('tab', { name: 'Report a transport' }).click();
  const report = page.getByRole('button', { name: 'Report the arrival' });
  const means = page.getByLabel('Means of transport', { exact: true });
  const office = page.getByLabel('Customs office of arrival', { exact: true });
  // Nothing says where it has arrived, and then which transport it is: each leads to its field.
  const links = page.getByRole('group', { name: 'There is a problem' }).getByRole('link');
  for (const [field, next] of [
    ['office', () => office.fill('NO371001')],
    ['means', () => means.fill('NOBODY')],
  ] as const) {
    await report.click();
    const link = page.locator(`a[href="#arrival-${field}"]`);
    await link.waitFor();
    assert.equal(await links.count(), 1);
    await link.click();
    assert.equal(await page.evaluate(() => document.activeElement?.id), `arrival-${field}`);
    await next();
  }
  await report.click();
  await page
    .getByText(/^Check “Means of transport”/)
    .first()
    .waitFor();
  await means.fill('AB12345');
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('transport-arrivals')) sent++;
  });
  await means.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The arrival is recorded' }).waitFor();
  await page.getByText(mrn).waitFor();
  assert(sent <= 2, 'a press while one is on its way sends nothing');
  assert.equal((await arrivalOf()).customsOfficeOfArrival, 'NO371001');

  await page.getByLabel('MRN of the transport, if it is known').fill(mrn.toLowerCase());
  assert.equal(await means.count(), 0);
  await office.fill('NO351001');
  await report.click();
  await page.getByRole('heading', { name: 'The arrival is corrected' }).waitFor();
  assert.equal((await arrivalOf()).customsOfficeOfArrival, 'NO351001');
});

flow(
  'reference documents are found by their kind and the beginning of their reference',
  async (shown) => {
    const { page, open, playground, signIn } = shown;
    await signIn('authority');
    await open('/reference-documents');
    await page.getByRole('heading', { name: 'No documents are registered' }).waitFor();
    const authority = await clientOf(playground, 'authority');
    const lines = [
      ...Array.from({ length: 230 }, (_, number) => ({
        kind: 'VOEC' as const,
        referenceNumber: String(2_000_000 + number),
        state: 'VALID' as const,
      })),
      {
        kind: 'CUDE' as const,
        declarantNumber: '123456789',
        declarationDate: '2022-08-10',
        sequenceNumber: '1',
        state: 'INVALID' as const,
      },
    ];
    await (await authority.postReferenceDocuments(lines)).toArray();
    await page.reload();
    const listed = page.getByRole('table');
    await listed.getByText('123456789-10082022-1').waitFor();
    await page.getByText('Not valid').waitFor();
    // A list that shows a part says so.
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
    await page.getByLabel('Reference, or its beginning').fill('200000');
    await page.waitForURL(/reference=200000$/);
    await listed.getByText('123456789-10082022-1').waitFor({ state: 'detached' });
    await listed.getByText('2000009').waitFor();
    await page.getByLabel('Kind').selectOption('CUDE');
    await page.getByRole('heading', { name: 'No document matches' }).waitFor();
    await page.getByLabel('Reference, or its beginning').fill('123456789-');
    await listed.getByText('123456789-10082022-1').waitFor();
    // Others do not see it.
    await signIn('carrier');
    await open('/reference-documents');
    await page.getByRole('heading', { name: /may not see/ }).waitFor();
  },
);
