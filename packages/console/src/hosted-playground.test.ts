// A new user of a hosted playground in a browser: signs up, presents with the downloaded credentials, sees the signal, resets,
// leaves, and comes back with the access code.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Landfall } from '@landfall/client';
import { readCredentials } from '@landfall/client/node';
import type { Page } from 'playwright-core';
import { noBrowser } from '../../service/dist/testing/browser.js';
import { checkAccessibility, openConsole } from './testing/open-console.js';

const parcel = {
  customsOfficeOfPresentation: 'NO351001',
  transportDocumentHouseLevel: { documentNumber: 'NO100000001MU', type: 'N750' },
} as const;

test('a new user signs up, uses the space, resets it, and comes back', {
  skip: noBrowser,
}, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-test-'));
  context.after(() => rm(folder, { recursive: true }));
  const { page, browser, open, playground, reported } = await openConsole({
    identities: [],
    hosted: true,
    controlSecret: 'secret-of-the-operator',
    logLevel: 'silent',
  });
  const download = async (button: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    const path = join(folder, file.suggestedFilename());
    await file.saveAs(path);
    return path;
  };
  const heading = (name: string, on: Page = page) =>
    on.getByRole('heading', { level: 1, name }).waitFor();

  await open('/');
  await heading('A test environment of your own');
  await page.getByRole('button', { name: 'Make a space' }).waitFor();
  await checkAccessibility(page, 'the sign-up');
  await page.getByLabel('Name of your organisation').fill('<script>');
  await page.getByRole('button', { name: 'Make a space' }).click();
  await page.getByText(/^organisation /).waitFor();
  await page.getByLabel('Name of your organisation').fill('Nordic Freight');
  await page.getByRole('button', { name: 'Make a space' }).click();
  await heading('Your space is ready');
  await checkAccessibility(page, 'the new space');
  const code = (await page.locator('pre').innerText()).trim();
  assert.match(code, /^space-[\da-f]{12}\.[\w-]{43}$/);
  const file = await download('Download own.json');
  await page.getByRole('button', { name: 'Continue to the console' }).click();

  await heading('Who do you want to be?');
  await page.getByRole('button', { name: 'Continue as own' }).click();
  await page.getByRole('link', { name: 'Routing signals' }).first().click();
  await heading('Routing signals');
  const { credentials, baseUrl } = await readCredentials(file);
  await new Landfall({ baseUrl, credentials }).presentHouseConsignment(parcel);
  await page.getByText('NO100000001MU').first().waitFor();

  await open('/requests');
  await page.getByRole('table').getByRole('link', { name: 'NO100000001MU' }).click();
  await page.getByText('/api/movement/presentation/v1/house-consignment').first().waitFor();
  await open('/space');
  await page.getByText('The space of Nordic Freight.').waitFor();
  await page.getByText(baseUrl, { exact: true }).waitFor();
  await checkAccessibility(page, 'the page of the space');
  const all = JSON.parse(await readFile(await download('Download all identities'), 'utf8'));
  assert(all.identities.some(({ name }: { name: string }) => name === 'own'));
  await page.getByRole('button', { name: 'Reset now' }).click();
  await page.getByText('The space is as it was at the start').waitFor();
  await open('/signals');
  await heading('Routing signals');
  assert.equal(await page.getByText('NO100000001MU').count(), 0);
  assert.deepEqual((await new Landfall({ baseUrl, credentials }).readRoutingSignals()).entries, []);

  // What was typed, and what another tab shows, is of the space that was left.
  await open('/present');
  const field = page.getByLabel('Number of the transport document');
  await field.fill('TYPED');
  const other = await browser.newPage();
  await other.goto(`${playground.baseUrl}/console/present`);
  await heading('Present goods', other);
  await open('/space');
  await page.getByRole('button', { name: 'Leave this space' }).click();
  await heading('A test environment of your own');
  await heading('A test environment of your own', other);
  await page.getByLabel('Access code').fill(`${code.slice(0, -1)}_`);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByText('No space has this access code').waitFor();

  // Somebody else in the same browser sees nothing of it.
  await page.getByLabel('Name of your organisation').fill('Somebody else');
  await page.getByRole('button', { name: 'Make a space' }).click();
  await page.getByRole('button', { name: 'Continue to the console' }).click();
  await page.getByRole('button', { name: 'Continue as own' }).click();
  await open('/present');
  await field.waitFor();
  assert.notEqual(await field.inputValue(), 'TYPED');
  await open('/space');
  await page.getByText('The space of Somebody else.').waitFor();
  await page.getByRole('button', { name: 'Delete this space' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete this space' }).click();
  await heading('A test environment of your own');
  assert.deepEqual(
    playground.hosting?.list().map(({ organisation }) => organisation),
    ['Nordic Freight'],
  );

  await page.getByLabel('Access code').fill(code);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('button', { name: 'Continue as own' }).click();
  await open('/space');
  await page.getByText('The space of Nordic Freight.').waitFor();
  const unexpected = reported.filter((line) => !/status of (?:400|403)/.test(line));
  assert.deepEqual(unexpected, []);
});
