// What needs two officers, in the console: one proposes a run, another one is told, looks at it and confirms it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Landfall } from '@landfall/client';
import { noBrowser } from '../../service/dist/testing/browser.js';
import { clientOf, presentByApi } from './testing/flows/act.js';
import { openConsole } from './testing/open-console.js';
import { SECOND_OFFICER } from './testing/second-officer.js';

test('a second officer is told of a run, sees what it is, and confirms it', {
  skip: noBrowser,
}, async () => {
  const opened = await openConsole({ fourEyesRunSize: 3 });
  const { page, open, playground, signIn } = opened;
  const authority = await clientOf(playground, 'authority');
  const mrn = '26NO00000000000001';
  await authority.putEntrySummaryDeclaration(mrn, {
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000019',
    houseConsignments: ['T1', 'T2', 'T3', 'T4'].map((documentNumber) => ({
      transportDocumentHouseLevel: { documentNumber, type: 'N750' as const },
    })),
  });
  const propose = async (reason: string) => {
    await open(`/decide?mrn=${mrn}`);
    await page.getByRole('radio', { name: 'Control' }).check();
    await page.getByLabel('Reason').fill(reason);
    await page.getByRole('button', { name: 'Decide on 4' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('A second officer is needed').waitFor();
    await dialog.getByLabel('Enter 4 to confirm').fill('4');
    await dialog.getByRole('button', { name: 'Propose for 4' }).click();
    await page.getByText('Another officer has to confirm this run').waitFor();
  };
  const waiting = page.getByText('One run waits for a second officer').first();
  const dialog = page.getByRole('dialog');
  const confirm = page.getByRole('button', { name: 'Confirm' });

  await signIn('authority');
  await propose('a tip of the police');
  // Whoever has proposed it can give it up, and is not told to confirm it.
  assert.equal(await confirm.count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Give up' }).count(), 1);
  assert.equal(await waiting.count(), 0);

  await signIn(SECOND_OFFICER.name);
  await open('/');
  await page
    .getByRole('navigation')
    .getByRole('link', { name: 'Runs One run waits for a second officer' })
    .click();
  await page
    .getByRole('region', { name: 'Not finished' })
    .getByRole('link', { name: 'Control: a tip of the police' })
    .click();
  await page.getByText('This run waits for a second officer').waitFor();
  const table = page.getByRole('table', { name: /^House consignments of the run/ });
  await table.getByRole('row', { name: 'T1 N750' }).getByText('Undecided').waitFor();

  // What somebody decides in the meantime stays.
  const document = { documentNumber: 'T2', type: 'N750' } as const;
  await (
    await authority.postRoutingDecisions([
      { mrn, transportDocumentHouseLevel: document, routing: 'TO_ENTRY', reason: 'seen' },
    ])
  ).toArray();
  await confirm.click();
  await dialog.getByText('Reason: a tip of the police').waitFor();
  await dialog.getByText(`Declaration (MRN): ${mrn}`).waitFor();
  const enabled = dialog.getByRole('button', { name: 'Confirm' });
  assert(await enabled.isDisabled());
  await dialog.getByLabel('Enter 4 to confirm').fill('4');
  await enabled.click();
  await page.getByRole('region', { name: 'Progress' }).getByText('Completed').waitFor();
  await table.getByText('Entry stays').waitFor();
  await page.getByText('Confirmed', { exact: true }).waitFor();
  await waiting.waitFor({ state: 'detached' });
  const [run] = (await authority.listRoutingRuns()).entries;
  assert.deepEqual([run?.decided, run?.conflicts], [3, 1]);
  assert.equal(run?.confirmedBy?.organisation, SECOND_OFFICER.organisation);
  await open('/runs');
  await page.getByText('4 of 4, 1 of them not decided by it').waitFor();

  // The proposal is given up while the question is open: it is not confirmed.
  await signIn('authority');
  await propose('a second tip');
  const [second] = (await authority.listRoutingRuns({ newestFirst: true })).entries;
  assert(second);
  await signIn(SECOND_OFFICER.name);
  await open(`/runs?id=${second.id}`);
  await confirm.click();
  await dialog.getByLabel('Enter 4 to confirm').fill('4');
  await authority.changeRoutingRun(second.id, { state: 'GIVEN_UP' }, { ifMatch: second.etag });
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('The run has changed meanwhile').waitFor();
  await page.getByRole('region', { name: 'Progress' }).getByText('Given up').waitFor();
  assert.equal((await authority.getRoutingRun(second.id)).state, 'GIVEN_UP');

  // Whoever has proposed a run in the queue sees there that it did not decide on all of them.
  const waits = '26NO00000000000002';
  await authority.putEntrySummaryDeclaration(waits, {
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: '0192:310000019',
    houseConsignments: ['W1', 'W2', 'W3'].map((documentNumber) => ({
      transportDocumentHouseLevel: { documentNumber, type: 'N750' as const },
    })),
  });
  await presentByApi(playground, { mrn: waits });
  await signIn('authority');
  await open('/arrivals');
  await page.getByRole('button', { name: 'Select all 3' }).click();
  await page.getByRole('button', { name: 'Control', exact: true }).click();
  await dialog.getByLabel('Reason').fill('a third tip');
  await dialog.getByLabel('Enter 3 to confirm').fill('3');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Propose for 3' }).click();
  await page.getByText('Waits for a second officer').waitFor();
  const seen = { documentNumber: 'W2', type: 'N750' } as const;
  await (
    await authority.postRoutingDecisions([
      { mrn: waits, transportDocumentHouseLevel: seen, routing: 'TO_ENTRY', reason: 'seen' },
    ])
  ).toArray();
  const [third] = (await authority.listRoutingRuns({ newestFirst: true })).entries;
  assert(third);
  const officer = await inSession(playground.baseUrl, SECOND_OFFICER.name);
  await officer.changeRoutingRun(third.id, { state: 'RUNNING' }, { ifMatch: third.etag });
  await page.getByText('3 of 3, 1 of them not decided by it').waitFor();
});

/** A client with a session of its own, as another browser has it: a run is confirmed by a person. */
async function inSession(baseUrl: string, identity: string): Promise<Landfall> {
  const signedIn = await fetch(`${baseUrl}/playground/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identity }),
  });
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0]);
  const headers = { cookie: cookie.join('; '), origin: baseUrl };
  const session = await (await fetch(`${baseUrl}/console/session`, { headers })).json();
  return new Landfall({
    baseUrl: `${baseUrl}/console/api`,
    tokens: 'cookie',
    headers: { ...headers, 'Landfall-CSRF-Token': session.csrfToken },
  });
}

test('what waits is not read for somebody who has left, so that their session ends', {
  skip: noBrowser,
}, async () => {
  const { page, open, signIn } = await openConsole();
  await signIn('authority');
  await page.clock.install();
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().includes('/routing-runs?state=PROPOSED')) reads++;
  });
  const readsIn = async (minutes: number) => {
    const before = reads;
    for (let passed = 0; passed < minutes; passed++) {
      await page.clock.runFor(60_000);
      // In real time, in which the response arrives and the page is rendered.
      await setTimeout(100);
    }
    return reads - before;
  };
  await open('/');
  await page.keyboard.press('Shift');
  assert((await readsIn(2)) >= 2, 'nothing is read while somebody is there');
  // With some minutes more than ten: the page is rendered after the moved clock has called its timers.
  await readsIn(13);
  assert.equal(await readsIn(5), 0);
  await page.keyboard.press('Shift');
  assert((await readsIn(2)) >= 2, 'nothing is read after somebody is back');
});
